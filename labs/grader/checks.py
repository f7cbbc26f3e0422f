"""checks.py - performs each kind of test: check(grading, outcome, programs) sets the outcome."""
import os
import random
import re
import shlex

import lab as words
import stairs
import verdict
from cases import NO_KERNEL_DID, ON_HOST, REACHES
from observe import FORGED, Ended, beside_the_counts, observe
from process import GAVE_UP, OF_UNASKED, Gone, Process, crashed, short_places, telling_line
from speed import speed


NOT_FIRST = "; right where no call came before it in the same process: something of that one is left"


def is_right_alone(grading, programs, case, what, disguise):
    """Whether a case is right in a process of its own."""
    process = Process(programs, grading.tools.backend, grading.limit())
    try:
        return grading.cases.is_right(process, case, what, disguise)
    finally:
        process.close()


def because(grading, programs, test, case, what, sentence):
    """What is wrong with a case, where its sentence does not tell all: host code that computes with
    tokens, a kernel that reads them, a result that depends on the calls before."""
    if case.host or grading.tools.backend == "gpu" or sentence.startswith(GAVE_UP):
        return sentence
    # A few elements are right by luck once, a product of 1 x 1 x 1 that nobody computes when it is 0.
    times = 4 if case.m * case.n < 8 else 1
    if not all(is_right_alone(grading, programs, case, f"{what} plain {i}", False) for i in range(times)):
        grading.wrong_anyway.add(case.variant)
        return sentence
    if is_right_alone(grading, programs, case, what + " alone", True):
        return sentence + NOT_FIRST
    if case.variant not in grading.reaches:
        least = min((c for c in test.cases if c.variant == case.variant), key=lambda c: c.m * c.n * c.k)
        _, counts = observe(grading, programs, least, what + " observed")
        grading.reaches[case.variant] = of_host(counts["faults"]) if counts else None
    # A product of host code is right in all of them; a part of a word that is copied, by luck in one.
    return grading.reaches[case.variant] or (sentence if case.variant in grading.wrong_anyway else ON_HOST)


OVERWRITTEN = "a memory fault, and what would name its line is overwritten"


def of_overwritten(grading, programs, case, what, sentence):
    """What inspect finds, where a fault has left nothing that could name it."""
    if not sentence.startswith(OVERWRITTEN) or case.host or case.m * case.n * case.k > 8 * QUICK:
        return sentence
    _, counts = observe(grading, programs, case, what + " observed")
    found = [fault for fault in counts["faults"] if fault.get("kind") != "memory not freed"] if counts else []
    return "inspect: " + verdict.of_faults(found) if found else sentence


def not_kept(grading, programs, test):
    """A sentence where the right results were not computed as the task wants it."""
    method = getattr(test, "method", None)
    pairs = method if isinstance(method, list) else []  # of a Sound test it is a function
    for i, (case, check) in enumerate(pairs):
        sentence = checked_counts(grading, programs, case, f"{test.name} method {i}", check)
        if sentence:
            return f"{verdict.shape(case)}: {sentence}"
    for case in drawn(grading.seed, test):
        sentence, counts = observe(grading, programs, case, test.name + " observed")
        sentence = sentence or counts and of_host(counts["faults"])
        if sentence:
            on_gpu = grading.tools.backend == "gpu"
            why = NOT_SEEN if isinstance(sentence, Ended) else ONLY_THERE
            return f"{verdict.shape(case)}, observed: {sentence}" + why * on_gpu
    return None


ONLY_THERE = "; right on the GPU alone, where host code can read the inputs"
NOT_SEEN = "; the GPU does not show it"  # a fault that ends the program where cudacpu finds it
QUICK = 1 << 19  # products, to be observed at once


