#!/usr/bin/env python3
"""test.py - tests the grader: of each lab the solution gets 100 points, the starter 0, each wrong solution what it says.

    labs/test.py [LAB...]

A wrong solution is labN/wrong/NAME.sed, a script on the solution's first file, or NAME.cu, which takes its place. Its first
line has `expect POINTS: REGEX`, for the total and for one of the messages. A line `with TILE=8 TYPE=float SECONDS=2` sets
what it is graded with, a line `file NAME` which other file of the solution the script is for.
"""
import glob
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor

sys.dont_write_bytecode = True
LABS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(LABS, "grader"))
import grade

SEED = 20081107
BUILD = os.path.join(grade.ROOT, "build", "labs")


def submission(number, path, into):
    """Makes the folder to hand in. Returns (points, regex, {TILE, TYPE, SECONDS})."""
    lab = grade.Lab(number)
    solution = os.path.join(lab.folder, "solution")
    if path == "student":
        grade.collect(lab.folder, lab.files, into)
        return 0, "", {}
    grade.collect(solution, lab.files, into)
    if path == "solution":
        return 100, "", {}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = re.search(r"expect (\d+): (.*?)(?: \*/)?$", text.split("\n")[0])
    if not head:
        raise grade.Refused(f"{path}: its first line has no `expect POINTS: REGEX`")
    options = dict(word.split("=") for line in re.findall(r"^\W*with (.*?)(?: \*/)?$", text, re.M)[:1] for word in line.split())
    target = os.path.join(into, (re.findall(r"^\W*file (\S+)", text, re.M) or lab.files)[0])
    if path.endswith(".sed"):
        with open(target, encoding="utf-8") as file:
            before = file.read()
        after = subprocess.run(["sed", "-f", path, target], capture_output=True, text=True, check=True).stdout
        if after == before:
            raise grade.Refused(f"{path}: changes nothing")
    else:
        after = text
    with open(target, "w", encoding="utf-8") as file:
        file.write(after)
    return int(head[1]), head[2], options


def check(job):
    """None, or what is not as it should be; and the seconds it took."""
    number, path = job
    start = time.monotonic()
    folder = tempfile.mkdtemp(prefix="submission.")
    try:
        points, regex, options = submission(number, path, folder)
        lab = grade.Lab(number, int(options.get("TILE", 0)) or None, options.get("TYPE"))
        lab.seconds = float(options.get("SECONDS", lab.seconds))
        grading = grade.Grading(lab, grade.Toolchain("cpu", BUILD), SEED, True, BUILD)
        try:
            outcomes = grading.run(lambda into: grade.collect(folder, lab.files, into), True)
        finally:
            grading.close()
        total = sum(o.score for o in outcomes)
        said = "\n".join(f"{o.score:g}/{o.test.points} {o.test.name}: {o.message}" for o in outcomes)
        wrong = None
        if total != points:
            wrong = f"{total:g} points, expected {points}\n{said}"
        elif not re.search(regex, said):
            wrong = f"no message has {regex!r}\n{said}"
    except (grade.Refused, subprocess.CalledProcessError) as error:
        wrong = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return wrong, time.monotonic() - start


def command_line():
    """Each call of the command: (name, None or what is wrong)."""
    solution = os.path.join(LABS, "lab1_rectangular", "solution")
    with tempfile.TemporaryDirectory() as build:
        def call(*words, path=None):
            env = dict(os.environ, PATH=path or os.environ["PATH"])
            return subprocess.run([sys.executable, os.path.join(LABS, "grader/grade.py"), *words, "--build", os.path.join(build, "b")],
                                  capture_output=True, text=True, env=env)

        def refused(name, regex, *words, path=None):
            done = call(*words, path=path)
            fine = done.returncode == 2 and re.fullmatch(r"grade: .*\n", done.stderr) and re.search(regex, done.stderr)
            yield name, None if fine else f"status {done.returncode}: {done.stderr}"

        yield from refused("no such lab", "LAB=99", "99")
        yield from refused("a lab that is no number", r"LAB=\.\./x", "../x")
        yield from refused("a tile too large", "TILE=33.*32", "1", "--tile", "33")
        yield from refused("a tile of zero", "TILE=0", "1", "--tile", "0")
        yield from refused("a seed that is no number", "SEED=x", "1", "--seed", "x")
        yield from refused("a type that is none", "TYPE=char", "1", "--type", "char")


def tree(*folders):
    """A hash of every file below."""
    all = hashlib.sha256()
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
            if os.path.isfile(path):
                all.update(path.encode() + open(path, "rb").read())
    return all.hexdigest()


def main():
    start = time.monotonic()
    there = sorted(re.search(r"lab(\d+)_", f)[1] for f in glob.glob(os.path.join(LABS, "lab[0-9]*_*")))
    numbers = [n for word in sys.argv[1:] for n in word.split(",")] or there
    for number in numbers:
        if number not in there:
            print(f"test: LABS={number}: there is no such lab; there are {', '.join(there)}", file=sys.stderr)
            return 2
    passed = failed = 0

    def tell(name, wrong, took):
        nonlocal passed, failed
        passed, failed = passed + (not wrong), failed + bool(wrong)
        print(f"{'FAILED' if wrong else 'ok':6} {name} ({took:.1f} s)" + (": " + wrong if wrong else ""), flush=True)

    try:
        tools = grade.Toolchain("cpu", BUILD)  # once, before several want it
        for number in numbers:
            lab = grade.Lab(number)
            tools.make_call(lab)
    except grade.Refused as refused:
        print(f"test: {refused}", file=sys.stderr)
        return 1
    ours = [os.path.join(grade.ROOT, folder) for folder in ("labs", "common")] + [tools.kit]
    before = tree(*ours)
    jobs = [(n, path) for n in numbers for path in
            ["solution", "student", *sorted(glob.glob(os.path.join(LABS, f"lab{n}_*", "wrong", "*.*")))]]
    with ProcessPoolExecutor(2) as pool:
        for (number, path), (wrong, took) in zip(jobs, pool.map(check, jobs)):
            tell(f"lab{number} {os.path.basename(path)}", wrong, took)
    if "1" in numbers:
        for name, wrong in command_line():
            tell("command line: " + name, wrong, 0)
    tell("the grader's folders are as before", None if tree(*ours) == before else "some file has changed", 0)
    print(f"{passed} passed, {failed} failed ({time.monotonic() - start:.0f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
