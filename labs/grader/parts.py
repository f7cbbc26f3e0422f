"""parts.py - a lab with PARTS: each of its files is built and graded alone, as if it were a lab."""
import copy
import os
import shutil
from concurrent.futures import ThreadPoolExecutor

from grading import Grading, Outcome
from refused import Refused
from scratch import new_scratch


def part_of(lab, file):
    """The lab with this file alone and the tests that name it."""
    part = copy.copy(lab)
    part.files, part.hidden = [file], None
    part.tests = lambda seed, with_hidden: [
        (test, hidden) for test, hidden in lab.tests(seed, with_hidden) if test.file == file]
    return part


class Parts:
    """What Grading is for another lab. What is wrong with one file costs the others nothing."""

    show_progress = False

    def __init__(self, lab, tools, seed, with_hidden):
        self.lab, self.tools, self.seed, self.with_hidden = lab, tools, seed, with_hidden
        self.flags, self.scratch = [], new_scratch()
        if lab.hidden and sum(test.points for test, _ in lab.tests(seed, True)) != 100:
            raise Refused(f"{lab.name}: the points of tests.py and hidden.py do not add up to 100")
        tools.judge(lab)  # once, before several want it
        tools.make_call(lab)

    def close(self):
        shutil.rmtree(self.scratch, ignore_errors=True)

    def grade(self, file, sandboxed):
        """(its outcomes, its flags) of one file that is in the scratch folder."""
        part = part_of(self.lab, file)
        if os.path.getsize(os.path.join(self.scratch, file)) == 0:
            outcomes = [Outcome(test, hidden) for test, hidden in part.tests(self.seed, self.with_hidden)]
            for o in outcomes:
                o.message = f"{file} was not handed in, or is empty"
            return outcomes, []
        grading = Grading(part, self.tools, self.seed, self.with_hidden)

        def fill(into):
            shutil.copy(os.path.join(self.scratch, file), into)

        try:
            outcomes = grading.run(fill, sandboxed)
        finally:
            grading.close()
        return outcomes, grading.flags

    def run(self, fill, sandboxed):
        """An Outcome for each test, file by file."""
        fill(self.scratch)
        outcomes = []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for done, flags in pool.map(lambda file: self.grade(file, sandboxed), self.lab.files):
                outcomes += done
                self.flags += flags
        return outcomes


def grading_of(lab, tools, seed, with_hidden):
    """A Grading, or Parts."""
    return (Parts if lab.parts else Grading)(lab, tools, seed, with_hidden)
