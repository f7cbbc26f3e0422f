"""Traces of the real kernels: what block 0 asked of memory, as their inspect programs tell."""
import csv
import functools
import os
import subprocess
import sys
import tempfile

NUMBERS = ("warp", "barriers", "line", "request", "lane", "offset", "pitch")


def run_on_one_core():
    """So that a step which asks how many SMs there are chooses alike everywhere."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


@functools.lru_cache(maxsize=2)  # pictures that follow each other show the same trace
def trace_of(step, n, side):
    """Rows of the trace, numbers as numbers: address as it is, offset as if the rows of a matrix of
    side x side had no padding."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        run = subprocess.run(
            [f"{step}/inspect", "-n", str(n)],
            env={**os.environ, "CUDACPU_INSPECT_TRACE": path},
            capture_output=True,
            text=True,
            preexec_fn=run_on_one_core,
        )
        if run.returncode:
            sys.exit(f"{step}/inspect -n {n} ends with status {run.returncode}: {run.stderr}")
        with open(path, encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["kernel"].startswith("matmult")]
    for row in rows:
        row.update((name, int(row[name])) for name in NUMBERS)
        row["address"] = row["offset"]
        if row["pitch"]:
            row["offset"] = row["offset"] // row["pitch"] * 4 * side + row["offset"] % row["pitch"]
    return rows


def chosen(rows, memory, kind):
    return [row for row in rows if row["memory"] == memory and row["kind"] == kind]


def first_request(rows):
    """What warp 0 asks for with its first instruction among rows."""
    own = [row for row in rows if row["warp"] == 0]
    key = min((row["barriers"], row["request"]) for row in own)
    return [row for row in own if (row["barriers"], row["request"]) == key]


def words(rows, wide=1):
    """The words of the requests, wide words each."""
    return {row["offset"] // 4 + i for row in rows for i in range(wide)}


# ---- tiles in shared memory: words that one thread writes and others read ----

GRAIN = 16  # bytes: the widest access of a thread


def thread_of(row):
    return row["warp"], row["lane"]


def stages(rows):
    """The tiles' parts of shared memory, in the order in which they are read first: for each a set
    of grains. Grains that are read between the same barriers are one stage; what only its writer
    reads (a thread's sums) is no tile.
    """
    writers, readers, intervals = {}, {}, {}
    for row in rows:
        if row["memory"] == "shared":
            grain = row["offset"] // GRAIN
            (writers if row["kind"] == "store" else readers).setdefault(grain, set()).add(
                thread_of(row)
            )
            if row["kind"] == "load":
                intervals.setdefault(grain, set()).add(row["barriers"])
    found = {}
    for grain in readers.keys() & writers.keys():
        if readers[grain] - writers[grain]:
            found.setdefault(tuple(sorted(intervals[grain])), set()).add(grain)
    return [found[key] for key in sorted(found)]


def first_tile_loads(rows):
    """(loads of A's tile, of B's) between the first barriers where tiles are read; A's is first."""
    grains = set().union(*stages(rows))
    loads = [row for row in chosen(rows, "shared", "load") if row["offset"] // GRAIN in grains]
    first = min(row["barriers"] for row in loads)
    by_line = {}
    for row in loads:
        if row["barriers"] == first:
            by_line.setdefault(row["line"], []).append(row)
    return sorted(by_line.values(), key=lambda some: min(row["offset"] for row in some))