def drawn(seed, test):
    """Of each variant a case, and not the least, where several are small."""
    small = {}
    for case in sorted(test.cases, key=lambda c: c.m * c.n * c.k):
        products = case.m * case.n * case.k
        if not case.host and (products <= QUICK or products <= 8 * QUICK and case.variant not in small):
            small.setdefault(case.variant, []).append(case)
    draw = random.Random(f"{seed} {test.name}")
    return [draw.choice(cases[len(cases) // 2:]) for cases in small.values()]


def of_host(faults):
    """A sentence where kernels reach into memory of host code, as no GPU lets them."""
    for fault in faults:
        message = str(fault.get("message", ""))
        if fault.get("kind") == "host variable" or "neither device memory nor shared" in message:
            return REACHES.format(verdict.of_faults([fault]))
    return None


def is_forged(message, backend):
    """Whether a case that was observed said that its results come from elsewhere. On a GPU, where host
    code has the inputs to read, any result that is right there alone says so."""
    return ", observed: " in message and (backend == "gpu" or REACHES[:40] in message or FORGED in message)


def checked_counts(grading, programs, case, what, check):
    sentence, counts = observe(grading, programs, case, what)
    if sentence or counts is None:
        return sentence
    try:
        return beside_the_counts(counts) or check(counts, case, grading.lab.tile)
    except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return "inspect's report is not what it should be"


UNNOTICED = ("a launch was made to fail, and the call went on as if it had not: nobody asks "
             "cudaGetLastError() after it, or nobody says what it answers")


def unnoticed(grading, programs, case, what):
    said, printed = run_printing(grading, programs, case, what, True)
    # What it prints where nothing fails says nothing of who asked.
    if said or printed and printed - run_printing(grading, programs, case, what, False)[1]:
        return None
    # Who launches nothing in this case has no launch to ask for.
    return observe(grading, programs, case, what + " observed")[0] or UNNOTICED


def run_printing(grading, programs, case, what, fails):
    """(what it says of its end, the lines that it prints, without numbers) of a case whose launches fail,
    or do not. A warning is cudacpu's own."""
    process = Process(programs, "inspect", grading.limit(2))
    try:
        said = grading.cases.run_failing(process, case, what, fails)
        lines = process.running.text().splitlines()
        return said, {re.sub(r"\d", "", line) for line in lines
                      if line.strip() and not line.startswith("cudacpu: warning")}
    finally:
        process.close()


def results(grading, outcome, programs):
    test, right, wrong, first = outcome.test, [], [], None
    process, limit, before = None, None, None
    for i, case in enumerate(test.cases):
        try:
            process = process or Process(programs, grading.tools.backend, grading.limit())
            _, sentence, shown = grading.cases.run(process, case, f"{test.name} {i}")
            outcome.shown += shown
        except Gone as ended:
            sentence, limit = str(ended), process.running.ended_for
            process.close()
            process = None
            grading.stopped += bool(limit)
            if not first:
                sentence = of_overwritten(grading, programs, case, f"{test.name} {i}", sentence)
        # Host code that computes with tokens writes what is wrong, or falls over them.
        if sentence and not first and not limit and not sentence.startswith(NO_KERNEL_DID) and \
                "never written" not in sentence:
            sentence = because(grading, programs, test, case, f"{test.name} {i}", sentence)
        if sentence and sentence.startswith(NO_KERNEL_DID):
            outcome.shown = []  # tokens, which say nothing to a reader
        if sentence and not first and process:
            sentence += process.warned()
            process.close()
            process = None
        (wrong if sentence else right).append(case)
        grading.note(case, not sentence)
        first = first or (sentence and f"{verdict.shape(case)}: {sentence}")
        # What gives up twice with the same words does so each time.
        if limit or sentence and sentence == before and sentence.startswith(GAVE_UP):
            break
        before = sentence
    if process:
        process.close()
    if not first:
        first = not_kept(grading, programs, test)
        outcome.score, outcome.message = (0, first) if first else (test.points, "")
        return
    outcome.message = first
    if not limit:
        outcome.variant = wrong[0].variant


def of_unshared(case, counts):
    """Of a wrong result a part of a sentence, where threads meet and have nothing to exchange; or nothing."""
    kernels = counts.get("kernels", [counts]) if counts else []
    try:
        barriers, shared = sum(k["barriers"] for k in kernels), sum(k["shared"]["load"]["words"] for k in kernels)
    except (KeyError, TypeError, AttributeError):
        return ""
    word = "__local" if case.variant == "observed" else "__shared__"
    return f"; its threads meet at barriers, and read nothing from shared memory: is a {word} missing?" \
        if barriers and not shared else ""


def faults(grading, outcome, programs):
    test = outcome.test
    for i, case in enumerate(test.cases):
        sentence, counts = observe(grading, programs, case, f"{test.name} {i}", 2)
        found = counts["faults"] if counts else []
        if sentence and all(fault.get("kind") == "memory not freed" for fault in found):
            found = []  # it ended early: that is what is wrong
        if found:
            missing = of_unshared(case, counts) if found[0].get("kind") == "unset variable" else ""
            outcome.message = f"{verdict.shape(case)}: " + verdict.of_faults(found) + missing
            return
        if sentence or counts is None:
            outcome.message = f"{verdict.shape(case)}: {sentence}{of_unshared(case, counts)}"
            return
    for i, case in enumerate(test.checked):
        sentence = unnoticed(grading, programs, case, f"{test.name} failing {i}")
        if sentence:
            outcome.message = f"{verdict.shape(case)}: {sentence}"
            return
    outcome.score = test.points


def sound(grading, outcome, programs):
    stopped, test, case = grading.stopped, outcome.test, outcome.test.cases[0]
    results(grading, outcome, programs)
    if grading.stopped > stopped:
        return
    sentence, counts = observe(grading, programs, case, test.name + " observed", 2)
    found = counts["faults"] if counts else []
    if outcome.message:  # a wrong program may have ended early
        found = [fault for fault in found if fault.get("kind") != "memory not freed"]
    if found:
        outcome.message = re.sub("; " + OF_UNASKED, "", outcome.message)  # inspect says it
        sentence = "inspect: " + verdict.of_faults(found)
    if not sentence and not outcome.message and test.method:
        sentence = counts and (beside_the_counts(counts) or test.method(counts, case, grading.lab.tile))
    if not sentence and not outcome.message and test.checked:
        sentence = unnoticed(grading, programs, case, test.name + " failing")
    if sentence and (found or not outcome.message):
        outcome.score, outcome.message = 0, f"{outcome.message or verdict.shape(case)}; {sentence}"


def text(grading, outcome, programs):
    path = os.path.join(programs.box.scratch, "in", outcome.test.file)
    with open(path, errors="replace") as file:
        outcome.message = outcome.test.check(file.read()) or ""
    outcome.score = 0 if outcome.message else outcome.test.points


def traffic(grading, outcome, programs):
    test = outcome.test
    sentence = checked_counts(grading, programs, test.case, test.name, test.check)
    where = verdict.shape(test.case)
    for tile, type, case in test.others if not sentence else []:
        other, built = grading.with_another(tile, type)
        where = f"compiled with TILE={other.lab.tile} and ELEMENT={other.lab.type}, " + \
            verdict.shape(case)
        sentence = built.error.get("inspect") or \
            checked_counts(other, built, case, f"{test.name} {tile} {type}", test.check)
        if sentence:
            break
    outcome.score = 0 if sentence else test.points
    outcome.message = f"{where}: {sentence}" if sentence else ""


def output_of(test):
    return "stderr" if test.on_stderr else "output"


def program(grading, outcome, programs):
    for arguments in (outcome.test.args, *outcome.test.more):
        outcome.score, outcome.message = 0, ""
        run_program(grading, outcome, programs, [str(word) for word in arguments])
        if outcome.message:
            return


def run_program(grading, outcome, programs, arguments):
    test = outcome.test
    path = programs.box.path(f"out/program-{grading.tools.backend}")
    command = [path, *arguments]
    if test.on_stderr:
        command = ["sh", "-c", 'exec "$@" 2>&1 >/dev/null', "sh", *command]
    report = os.memfd_create("launches", 0)
    os.fchmod(report, 0o666)
    counted = grading.tools.backend != "gpu"
    running = programs.box.start(["env", f"LAB_LAUNCHES={report}", *command], grading.limit(), pass_fds=[report],
                                 asks=counted)
    status, output = running.wait(), running.text()
    reported = os.pread(report, 16, 0)
    os.close(report)
    grading.stopped += bool(running.ended_for)
    call = "with the arguments " + shlex.join(arguments) if arguments else "without arguments"
    line = telling_line(not test.on_stderr and running.errors().strip() or output)
    printed = f"{'on stderr ' * test.on_stderr}it printed: {line or 'nothing'}"
    if running.ended_for:
        where = short_places(running.last_words)
        outcome.message = f"{call}: {running.ended_for}" + (f"; {where}" if where else "")
    elif status < 0:
        said = telling_line(running.errors(), running.output())
        outcome.message = f"{call}: {crashed(-status)}" + (f": {said}" if said else "")
    elif test.status is None and status == 0 or test.status is not None and status != test.status:
        wanted = "another than 0" if test.status is None else test.status
        outcome.message = f"{call}: exit status {status}, expected {wanted}; {printed}"
    elif not re.search(test.pattern, output):
        wanted = test.wanted or repr(test.pattern)
        outcome.message = f"{call}: its {output_of(test)} does not have {wanted}; {printed}"
    elif test.launches and counted and b"k" not in reported:
        outcome.message = f"{call}: it launches no kernel: what it prints is not computed"
    elif test.launches and b"p" not in reported:
        outcome.message = f"{call}: its main() prints this itself, and does not call the lab's program"
    else:
        outcome.score = test.points
    running.close()


def of(test, backend):
    """(check, modes): how a test is performed, and which programs it needs."""
    return {
        words.Results: (results, [backend, "inspect"]),
        words.Faults: (faults, ["inspect"]),
        words.Sound: (sound, [backend, "inspect"]),
        words.Task: (stairs.task, [backend, "inspect"]),
        words.Text: (text, [backend]),
        words.Traffic: (traffic, ["inspect"]),
        words.Program: (program, [backend]),
        words.Speed: (speed, [backend]),
    }[type(test)]
