#!/usr/bin/env python3
"""ladder.py - the rules of the ladder: one idea a step, so that diff shows it; nothing moves between files in a step.

Called by lint.sh. Each finding is a line, and status 1. A step is one of the ladder unless its step.conf says otherwise.
"""
import difflib
import glob
import re
import sys

CHANGED, LINES, HEADERS, RUN = 120, 220, 20, 6  # the limits; RUN: so many lines in a row are a block that moved
FIRST_OF_A_PART = {"02", "08", "13", "14", "25", "28", "34"}  # these may change more
found = 0


def wrong(text):
    global found
    found = 1
    print("lint:", text)


def read(path):
    with open(path) as file:
        return file.read().splitlines()


def in_ladder(folder):
    try:
        return not any(re.match(r"ladder *= *no", line) for line in read(folder + "/step.conf"))
    except FileNotFoundError:
        return True


def kernel_files(folder):  # what is compared with the neighbour; product.h may be that of a step before
    files = sorted(glob.glob(folder + "/matmult.c*"), reverse=True)
    return files + sorted(path for path in reached(files[0], set()) if path.endswith("/product.h"))


def own_headers(folder):
    return [path for path in glob.glob(folder + "/*.h") if not path.endswith("/product.h")]


def reached(path, seen):
    """Headers of steps that this file includes, and what they include."""
    folder = path.split("/")[0]
    for line in read(path):
        match = re.match(r'#include "(?:\.\./)?((?:\d\d_\w+/)?[\w.]+\.h)"', line)
        if match:
            header = match[1] if "/" in match[1] else folder + "/" + match[1]
            if header not in seen and glob.glob(header):
                seen.add(header)
                reached(header, seen)
    return seen


def blocks(lines):
    """Each run of RUN lines that say something, with its place."""
    told = [(number, line.strip()) for number, line in enumerate(lines, 1)
            if len(line.strip()) > 2 and not line.startswith("#include") and not line.lstrip().startswith("*")]
    return {tuple(line for _, line in told[i:i + RUN]): told[i][0] for i in range(len(told) - RUN + 1)}


def first_common(one, other):
    theirs = blocks(read(other))
    return next((place for block, place in blocks(read(one)).items() if block in theirs), None)


steps = [folder for folder in sorted(glob.glob("[0-9][0-9]_*"))
         if glob.glob(folder + "/matmult.c*") and in_ladder(folder) and not folder.startswith("5")]  # 50_mine: scratch
for before, step in zip(steps, steps[1:]):
    if step[:2] not in FIRST_OF_A_PART:
        old, new = ([line for path in kernel_files(folder) for line in read(path)] for folder in (before, step))
        changed = sum(line[:2] in ("- ", "+ ") for line in difflib.ndiff(old, new))
        if changed > CHANGED:
            wrong(f"{step} differs from {before} in {changed} lines; {CHANGED} is the most")
    for header in own_headers(step):
        place = first_common(header, kernel_files(before)[0])
        if place:
            wrong(f"{header}:{place}: stood in {before} before: what is used again has its header from the first day")

headers = [header for step in steps for header in own_headers(step)]
for i, header in enumerate(headers):
    for other in headers[:i]:
        place = header.split("/")[0] != other.split("/")[0] and first_common(header, other)
        if place:
            wrong(f"{header}:{place}: stands in {other}, too")
for step in steps:
    for path in kernel_files(step) + own_headers(step):
        if len(read(path)) > LINES:
            wrong(f"{path} has {len(read(path))} lines; {LINES} is the most")
    if step > "08":
        text = "\n".join(read(kernel_files(step)[0])).split("*/")[0]
        for word in ("Launch:", "Reads:", "Chapter:", "Run:"):
            if word not in text:
                wrong(f"{step}: its head comment has no line that begins with {word}")
        if re.search(r"\bas \d\d\b|\blike \d\d\b", text[text.find("Launch:"):]):
            wrong(f"{step}: its head comment sends the reader to another step for its launch or reads")
if steps:
    others = {path for path in reached(kernel_files(steps[-1])[0], set()) if not path.startswith(steps[-1])}
    if len(others) > HEADERS:
        wrong(f"{steps[-1]} reaches {len(others)} headers of other steps; {HEADERS} is the most")
sys.exit(found)
