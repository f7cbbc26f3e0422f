"""observe.py - runs the inspect build on one case and reads its report, which may be forged."""
import json
import os

from process import Gone, Process

NO_KERNEL = "no kernel was launched: the result is made without one"
FORGED = "inspect's report is not its own: the program has written into it"
FIRST_WAS_RIGHT = "; the call before it in the same process was right"
OF_A_THREAD = 16  # words: sizes and factors may be constants
VARIABLES = ("{} words are loaded from variables of the program (__device__, __constant__), and {} are "
             "stored there: a matrix in one is in global memory too, and its loads count; let the kernel "
             "read A and B where they are")
LEFT = "event or stream not destroyed"
LARGEST_REPORT = 1 << 20  # bytes


class Ended(str):
    """A sentence of how a process ended before there was a result to be judged."""


def fits(counts, case):
    """Whether the counts can be those of these launches: what is stored and loaded is there."""
    launches = [k["launches"] for k in counts.get("kernels", [counts])]
    traffic = counts["global"]["load"]["words"] + counts["global"]["store"]["words"]
    return sum(launches) == counts["launches"] and (traffic > 0) <= (counts["launches"] > 0)


def beside_the_counts(counts):
    """A sentence where kernels keep matrices in variables, whose loads are no global memory's in
    inspect's report; or None."""
    variables = counts["variables"]
    loaded, stored = variables["load_words"], variables["store_words"]
    most = max(OF_A_THREAD * counts["threads"], 64)
    return VARIABLES.format(loaded, stored) if loaded > most or stored > most else None


def of_left(process):
    """A fault as inspect's JSON has them, of events and streams."""
    call, _, place = process.handle.rstrip(b"\0").decode(errors="replace").partition(" ")
    file, _, line = place.partition(":")
    what = "stream" if "Stream" in call else "event"
    return {"kind": LEFT, "file": file, "line": line if line.isdigit() else "",
            "message": f"each call leaves {process.left} more; {call} has created the last {what}, and nobody calls "
                       f"cuda{what.capitalize()}Destroy"}


def run(grading, process, case, what, times):
    """None or a sentence: an Ended where there was no result."""
    try:
        sentence, alive = None, []
        for i in range(times):
            if not sentence:
                sentence = grading.cases.run(process, case, f"{what} {i}")[1]
                sentence = sentence and sentence + FIRST_WAS_RIGHT * (i > 0)
                alive.append(process.handles)
        process.left = max(alive[-1] - alive[0], 0)  # by a call: who keeps one for all calls leaves none
        process.finish()
        sentence = sentence and sentence + process.warned()
        if process.running.ended_for:
            raise Gone(process.running.ended_for)
        return sentence
    except Gone as ended:
        process.close()
        grading.stopped += bool(process.running.ended_for)
        return Ended(ended)
    finally:
        process.close()


def observe(grading, programs, case, what, times=1):
    """Runs one case so many times, each with fresh inputs: (sentence or None, inspect's JSON)."""
    report = os.memfd_create("report", 0)
    try:
        os.fchmod(report, 0o666)
        process = Process(programs, "inspect", grading.limit(2), report)
        sentence = run(grading, process, case, what, times)
        text = os.pread(report, LARGEST_REPORT, 0)
    finally:
        os.close(report)
    if not text:
        return sentence or Ended("inspect's report is missing: the program ended before its end"), None
    try:
        counts = json.loads(text)
        if counts["seal"] != process.seal:
            return FORGED, None
        faults = [f for f in counts["faults"] if isinstance(f, dict)]
        counts["global"]["load"]["words"] + counts["shared"]["load"]["words"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return sentence or FORGED, None
    if not sentence and not fits(counts, case):
        return FORGED, None
    if not sentence:
        grading.launches = max(grading.launches or 0, counts["launches"])
    if not sentence and counts.get("launches") == 0:
        sentence = NO_KERNEL
    if process.left:
        faults.append(of_left(process))
    return sentence, dict(counts, faults=faults)
