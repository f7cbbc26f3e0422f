#!/usr/bin/env python3
"""CONTRIBUTING.md's map of the repository: every folder that git knows down to the second level, and every file at the top,
each with what it is for. Paths come from the tree; the words are the map's own and are kept. Without arguments writes the
map; with --check only says (exit status 1) when it and the tree differ.
"""
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import region

LINE = re.compile(r"^(\S+) +(\S.*)$")
PAGE = "CONTRIBUTING.md"


def paths():
    """The top-level files and folders, and the folders below these that hold more than a step."""
    files = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    found = set()
    for path in files:
        parts = path.split("/")
        if re.match(r"\d\d_", parts[0]):
            found.add("NN_step/")
        elif len(parts) == 1:
            found.add(path)
        else:
            found.add(parts[0] + "/")
            if len(parts) > 2 and not re.match(r"(lab\d|\.)", parts[1]):
                found.add("/".join(parts[:2]) + "/")
            elif len(parts) > 2:
                found.add(parts[0] + "/labN_name/" if parts[0] == "labs" else "/".join(parts[:2]) + "/")
    return sorted(found, key=lambda path: (path.lower().lstrip("."), path))


def drawn(words):
    width = max(len(path) for path in words) + 2
    return "```text\n" + "".join(f"{path:{width}}{text}\n" for path, text in words.items()) + "```\n"


def main():
    before = region.read(PAGE, "map")[1]
    known = dict(match.groups() for match in map(LINE.match, before.splitlines()) if match)
    words = {path: known.get(path, "?") for path in paths()}
    region.write(PAGE, "map", "<!-- example -->\n" + drawn(words), "the tree", "make map")
    silent = [path for path, said in words.items() if said == "?"]
    if silent:
        sys.exit(f"{PAGE}: the map does not say what these are for: {' '.join(silent)}")


if __name__ == "__main__":
    main()
