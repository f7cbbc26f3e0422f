"""submissions.py - grades a lab's solution, starter and variants: do they get what is expected?

A variant is labN/wrong/NAME.sed (or right/NAME.sed), a script on the solution's first file, or
NAME.cu, which takes its place. Its first line has `expect POINTS: REGEX`, for the total and for one
of the messages. A line `with TILE=8 TYPE=float SEED=7 SECONDS=2 MEGABYTES=500` sets what it is graded
with (UNREFUSED=1: nothing is refused for its source, so that the walls behind that are tried), a line
`file NAME` which other file of the solution the script is for, and of a lab with PARTS only this one is
graded; one with the line `full`
is graded with LABS_FULL=1 only. A line `gpu POINTS: REGEX` is for regrade.py.
"""
import glob
import os
import re
import shutil
import subprocess
import tempfile
import time

from lab_folder import ROOT, Lab
from parts import grading_of, part_of
from refused import Refused
from submission import collect
from toolchain import tools_of

SEED = 20081107
BUILD = os.path.join(ROOT, "build", "labs")


def variants(lab):
    """Their paths; without LABS_FULL=1 not those that have a line `full`: others are like them."""
    patterns = [os.path.join(lab.folder, kind, "*.*") for kind in ("right", "wrong")]
    found = [path for pattern in patterns for path in sorted(glob.glob(pattern))]
    if os.environ.get("LABS_FULL"):
        return found
    return [path for path in found if not is_full(path)]


def is_full(path):
    with open(path, encoding="utf-8") as file:
        return re.search(r"^\W*full\W*$", file.read(), re.M) is not None


def expectation(path, text):
    """(points, regex, {TILE, TYPE, SEED, SECONDS, MEGABYTES}) of a variant."""
    head = re.search(r"expect (\d+): (.*?)(?: \*/)?$", text.split("\n")[0])
    if not head:
        raise Refused(f"{path}: its first line has no `expect POINTS: REGEX`")
    settings = " ".join(re.findall(r"^\W*with (.*?)(?: \*/)?$", text, re.M)[:1])
    return int(head[1]), head[2], dict(word.split("=") for word in settings.split())


def target_of(lab, path):
    """The file that a variant is about."""
    with open(path, encoding="utf-8") as file:
        return (re.findall(r"^\W*file (\S+)", file.read(), re.M) or lab.files)[0]


def submission(lab, path, into):
    """Makes the folder to hand in. Returns its expectation."""
    if path == "student":
        collect(lab.folder, lab.files, into)
        return 0, "", {}
    collect(os.path.join(lab.folder, "solution"), lab.files, into)
    if path == "solution":
        return 100, "", {}
    with open(path, encoding="utf-8") as file:
        text = file.read()
    target = os.path.join(into, target_of(lab, path))
    if path.endswith(".sed"):
        with open(target, encoding="utf-8") as file:
            before = file.read()
        after = subprocess.run(["sed", "-f", path, target], capture_output=True, text=True,
                               check=True).stdout
        if after == before:
            raise Refused(f"{path}: changes nothing")
    else:
        after = text
    with open(target, "w", encoding="utf-8") as file:
        file.write(after)
    return expectation(path, text)


def graded(number, path, folder, backend="cpu"):
    """Grades it: a Graded."""
    points, regex, options = submission(Lab(number), path, folder)
    lab = Lab(number, int(options.get("TILE", 0)) or None, options.get("TYPE"))
    if lab.parts and path not in ("solution", "student"):
        lab = part_of(lab, target_of(lab, path))
    lab.seconds = float(options.get("SECONDS", lab.seconds))
    lab.megabytes = int(options.get("MEGABYTES", lab.megabytes))
    lab.unrefused = "UNREFUSED" in options
    grading = grading_of(lab, tools_of(backend, BUILD), int(options.get("SEED", SEED)), True)
    try:
        outcomes = grading.run(lambda into: collect(folder, lab.files, into), True)
    finally:
        grading.close()
    return Graded(points, regex, outcomes, grading.flags)


class Graded:
    """What a submission got, beside what was expected of it."""

    def __init__(self, points, regex, outcomes, flags):
        self.expected, self.regex, self.outcomes = points, regex, outcomes
        self.total = sum(o.score for o in outcomes)
        self.said = "\n".join(f"{o.score:g}/{o.test.points} {o.test.name}: {o.message}" for o in outcomes)
        self.said += "".join(f"\nfor a reader: {flag}" for flag in flags)

    def wrong(self):
        """None, or what is not as expected."""
        if self.total != self.expected:
            return f"{self.total:g} points, expected {self.expected}\n{self.said}"
        if not re.search(self.regex, self.said):
            return f"no message has {self.regex!r}\n{self.said}"
        return None


def check(number, path):
    """(None or what is wrong, seconds) of "solution", "student", or the path of a variant."""
    start = time.monotonic()
    folder = tempfile.mkdtemp(prefix="submission.")
    try:
        wrong = graded(number, path, folder).wrong()
    except (Refused, subprocess.CalledProcessError) as error:
        wrong = str(error)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return wrong, time.monotonic() - start
