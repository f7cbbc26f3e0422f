#!/usr/bin/env python3
"""Draws docs/figures/player.png: what Chromium shows of the page of `inspect --html`, of step 06 without
its first barrier, as README.md has it. With --check it draws nothing, needs no browser, and fails when
the files that the picture was drawn of have changed since: the picture knows their digest.

    docs/tools/player.py [--check]     in the root, after `make BACKEND=cpu`
"""
import glob
import hashlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.dont_write_bytecode = True
import browser

PICTURE = "docs/figures/player.png"
STEP, LACKS = "06_tiled/matmult.cu", "the tiles are complete"
DRAWN_OF = [STEP, *sorted(glob.glob("cudacpu/inspect/html_report/*"))]
SIZE = (1240, 800)
KEY = b"drawn of\0"
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def digest():
    whole = hashlib.sha256()
    for path in DRAWN_OF:
        with open(path, "rb") as file:
            whole.update(file.read())
    return whole.hexdigest().encode()


def chunks(png):
    """[(kind, data)] of a PNG."""
    found, at = [], len(SIGNATURE)
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        found.append((png[at + 4 : at + 8], png[at + 8 : at + 8 + size]))
        at += 12 + size
    return found


def with_digest(png):
    parts = chunks(png)
    parts.insert(1, (b"tEXt", KEY + digest()))
    return SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def is_fresh():
    if not os.path.exists(PICTURE):
        return False
    with open(PICTURE, "rb") as file:
        return (b"tEXt", KEY + digest()) in chunks(file.read())


def photograph(page, path):
    browser.SIZES["readme"] = SIZE
    reader = browser.Browser("readme", False)
    try:
        reader.ask("POST", reader.session + "/url", {"url": "file://" + page})
        reader.picture(path)
    finally:
        reader.close()


def draw():
    folder = "50_mine"  # its name is in the picture
    if os.path.exists(folder):
        sys.exit(f"{folder} is there: move it away")
    os.mkdir(folder)
    try:
        with open(STEP, encoding="utf-8") as file, open(f"{folder}/matmult.cu", "w", encoding="utf-8") as copy:
            copy.writelines(line for line in file if LACKS not in line)
        subprocess.run(["make", "BACKEND=cpu", f"{folder}/inspect"], check=True, stdout=subprocess.DEVNULL)
        with tempfile.TemporaryDirectory() as scratch:
            page, picture = f"{scratch}/page.html", f"{scratch}/page.png"
            subprocess.run([f"{folder}/inspect", "--html", page], capture_output=True)  # 1: a fault
            photograph(page, picture)
            with open(picture, "rb") as file:
                drawn = with_digest(file.read())
    finally:
        shutil.rmtree(folder)
    with open(PICTURE, "wb") as file:
        file.write(drawn)


def main():
    if is_fresh():
        print(f"{PICTURE} is that of its page")
    elif "--check" in sys.argv:
        sys.exit(f"{PICTURE}: {STEP} or the page of --html has changed: docs/tools/player.py draws it anew")
    else:
        draw()
        print(f"drawn: {PICTURE}")


if __name__ == "__main__":
    main()
