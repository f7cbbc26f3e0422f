#!/usr/bin/env python3
"""grade.py - builds and grades one lab. `make lab1` and `make grade LAB=1 SUBMISSION=path` call it.

    labs/grader/grade.py LAB [--submission PATH] [--seed N] [--tile N] [--type T]
                             [--backend cpu|gpu] [--build FOLDER]

Without --submission: the visible tests on the lab's own student.cu. With it: in a scratch copy,
inside bubblewrap, with the hidden tests too. Exit status: 0 all points, 1 not all, 2 wrong usage or
nothing could be graded.
"""
import argparse
import os
import random
import re
import sys
import time

sys.dont_write_bytecode = True
import lab as words
import reports
from grading import Grading
from lab_folder import ROOT, Lab, folder_of, tile_of
from refused import Refused
from submission import collect
from toolchain import Toolchain


def seed_of(text):
    """SEED's number; drawn where none is given."""
    if text and not re.fullmatch("[0-9]{1,18}", text):
        raise Refused(f"SEED={text}: a whole number of at most 18 digits was expected")
    return int(text) if text else random.SystemRandom().randrange(10**9)


def grade(options):
    """Grades and reports: 0 or 1."""
    start = time.monotonic()
    build = os.path.abspath(os.path.join(options.build, "labs"))
    folder = os.path.join(build, os.path.basename(folder_of(options.lab)))
    os.makedirs(folder, exist_ok=True)
    reports.remove_old(folder)
    seed = seed_of(options.seed)
    words.BACKEND = options.backend
    lab = Lab(options.lab, tile_of(options.tile), options.type or None)
    handed_in = options.submission is not None
    source = options.submission if handed_in else lab.folder
    grading = Grading(lab, Toolchain(options.backend, build), seed, handed_in)
    grading.show_progress = sys.stderr.isatty()
    try:
        outcomes = grading.run(lambda into: collect(source, lab.files, into), handed_in)
    finally:
        grading.close()
    reports.table(grading, outcomes, sys.stdout)
    _, most = reports.points_of(outcomes)
    if not handed_in:
        print(f"  Hidden tests follow when it is graded: {100 - most} points more.")
    for path in reports.write(grading, outcomes, time.monotonic() - start, folder):
        print(f"  {os.path.relpath(path)}")
    return 0 if all(o.score == o.test.points for o in outcomes) else 1


def main():
    parser = argparse.ArgumentParser(prog="grade.py", allow_abbrev=False)
    parser.add_argument("lab")
    parser.add_argument("--submission")
    parser.add_argument("--seed", default="")
    parser.add_argument("--tile", default="")
    parser.add_argument("--type", default="")
    parser.add_argument("--backend", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    try:
        return grade(parser.parse_args())
    except Refused as refused:
        print(f"grade: {refused}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
