#!/usr/bin/env python3
"""grade.py - builds and grades one lab. `make lab1` and `make grade LAB=1 SUBMISSION=path` call it.

    labs/grader/grade.py LAB [--submission PATH] [--seed N] [--tile N] [--type T]
                             [--backend cpu|gpu] [--build FOLDER] [--results FOLDER] [--status FILE]
                             [--task N] [--hint N] [--settings]

Without --submission: the visible tests on the lab's own student.cu. With it: in a scratch copy,
inside bubblewrap, with the hidden tests too. A lab with PARTS and no submission: up to the first
task that is not solved (climb.py), or --task alone. The results come into a folder of this grading alone
(--results, which must be new or empty). --settings: only refuses what TILE and TYPE cannot be. Exit status: 0 all points, 1 not all, 2 wrong usage or
nothing could be graded; --status: it is written to this file too, as make has no status 1.
"""
import argparse
import os
import random
import re
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import lab as words
import reports
from climb import climb
from lab_folder import ROOT, Lab, build_of, folder_of, tile_of
from parts import grading_of
from refused import Refused, Ungradable
from scratch import remove_left_over
from submission import collect
from toolchain import Toolchain


def seed_of(text):
    """SEED's number; drawn where none is given."""
    if text and not re.fullmatch("[0-9]{1,18}", text):
        raise Refused(f"SEED={text}: a whole number of at most 18 digits was expected")
    return int(text) if text else random.SystemRandom().randrange(10**9)


class Ungraded:
    """What the reports need to know of a submission that cannot be graded, for which nothing is built."""

    def __init__(self, lab, seed):
        self.lab, self.seed, self.flags = lab, seed, []

    def close(self):
        pass


def unfit(source, lab):
    """Why what was handed in cannot be graded, or None."""
    with tempfile.TemporaryDirectory() as into:
        try:
            collect(source, lab.files, into)
        except Ungradable as ungradable:
            return str(ungradable)
    return None


def grade(options):
    """Grades and reports: 0, 1, or 2 where what was handed in cannot be graded."""
    start = time.monotonic()
    words.BACKEND = options.backend
    if options.settings:
        Lab(options.lab, tile_of(options.tile), options.type or None)
        return 0
    remove_left_over()
    build = build_of(options.build)
    folder = os.path.join(build, os.path.basename(folder_of(options.lab)))
    reports.forget_latest(folder)
    seed = seed_of(options.seed)
    lab = Lab(options.lab, tile_of(options.tile), options.type or None)
    handed_in = options.submission is not None
    if lab.parts and not handed_in:
        return climb(lab, options, seed, build)
    if options.task or options.hint:
        raise Refused("TASK= and HINT= are for make lab0")
    source = options.submission if handed_in else lab.folder
    grading, outcomes, reason = Ungraded(lab, seed), [], unfit(source, lab)
    tools = None if reason else Toolchain(options.backend, build)
    results = reports.new_folder(folder, options.results)
    try:
        if not reason:
            grading = grading_of(lab, tools, seed, handed_in)
            grading.show_progress = sys.stderr.isatty()
            outcomes = grading.run(lambda into: collect(source, lab.files, into), handed_in)
    except Ungradable as ungradable:
        reason = str(ungradable)
    finally:
        grading.close()
    if reason is None:
        reports.table(grading, outcomes, sys.stdout)
        _, most = reports.points_of(outcomes)
        if not handed_in:
            print(f"  Hidden tests follow when it is graded: {100 - most} points more.")
    for path in reports.write(grading, outcomes, time.monotonic() - start, results, reason):
        print(f"  {os.path.relpath(path)}")
    if not options.results:
        reports.show_latest(folder, results)
    if reason is not None:
        raise Refused(reason)
    return 0 if all(o.score == o.test.points for o in outcomes) else 1


def main():
    parser = argparse.ArgumentParser(prog="grade.py", allow_abbrev=False)
    parser.add_argument("lab")
    parser.add_argument("--submission")
    parser.add_argument("--seed", default="")
    parser.add_argument("--tile", default="")
    parser.add_argument("--type", default="")
    parser.add_argument("--task", default="")
    parser.add_argument("--hint", default="")
    parser.add_argument("--backend", choices=["cpu", "gpu"], default="cpu")
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--results", default="")
    parser.add_argument("--settings", action="store_true")
    parser.add_argument("--status", default="")
    for stream in (sys.stdout, sys.stderr):  # a file's name may have any bytes
        stream.reconfigure(errors="backslashreplace")
    options, status = parser.parse_args(), 2
    try:
        status = grade(options)
        sys.stdout.flush()
    except Refused as refused:
        print(f"grade: {reports.harmless(str(refused))}", file=sys.stderr)
    except BrokenPipeError:  # make lab1 | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if options.status:
        with open(options.status, "w") as file:
            print(status, file=file)
    return status


if __name__ == "__main__":
    sys.exit(main())
