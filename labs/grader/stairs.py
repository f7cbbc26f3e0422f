"""stairs.py - performs a Task: its result, its faults, and what it counts against what is needed."""
import re

import checks
import verdict
from observe import beside_the_counts, observe

# What a Task's `needs` may name: {name: count of inspect's JSON}. Those in LEAST are the least needed, the
# others the most allowed; one that may be exceeded is a pair, what is needed and the most allowed.
FAULT = re.compile(r": kernel \w+: ")  # of cudacpu, in the place of a result
CRASH = "crashed (SIGSEGV)"
SHARED = "words read from shared memory"
STORED = "elements stored by kernels"
LEAST = (SHARED, STORED)


def of_shared(counts, what):
    return sum(counts["shared"].get(how, {}).get(what, 0) for how in ("load", "store", "atomic"))


def stored(counts, what):
    """By atomic functions too: who stores or loads by one has not moved less."""
    return counts["global"]["store"][what] + counts["global"].get("atomic", {}).get(what, 0)


COUNTS = {
    "sectors loaded": lambda c: c["global"]["load"]["sectors"],
    "sectors stored": lambda c: stored(c, "sectors"),
    "words loaded": lambda c: c["global"]["load"]["words"],
    "words stored": lambda c: stored(c, "words"),
    "atomic additions in global memory": lambda c: c["global"].get("atomic", {}).get("words", 0),
    "bank conflicts": lambda c: of_shared(c, "conflicts"),
    "turns of shared memory": lambda c: of_shared(c, "wavefronts"),
    SHARED: lambda c: c["shared"]["load"]["words"],
    STORED: lambda c: stored(c, "words"),
}


def of_arrays(text, test):
    """A sentence about C as a task has it: y, and y[i] where it is one row or one column."""
    case, y = test.cases[0], test.names.get("y", "y")
    if case.m == 1:
        text = re.sub(r"\bC\[0\]\[(\d+)\]", rf"{y}[\1]", text).replace("columns", "elements")
    elif case.n == 1:
        text = re.sub(r"\bC\[(\d+)\]\[0\]", rf"{y}[\1]", text).replace("rows", "elements")
    return re.sub(r"\bC\b", y, text)


def counted(test, case, counts):
    """(a line with all counts, whether they are as needed)"""
    beside = beside_the_counts(counts)
    if beside:
        return beside, False
    lines, fine, needs = [], True, test.needs(case)
    if COUNTS[STORED](counts) < case.m * case.n:  # no copy of the runtime's is a kernel's work
        needs = {STORED: case.m * case.n}
    for name, needed in needs.items():
        number = COUNTS[name](counts)
        needed, most = needed if isinstance(needed, tuple) else (needed, needed)
        right = number >= needed if name in LEAST else number <= most
        least = "at least " if name in LEAST else ""
        lines.append(f"{number} {name}, {least}{needed} needed")
        fine = fine and right
    return "; ".join(lines), fine


def task(grading, outcome, programs):
    """Sets the outcome, and outcome.verdict: [(what, sentence, whether it is as it should be)]."""
    test, case, stopped = outcome.test, outcome.test.cases[0], grading.stopped
    checks.results(grading, outcome, programs)
    outcome.score, outcome.variant, wrong = 0, None, outcome.message
    right = f"right: {verdict.shape(case)}, and {len(test.cases) - 1} other sizes"
    outcome.verdict = [("result", of_arrays(wrong, test) if wrong else right, not wrong)]
    if grading.stopped == stopped:
        observed(grading, outcome, programs, wrong)
    said = [sentence for _, sentence, fine in outcome.verdict if not fine]
    if not said:
        outcome.score = test.points
    outcome.message = "; ".join(said)


def observed(grading, outcome, programs, wrong):
    test, case = outcome.test, outcome.test.cases[0]
    sentence, counts = observe(grading, programs, case, test.name + " observed")
    found = counts["faults"] if counts else []
    if wrong or sentence:  # it may have ended early
        found = [fault for fault in found if fault.get("kind") != "memory not freed"]
    if found:
        said = verdict.with_names(verdict.of_faults(found), grading.lab.folder, test.names)
        outcome.verdict.append(("faults", said, False))
        if FAULT.search(wrong):
            outcome.verdict[0] = ("result", f"{verdict.shape(case)}: none, a fault ended the kernel", False)
        elif ": inspect: " in wrong:  # checks.of_overwritten has said the same
            outcome.verdict[0] = ("result", f"{verdict.shape(case)}: none, a fault ended the program", False)
    elif CRASH in wrong:  # beyond an array of the device there is a guard, beyond these there is none
        outcome.verdict.append(("faults", "most likely an index beyond an array in shared memory", False))
    elif sentence and not wrong:
        outcome.verdict.append(("result", of_arrays(f"{verdict.shape(case)}: {sentence}", test), False))
    elif counts:
        outcome.verdict.append(("faults", "none", True))
    if counts and not found and not sentence and not wrong:
        try:
            line, fine = counted(test, case, counts)
        except (KeyError, TypeError, AttributeError):
            line, fine = "inspect's report is not what it should be", False
        why = f" ({test.why})" if test.why and not fine else ""
        outcome.verdict.append(("counts", f"{verdict.shape(case)}: {line}{why}", fine))
