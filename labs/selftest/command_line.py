"""command_line.py - grade.py as a command: wrong usage, no bubblewrap, the reports."""
import json
import os
import re
import subprocess
import sys
import tempfile

from lab_folder import ROOT
from selftest.submissions import BUILD

SCRIPT = os.path.join(ROOT, "labs", "grader", "grade.py")
SOLUTION = os.path.join(ROOT, "labs", "lab1_rectangular", "solution", "student.cu")
REPORTS = os.path.join(BUILD, "lab1_rectangular")


def call(*words, path=None):
    return subprocess.run([sys.executable, SCRIPT, *words], capture_output=True, text=True,
                          env=dict(os.environ, PATH=path or os.environ["PATH"]))


def refused(name, regex, *words, path=None):
    """It ends with status 2 and one sentence."""
    done = call(*words, path=path)
    one_sentence = re.fullmatch(r"grade: .*\n", done.stderr) and re.search(regex, done.stderr)
    fine = done.returncode == 2 and one_sentence
    return "command line: " + name, None if fine else f"status {done.returncode}: {done.stderr}"


def without_bubblewrap():
    with tempfile.TemporaryDirectory() as tools:  # all commands but bubblewrap
        for folder in ("/usr/bin", "/usr/local/bin"):
            for name in os.listdir(folder) if os.path.isdir(folder) else []:
                if name != "bwrap" and not os.path.exists(os.path.join(tools, name)):
                    os.symlink(os.path.join(folder, name), os.path.join(tools, name))
        return refused("no bubblewrap: how to get it", "apt-get install bubblewrap", "1",
                       "--submission", SOLUTION, path=tools)


def nothing_to_grade():
    """What is not there is refused before anything is built."""
    with tempfile.TemporaryDirectory() as build:
        done = call("1", "--submission", os.path.join(build, "none"), "--build", build)
        built = [name for name in os.listdir(os.path.join(build, "labs")) if name != "lab1_rectangular"]
    fine = done.returncode == 2 and "there is no such file" in done.stderr and not built
    return "no submission: refused at once", None if fine else f"status {done.returncode}: {done.stderr} {built}"


def results():
    """The three forms of one grading's result; and 0 points with the reason when nothing could be."""
    with tempfile.TemporaryDirectory() as build:
        os.symlink(BUILD, os.path.join(build, "labs"))
        done = call("1", "--submission", SOLUTION, "--seed", "1", "--build", build)
        with open(os.path.join(REPORTS, "results.json"), encoding="utf-8") as file:
            report = json.load(file)
        with open(os.path.join(REPORTS, "results.tap"), encoding="utf-8") as file:
            lines = file.read().splitlines()
        call("1", "--submission", os.path.join(build, "none"), "--build", build)
        with open(os.path.join(REPORTS, "results.json"), encoding="utf-8") as file:
            left = json.load(file)
    fine = left["score"] == 0 and "there is no such file" in left["output"] and not left["tests"]
    yield "nothing graded: no points, and the reason", None if fine else str(left)
    fine = done.returncode == 0 and "100/100 points" in done.stdout
    yield "the table", None if fine else done.stdout + done.stderr
    shown = [test["visibility"] for test in report["tests"]]
    fine = report["score"] == 100 == sum(test["max_score"] for test in report["tests"]) and \
        shown.count("visible") == 6 and shown.count("after_published") == 4
    yield "results.json", None if fine else str(report)
    fine = lines[1] == "1..10" and len([line for line in lines if line.startswith("ok ")]) == 10
    yield "results.tap", None if fine else str(lines)


def tests():
    yield refused("no such lab", "LAB=99", "99")
    yield refused("a lab that is no number", r"LAB=\.\./x", "../x")
    yield refused("a tile too large", "TILE=33.*32", "1", "--tile", "33")
    yield refused("a tile of zero", "TILE=0", "1", "--tile", "0")
    yield refused("a seed that is no number", "SEED=x", "1", "--seed", "x")
    yield refused("a type that is none", "TYPE=char", "1", "--type", "char")
    yield without_bubblewrap()
    yield nothing_to_grade()
    yield from results()
