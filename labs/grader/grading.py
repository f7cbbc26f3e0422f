"""grading.py - grades one submission: builds it, performs each test, and rules on the whole."""
import os
import re
import shutil
import sys

import checks
import lab as words
import verdict
from cases import NO_KERNEL_DID, Cases
from lab_folder import ROOT, Lab
from observe import NO_KERNEL
from programs import Programs
from refused import Refused
from sandbox import Box
from scratch import new_scratch


class Outcome:
    """What a test gave: a score, a sentence where points are missing, lines that show a corner."""

    def __init__(self, test, hidden):
        self.test, self.hidden, self.score, self.message, self.shown = test, hidden, 0, "", []
        self.variant = None  # of the first wrong case, where it was judged


class Grading:
    show_progress = False  # for a person who waits: what is being done, on stderr

    def __init__(self, lab, tools, seed, with_hidden):
        self.lab, self.tools, self.seed = lab, tools, seed
        self.tests = lab.tests(seed, with_hidden)
        self.cases = Cases(tools.judge(lab), lab, seed)
        self.call = tools.make_call(lab)
        self.stopped, self.stops = 0, {}  # tests that were over a limit; the same of each group of variants
        self.seen = {}  # {variant: (right cases, wrong cases)} of all tests
        self.others = {}  # the same, compiled with another tile and type
        self.flags = []  # what a reader of the source should look at
        self.wrong_anyway = set()  # variants with a case that is wrong even where host code can read the inputs
        self.reaches = {}  # of a variant, that kernels reach into memory of host code, or None
        self.launches = None  # the most in an observed case that was right
        self.scratches, self.references, self.conditions = [], {}, {}
        if lab.hidden and sum(t.points for t, _ in lab.tests(seed, True)) != 100:
            raise Refused(f"{lab.name}: the points of tests.py and hidden.py do not add up to 100")

    def close(self):
        for scratch in self.scratches:
            shutil.rmtree(scratch, ignore_errors=True)

    def limit(self, factor=1):
        """Seconds for a test. Who was stopped once does not get much more time."""
        if self.stopped:
            return 1
        return self.lab.seconds * factor + (10 if self.tools.backend == "gpu" else 0)

    def build(self, fill, sandboxed, modes):
        """Programs of the files that fill(folder) puts there, in a box of their own."""
        scratch = new_scratch()
        self.scratches.append(scratch)
        os.mkdir(os.path.join(scratch, "in"))
        fill(os.path.join(scratch, "in"))
        box = Box(scratch, sandboxed, self.tools.backend, self.lab.read, self.tools.cuda_root,
                  self.lab.megabytes)
        programs = Programs(self.lab, self.tools, box, self.call)
        programs.build(modes, any(isinstance(test, words.Program) for test, _ in self.tests))
        return programs

    def reference(self, name, sandboxed):
        """The programs of a file that a submission's time is compared with; built once."""
        if name not in self.references:
            paths = [os.path.join(folder, name) for folder in (self.lab.folder, ROOT)]
            path = next((path for path in paths if os.path.exists(path)), None)
            if not path:
                raise Refused(f"{self.lab.name}: the reference {name} is missing")
            mode, file = self.tools.backend, self.lab.files[0]

            def fill(into):
                shutil.copy(path, os.path.join(into, file))

            programs = self.build(fill, sandboxed, [mode])
            if programs.error:
                raise Refused(f"{name}: {programs.error[mode]}")
            self.references[name] = programs
        return self.references[name]

    def with_another(self, tile, type):
        """(a Grading, its Programs): of the same files, compiled with another tile and type."""
        if (tile, type) not in self.others:
            number = self.lab.name[3:self.lab.name.index("_")]
            lab = Lab(number, tile or self.lab.tile, type or self.lab.type)
            lab.seconds, lab.megabytes = self.lab.seconds, self.lab.megabytes
            lab.unrefused = self.lab.unrefused
            other = Grading(lab, self.tools, self.seed, False)
            other.scratches = self.scratches
            self.others[tile, type] = other, other.build(self.fill, self.sandboxed, ["inspect"])
        return self.others[tile, type]

    def failing(self, test, programs):
        """The message of a test that others have as their condition; it is performed once."""
        if id(test) not in self.conditions:
            self.conditions[id(test)] = self.perform(test, False, programs).message
        return self.conditions[id(test)]

    def perform(self, test, hidden, programs):
        outcome = Outcome(test, hidden)
        check, modes = checks.of(test, self.tools.backend)
        errors = programs.error
        cases = getattr(test, "cases", None)
        if not cases or any(case.variant not in self.lab.apart for case in cases):
            errors = programs.broken | errors
            if isinstance(test, words.Program):
                errors = programs.no_program | errors
        elif programs.apart:
            errors = errors | dict.fromkeys(modes, programs.apart)
        error = next((errors[mode] for mode in modes if mode in errors), None)
        # Who never ends in one variant has not lost the others.
        group = frozenset(case.variant for case in cases or [getattr(test, "case", None)] if case)
        self.stopped = self.stops.get(group, 0)
        if error:
            outcome.message = error
        elif self.stopped >= 3:
            outcome.message = "was not run: three tests of its kind were stopped already"
        else:
            check(self, outcome, programs)
            if programs.unobserved:
                as_cuda = "OpenCL's words, it "  # call.cu of lab 3; what OpenCL says of the file is its own
                outcome.message = outcome.message.replace(as_cuda + "does not compile", as_cuda + programs.unobserved)
        self.stops[group] = self.stopped
        return outcome

    def note(self, case, is_right):
        self.seen.setdefault(case.variant, ([], []))[0 if is_right else 1].append(case)

    def add_patterns(self, outcomes):
        """When it is right, as far as all cases tell: not where threads race, as luck decides there,
        and not beside what is right and refused for something else."""
        if any("race: " in o.message for o in outcomes):
            return
        for o in outcomes:
            if o.variant is not None and not re.search(verdict.NO_MATTER_OF_SHAPE, o.message):
                pattern = verdict.pattern(*self.seen[o.variant], self.lab.tile)
                o.message = (pattern + "; " if pattern else "") + o.message

    def is_of_host(self, test, results):
        """Whether host code makes all results of a test's variants."""
        variants = {case.variant for case in getattr(test, "cases", None) or [test.case]}
        alike = [r for r in results if any(case.variant in variants for case in r.test.cases)]
        return any(NO_KERNEL_DID in r.message for r in alike) and not any(r.score for r in alike)

    def tell(self, text):
        if self.show_progress:
            print(f"grade: {text}", file=sys.stderr)

    def run(self, fill, sandboxed):
        """An Outcome for each test."""
        every = [each for test, _ in self.tests for each in (test, *getattr(test, "first", ()))]
        used = {mode for test in every for mode in checks.of(test, self.tools.backend)[1]}
        modes = [mode for mode in self.tools.modes() if mode in used]
        self.fill, self.sandboxed = fill, sandboxed
        self.tell("compiling (the first time on a machine takes a minute)")
        programs = self.build(fill, sandboxed, modes)
        self.flags = programs.flags
        outcomes = []
        for number, (test, hidden) in enumerate(self.tests, 1):
            self.tell(f"test {number} of {len(self.tests)}: {test.name}")
            outcomes.append(self.perform(test, hidden, programs))
        if self.launches == 0:
            for outcome in outcomes:
                outcome.score, outcome.message = 0, outcome.message or NO_KERNEL
        results = [o for o in outcomes if isinstance(o.test, words.Results)]
        if results and not any(o.score for o in results):
            for o in outcomes:
                if isinstance(o.test, (words.Faults, words.Traffic)):
                    # What came of tokens is no product, and nothing is to be learned from it.
                    known = o.message if not any(NO_KERNEL_DID in r.message for r in results) else ""
                    o.score, o.message = 0, known or "counts when some result is right"
        for o in outcomes:
            if isinstance(o.test, (words.Faults, words.Traffic)) and not o.score and self.is_of_host(o.test, results):
                o.message = "counts when some result is right"
            of = isinstance(o.test, words.Faults) and o.test.of
            if of and not self.seen.get(of, ([], []))[0]:
                o.score, o.message = 0, o.message or "counts when some result is right"
        # Too large to be observed, and of a program that forges where it is.
        forged = next((o.message for o in results if checks.is_forged(o.message, self.tools.backend)), None)
        for o in results:
            of_host = all(case.host for case in o.test.cases)
            if forged and o.score and not of_host and not checks.drawn(self.seed, o.test):
                o.score, o.message = 0, forged
        self.add_patterns(outcomes)
        for o in outcomes:
            o.message = verdict.in_letters(o.message, self.lab.letters)
            if not self.lab.parts:
                o.message = verdict.with_names(o.message, self.lab.folder, {})
        for o in outcomes:  # some of it came from the student's process
            o.message = "".join(c if c.isprintable() else " " for c in o.message)[:1000]
        return outcomes
