"""speed.py - the student's time relative to a reference's, in turns, never two at once."""
import re
import time

import checks
import lab as words
import verdict
from process import Gone, Process


def two_calls(grading, programs, test, what, judged):
    """Seconds of two calls in a new process, with fresh inputs; a small one first warms up."""
    small = words.Case(64, 64, 64, kind=test.case.kind)
    process, times = Process(programs, grading.tools.backend, grading.limit(4), alone=False), []
    try:
        for i in range(3):
            case, name = test.case if i else small, f"{test.name} {what} {i}"
            took, sentence, _ = grading.cases.run(process, case, name, judged)
            if sentence and i and checks.is_right_alone(grading, programs, case, name + " alone", True):
                sentence += checks.NOT_FIRST
            if sentence:
                raise Gone(sentence)
            times.append(took)
    finally:
        grading.stopped += bool(process.running.ended_for)
        process.close()
    return times[1:]


NAMED = re.compile(r": (?:\w+ race|out of bounds|uninitialised read|divergent barrier|unchecked launch error): |"
                   r"variable that nobody has set")


def faults_beside(grading, programs, test, failing):
    """What inspect finds in a program whose result is wrong: that is why."""
    if grading.stopped or not isinstance(failing, words.Results):
        return ""
    found = [grading.failing(other, programs) for other in test.first if isinstance(other, words.Faults)]
    return "".join(f"; inspect: {said}" for said in found if NAMED.search(said))


CLEAR = 1.2  # times away from each limit: noise does not reach it


def is_clear(ratio, steps):
    return all(ratio * CLEAR < most or ratio > most * CLEAR for most, _ in steps)


def speed(grading, outcome, programs):
    test = outcome.test
    for condition in test.first:
        message = grading.failing(condition, programs)
        if message:
            outcome.message = f"time counts when the product is right. {condition.name}: {message}" + \
                faults_beside(grading, programs, test, condition)
            return
    reference = grading.reference(test.reference, programs.box.sandboxed)
    theirs, own, start = [], [], time.monotonic()
    # In turns, so that noise hits both; never at once, so that the student's process cannot slow
    # the reference down. Longer where it is near a limit.
    try:
        while len(own) < 6 or (len(own) < 20 and time.monotonic() - start < 20 and
                               not is_clear(min(own) / min(theirs), test.steps)):
            theirs += two_calls(grading, reference, test, f"reference {len(own)}", False)
            own += two_calls(grading, programs, test, f"own {len(own)}", True)
    except Gone as ended:
        outcome.message = f"{verdict.shape(test.case)}: {ended}"
        return
    own, theirs = min(own), min(theirs)  # what else goes on can only add to a time
    ratio = own / theirs
    share = max((share for most, share in test.steps if ratio <= most), default=0)
    outcome.score = round(share * test.points, 2)
    outcome.message = (f"{verdict.shape(test.case)}: {1000 * own:.3g} ms, "
                       f"the reference {1000 * theirs:.3g} ms: "
                       f"{1 / ratio:.2f} times as fast, {share:.0%} of the points")
