"""checks.py - how each kind of test is performed: check(grading, outcome, programs) sets score and message."""
import os
import re
import shlex

import lab as words
import verdict
from observe import observe
from process import Gone, Process, telling_line
from speed import speed


def results(grading, outcome, programs):
    test, right, wrong, first = outcome.test, [], [], None
    process, limit = None, None
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
        (wrong if sentence else right).append(case)
        first = first or (sentence and f"{verdict.shape(case)}: {sentence}")
        if limit:
            break
    if process:
        process.close()
    if not first:
        outcome.score = test.points
        return
    pattern = verdict.pattern(right, wrong, grading.lab.tile) if not limit else ""
    outcome.message = (pattern + "; " if pattern else "") + first


def faults(grading, outcome, programs):
    test = outcome.test
    for i, case in enumerate(test.cases):
        sentence, counts = observe(grading, programs, case, f"{test.name} {i}", 2)
        if counts and counts["faults"]:
            outcome.message = f"{verdict.shape(case)}: " + verdict.of_faults(counts["faults"])
            return
        if sentence or counts is None:
            outcome.message = f"{verdict.shape(case)}: {sentence}"
            return
    outcome.score = test.points


def sound(grading, outcome, programs):
    stopped, case = grading.stopped, outcome.test.cases[0]
    results(grading, outcome, programs)
    if grading.stopped > stopped:
        return
    sentence, counts = observe(grading, programs, case, outcome.test.name + " observed", 2)
    found = counts["faults"] if counts else []
    if outcome.message:  # a wrong program may have ended early
        found = [fault for fault in found if fault.get("kind") != "memory not freed"]
    if found:
        sentence = "inspect: " + verdict.of_faults(found)
    if sentence and (found or not outcome.message):
        outcome.score, outcome.message = 0, f"{outcome.message or verdict.shape(case)}; {sentence}"


def text(grading, outcome, programs):
    with open(os.path.join(programs.box.scratch, "in", outcome.test.file), errors="replace") as file:
        outcome.message = outcome.test.check(file.read()) or ""
    outcome.score = 0 if outcome.message else outcome.test.points


def traffic(grading, outcome, programs):
    test = outcome.test
    sentence, counts = observe(grading, programs, test.case, test.name)
    if not sentence and counts is not None:
        try:
            sentence = test.check(counts, test.case, grading.lab.tile)
        except (KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
            sentence = "inspect's report is not what it should be"
    outcome.score = 0 if sentence else test.points
    outcome.message = f"{verdict.shape(test.case)}: {sentence}" if sentence else ""


def program(grading, outcome, programs):
    test, box, arguments = outcome.test, programs.box, [str(word) for word in outcome.test.args]
    running = box.start([box.path(f"out/program-{grading.tools.backend}"), *arguments], grading.limit())
    status, output = running.wait(), running.text()
    grading.stopped += bool(running.ended_for)
    call = "with the arguments " + shlex.join(arguments) if arguments else "without arguments"
    printed = f"it printed: {telling_line(output) or 'nothing'}"
    if running.ended_for:
        outcome.message = f"{call}: {running.ended_for}"
    elif status < 0:
        outcome.message = f"{call}: crashed (signal {-status}): {telling_line(output)}"
    elif test.status is None and status == 0 or test.status is not None and status != test.status:
        wanted = "another than 0" if test.status is None else test.status
        outcome.message = f"{call}: exit status {status}, expected {wanted}; {printed}"
    elif not re.search(test.pattern, output):
        wanted = test.wanted or repr(test.pattern)
        outcome.message = f"{call}: its output does not have {wanted}; {printed}"
    else:
        outcome.score = test.points
    running.close()


def of(test, backend):
    """(check, modes): how a test is performed, and which programs it needs."""
    return {
        words.Results: (results, [backend]),
        words.Faults: (faults, ["inspect"]),
        words.Sound: (sound, [backend, "inspect"]),
        words.Text: (text, [backend]),
        words.Traffic: (traffic, ["inspect"]),
        words.Program: (program, [backend]),
        words.Speed: (speed, [backend]),
    }[type(test)]
