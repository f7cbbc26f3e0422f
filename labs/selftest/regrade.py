#!/usr/bin/env python3
"""regrade.py - grades solutions, starters and variants on a backend, and says of each whether it got
what was expected.

    labs/selftest/regrade.py --backend gpu|cpu --seconds N FILE.csv LAB...

A line `gpu POINTS: REGEX` of a variant is what a GPU makes of it, where this is not what the CPU does:
an address gets no name there. Of a race `gpu LEAST-MOST: REGEX` has what is left if it does harm
everywhere, and if it does none but is found: it never gets the points of the tests that look for races. Those whose names
begin with forged_ may also be told by what differs when they are observed. One that was not graded
has failed, whatever the reason. Those with a line `full` come last, and only with LABS_FULL=1.
"""
import argparse
import csv
import os
import re
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
LABS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [LABS, os.path.join(LABS, "grader")]
import lab as words
from checks import NOT_SEEN, ONLY_THERE
from lab_folder import Lab
from refused import Refused
from sandbox import Box
from selftest.submissions import BUILD, graded, is_full, variants
from toolchain import Toolchain


def kind_of(path):
    name = os.path.basename(path)
    if path == "solution" or os.path.basename(os.path.dirname(path)) == "right":
        return "right"
    return "forged" if name.startswith(("forged_", "refused_", "hostile_")) else "wrong"


def on_gpu(path):
    """((least, most) points, regex) of a variant's line for a GPU, or None."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        line = re.search(r"^\W*gpu (\d+)(?:-(\d+))?: (.*?)(?: \*/)?$", file.read(), re.M)
    return line and ((int(line[1]), int(line[2] or line[1])), line[3])


def row(backend, number, path, deadline):
    """(passed, the line of the table, all that was said)"""
    name = os.path.basename(path)
    if time.time() > deadline:
        return False, [name, number, kind_of(path), "", "", "not graded: no time was left", ""], ""
    words.BACKEND = backend
    start, folder = time.monotonic(), tempfile.mkdtemp(prefix="submission.")
    try:
        got = graded(number, path, folder, backend)
    except Exception as error:  # a table with a hole is better than none
        return False, [name, number, kind_of(path), "", "", f"not graded: {error}"[:200], ""], ""
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    (least, most), regex = backend == "gpu" and on_gpu(path) or ((got.expected,) * 2, got.regex)
    if backend == "gpu" and os.path.basename(path).startswith("forged_"):
        regex += f"|{re.escape(ONLY_THERE)}|{re.escape(NOT_SEEN)}"
    lost = [f"{o.test.name}: {o.message}" for o in got.outcomes if o.message and o.score < o.test.points]
    named = re.search(regex, got.said)
    cause = next((line for line in lost if re.search(regex, line)), (lost or [""])[0])
    passed = least <= got.total <= most and bool(named) and \
        (kind_of(path) != "right" or not lost)
    if not named:
        cause = f"does not say {regex!r}, but {cause}"
    expected = f"{least}" if least == most else f"{least} to {most}"
    took = time.monotonic() - start
    line = [name, number, kind_of(path), f"{got.total:g}", expected, cause[:240], f"{took:.0f}"]
    return passed, line, got.said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend", choices=["cpu", "gpu"], default="gpu")
    parser.add_argument("--seconds", type=float, default=330)
    parser.add_argument("--workers", type=int, default=max(2, (os.cpu_count() or 2) - 2))
    parser.add_argument("file")
    parser.add_argument("labs", nargs="+")
    options = parser.parse_args()
    deadline = time.time() + options.seconds
    words.BACKEND = options.backend
    try:
        with tempfile.TemporaryDirectory() as scratch:
            Box(scratch, True, options.backend)
        tools = Toolchain(options.backend, BUILD)
        labs = {number: Lab(number) for number in options.labs}
        for lab in labs.values():
            tools.make_call(lab)
    except Refused as refused:
        print(f"the grader refuses to grade here: {refused}\n0 passed, 1 failed")
        return 1
    jobs = [(number, path) for number, lab in labs.items()
            for path in ("solution", "student", *variants(lab))]
    jobs.sort(key=lambda job: os.path.exists(job[1]) and is_full(job[1]))
    # What is timed runs alone, after the others.
    timed = [job for job in jobs if any(isinstance(test, words.Speed) for test, _ in
                                        labs[job[0]].tests(1, True))
             and (kind_of(job[1]) == "right" or job[1] == "student")]
    jobs = [job for job in jobs if job not in timed]
    failed = 0
    said_path = os.path.splitext(options.file)[0] + "_said.txt"
    with open(options.file, "a", newline="") as table, open(said_path, "w") as all_said:
        out = csv.writer(table, lineterminator="\n")
        out.writerow(["submission", "lab", "kind", "points", "expected", "cause", "seconds"])

        def tell(result):
            passed, line, said = result
            out.writerow(line)
            table.flush()
            if not passed:
                print(f"FAILED lab{line[1]} {line[0]}: {line[3]} points, expected {line[4]}: {line[5]}", flush=True)
                all_said.write(f"lab{line[1]} {line[0]}\n{said}\n\n")
                all_said.flush()
            return not passed

        with ProcessPoolExecutor(options.workers) as pool:
            # The timed ones need some of the time.
            until = deadline - 30 * len(timed)
            waiting = [pool.submit(row, options.backend, *job, until) for job in jobs]
            failed += sum(tell(each.result()) for each in waiting)
        failed += sum(tell(row(options.backend, *job, deadline)) for job in timed)
    print(f"{len(jobs) + len(timed) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
