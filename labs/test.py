#!/usr/bin/env python3
"""test.py - tests the grader: solutions get 100 points, starters 0, variants what they say.

    labs/test.py [LAB...]

selftest/ has what is tested, a module for each thing.
"""
import glob
import hashlib
import itertools
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
LABS = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [LABS, os.path.join(LABS, "grader")]
from lab_folder import ROOT, Lab, numbers
from refused import Refused
from sandbox import Box
from selftest import arguments, classes, command_line, forms, gradescope, handouts, left_over, parts, sentences
from selftest import texts, twice
from selftest.submissions import BUILD, check, variants
from toolchain import Toolchain


def starting_point(number):
    """A lab with a reference starts from that file as it is."""
    lab = Lab(number)
    name = getattr(lab.module, "REFERENCE", None)
    if name:
        with open(os.path.join(ROOT, name)) as step, \
                open(os.path.join(lab.folder, lab.files[0])) as starter:
            same = step.read() == starter.read()
        yield f"lab{number} starts from {name}", None if same else "copy it over student.cu"


def more(number):
    """What there is to test of a lab besides gradings, and with the first all that is no lab's."""
    all_labs = (sentences, forms, command_line, arguments, texts, gradescope, classes, left_over, twice)
    others = [test for part in all_labs for test in part.tests()] if number == "1" else []
    if Lab(number).parts:
        others += parts.tests(number)
    return [*starting_point(number), *handouts.tests(number), *others]


def tree(*folders):
    """A hash of every file below."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
            if os.path.isfile(path):
                total.update(path.encode() + open(path, "rb").read())
    return total.hexdigest()


def title(number, path):
    return f"lab{number} {os.path.basename(path)}"


def run(labs):
    """Runs the tests of these labs: (name, None or what is wrong, seconds or None) of each."""
    timed = [number for number, lab in labs.items() if lab.is_timed()]
    jobs = [(number, path) for number, lab in labs.items()
            for path in ("solution", "student", *variants(lab))]
    # A starter is as fast as the reference, and noise might make it faster. A solution is far above
    # its limits.
    alone = [job for job in jobs if job[0] in timed and job[1] == "student"]
    jobs = [job for job in jobs if job not in alone]
    # Waiting for a limit takes no processor: one worker more than there are.
    with ProcessPoolExecutor(os.cpu_count() + 1) as pool:
        others = pool.map(more, [number for number in labs if number not in timed])
        for job, (wrong, took) in zip(jobs, pool.map(check, *zip(*jobs))):
            # What a limit of time ended beside other work runs once more when nothing else does.
            if wrong and (job[0] in timed or "was stopped: not done after" in wrong):
                print(f"again  {title(*job)} ({took:.1f} s): {wrong}", flush=True)
                alone.append(job)
            else:
                yield title(*job), wrong, took
        for name, wrong in itertools.chain.from_iterable(others):
            yield name, wrong, None
    for job in alone:
        wrong, took = check(*job)
        if wrong and job[0] in timed:  # another program of the machine was in the way of one of two times
            print(f"again  {title(*job)} ({took:.1f} s): {wrong}", flush=True)
            wrong, took = check(*job)
        yield title(*job), wrong, took
    for number in timed:  # a handout's solution is timed, too
        found = more(number)
        if any(wrong for _, wrong in found):
            print(f"again  lab{number}: " + "; ".join(f"{name}: {wrong}" for name, wrong in found if wrong), flush=True)
            found = more(number)
        for name, wrong in found:
            yield name, wrong, None


def main():
    start = time.monotonic()
    chosen = [number for word in sys.argv[1:] for number in word.split(",")] or numbers()
    for number in chosen:
        if number not in numbers():
            there = ", ".join(numbers())
            print(f"test: LABS={number}: there is no such lab; there are {there}", file=sys.stderr)
            return 2
    try:
        with tempfile.TemporaryDirectory() as scratch:
            Box(scratch, True, "cpu")  # says why when there is no sandbox here
        tools = Toolchain("cpu", BUILD)  # once, before several want it
        labs = {number: Lab(number) for number in chosen}
        for lab in labs.values():
            tools.make_call(lab)
    except Refused as refused:
        print(f"test: {refused}", file=sys.stderr)
        return 1
    ours = [os.path.join(ROOT, folder) for folder in ("labs", "common")] + [tools.kit]
    before = tree(*ours)
    failed = []

    def tell(name, wrong, took=None):
        failed.append(bool(wrong))
        print(f"{'FAILED' if wrong else 'ok':6} {name}" + (f" ({took:.1f} s)" if took else "") +
              (": " + wrong if wrong else ""), flush=True)

    for result in run(labs):
        tell(*result)
    changed = None if tree(*ours) == before else "some file has changed"
    tell("the grader's folders are as before", changed)
    took = time.monotonic() - start
    print(f"{len(failed) - sum(failed)} passed, {sum(failed)} failed ({took:.0f} s)")
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
