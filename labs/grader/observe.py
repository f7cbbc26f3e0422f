"""observe.py - runs the inspect build on one case and reads its report, which comes from an untrusted process."""
import json
import os

from process import Gone, Process

NO_KERNEL = "no kernel was launched: the product is computed without the device"
LARGEST_REPORT = 1 << 20  # bytes


def run(grading, programs, case, what, times, report):
    """None or a sentence; inspect's JSON goes to the descriptor."""
    process = Process(programs, "inspect", grading.limit(2), report)
    try:
        sentence = None
        for i in range(times):
            sentence = sentence or grading.cases.run(process, case, f"{what} {i}")[1]
        process.finish()
        if process.running.ended_for:
            raise Gone(process.running.ended_for)
        return sentence
    except Gone as ended:
        process.close()
        grading.stopped += bool(process.running.ended_for)
        return str(ended)
    finally:
        process.close()


def observe(grading, programs, case, what, times=1):
    """Runs one case so many times, each with fresh inputs: (sentence or None, inspect's JSON)."""
    report = os.memfd_create("report", 0)
    try:
        os.fchmod(report, 0o666)
        sentence = run(grading, programs, case, what, times, report)
        text = os.pread(report, LARGEST_REPORT, 0)
    finally:
        os.close(report)
    try:
        counts = json.loads(text)
        faults = [f for f in counts["faults"] if isinstance(f, dict)]
        counts["global"]["load"]["words"] + counts["shared"]["load"]["words"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return sentence or "inspect's report is missing", None
    if not sentence and grading.launches is None:
        grading.launches = counts.get("launches")
    if not sentence and counts.get("launches") == 0:
        sentence = NO_KERNEL
    return sentence, dict(counts, faults=faults)
