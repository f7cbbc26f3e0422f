#!/usr/bin/env python3
"""test.py - tests the grader: of each lab the solution gets 100 points, the starter 0, each wrong solution what it says.

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
import lab as words
from lab_folder import ROOT, Lab, numbers
from refused import Refused
from sandbox import Box
from selftest import command_line, forms, handouts, texts
from selftest.submissions import BUILD, SEED, check, wrong_solutions
from toolchain import Toolchain


def more(number):
    """What there is to test of a lab besides gradings, and with the first all that is no lab's."""
    others = [*forms.tests(), *command_line.tests(), *texts.tests()] if number == "1" else []
    return [*handouts.tests(number), *others]


def tree(*folders):
    """A hash of every file below."""
    total = hashlib.sha256()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
            if os.path.isfile(path):
                total.update(path.encode() + open(path, "rb").read())
    return total.hexdigest()


def is_timed(lab):
    return any(isinstance(test, words.Speed) for test, _ in lab.tests(SEED, True))


def run(labs):
    """Runs the tests of these labs: (name, None or what is wrong, seconds or None) of each."""
    timed = [number for number, lab in labs.items() if is_timed(lab)]
    jobs = [(number, path) for number, lab in labs.items()
            for path in ("solution", "student", *wrong_solutions(lab))]
    alone = [job for job in jobs if job[0] in timed and job[1] in ("solution", "student")]
    jobs = [job for job in jobs if job not in alone]
    with ProcessPoolExecutor(3) as pool:  # on two cores: some gradings wait for a limit most of the time
        others = pool.map(more, [number for number in labs if number not in timed])
        for job, result in itertools.chain(zip(jobs, pool.map(check, *zip(*jobs))),
                                           zip(alone, itertools.starmap(check, alone))):
            yield f"lab{job[0]} {os.path.basename(job[1])}", *result
    for name, wrong in itertools.chain.from_iterable(itertools.chain(others, map(more, timed))):
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
    tell("the grader's folders are as before", None if tree(*ours) == before else "some file has changed")
    print(f"{len(failed) - sum(failed)} passed, {sum(failed)} failed ({time.monotonic() - start:.0f} s)")
    return 1 if any(failed) else 0


if __name__ == "__main__":
    sys.exit(main())
