#!/usr/bin/env python3
"""Draws the book's pictures, docs/figures/*.svg (player.py draws the one .png): from traces of the
real kernels (their inspect programs), from docs/results, and a few of the book's words. With --check
it draws nothing and fails where a picture is not that of its data any more, or a text leaves its picture or lies on another.

    python3 docs/tools/figures.py [--check]     in the root, after `make BACKEND=cpu`
"""
import glob
import hashlib
import os
import sys

sys.dont_write_bytecode = True
import runs
from figures import access, arithmetic, banks, blocked_sum, climb, coalescing, concepts
from figures import descriptor, error_bar, failing, fragments, ladder, levels, machines
from figures import occupancy, overlap, packed_tiles, parts, pipeline, ranks, register_tile, roles
from figures import roofline, scalar_tile, sm, speeds, stages, sub_tiles
from figures import tile_order, traffic, waits, warp_tiles, which_kernel
from figures import divergence, serpentine, split_k, waves
from figures.legible import illegible

PARTS = (access, blocked_sum, scalar_tile, register_tile, banks, occupancy, pipeline, overlap)
PARTS += (divergence, serpentine, split_k, waves)
PARTS += (sm, coalescing, failing, traffic, levels, fragments, arithmetic, packed_tiles, descriptor)
PARTS += (roles, concepts, machines, warp_tiles, stages, waits, tile_order)
PARTS += (error_bar, sub_tiles, parts, ranks, speeds, ladder, climb, roofline, which_kernel)
FOLDER = "docs/figures"


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


def stamp():
    """The file that is there when a check of the same files and programs found nothing wrong. Of
    pages only the first one is read."""
    files = runs.repository_files()
    if not files:  # no git: who knows what has changed
        return None
    known = runs.Runs()
    parts = [*known.machine, *files]
    for path in files + sorted(glob.glob("[0-9][0-9]_*/inspect")):
        if not path.endswith(".md") or path == "docs/README.md":
            parts.append(f"{path} {known.digest(path)}")
    return f"{runs.CACHE}/figures-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()


def main():
    check = "--check" in sys.argv
    right = check and stamp()
    if right and os.path.exists(right):
        print("the figures are those of their data, as at the last check")
        return
    pictures = {
        os.path.join(FOLDER, name): picture
        for part in PARTS
        for name, picture in part.pictures()
    }
    stale = [path for path, picture in pictures.items() if picture != read(path)]
    if not check:
        os.makedirs(FOLDER, exist_ok=True)
        for path in stale:
            with open(path, "w", encoding="utf-8") as file:
                file.write(pictures[path])
    wrong = [
        f"{path}: drawn by nothing"
        for path in sorted(glob.glob(FOLDER + "/*.svg"))
        if path not in pictures
    ]
    for path, picture in pictures.items():
        wrong += [f"{path}: {sentence}" for sentence in illegible(picture)]
    if stale and check:
        wrong.append(f"stale: {' '.join(stale)}: 'make figures' draws them anew")
    if wrong:
        sys.exit("\n".join(wrong))
    if right:
        os.makedirs(runs.CACHE, exist_ok=True)
        open(right, "w", encoding="utf-8").close()
    print(
        f"{len(pictures)} figures are those of their data"
        if not stale
        else f"drawn: {' '.join(stale)}"
    )


if __name__ == "__main__":
    main()
