"""What an inspect program tells of all kernels of a step: its words, its launches, its trace."""
import csv
import math
import os
import re
import subprocess
import sys
import tempfile

from figures.traces import NUMBERS, run_on_one_core

LAUNCH = re.compile(r"^(\w+)\S*<<<\(([\d,]+)\), \((\d+)\)", re.M)


def run_inspect(step, n, environment):
    run = subprocess.run(
        [f"{step}/inspect", "-n", str(n)],
        env={**os.environ, "CUDACPU_MULTIPROCESSORS": "8", **environment},
        capture_output=True,
        text=True,
        preexec_fn=run_on_one_core,
    )
    if run.returncode:
        sys.exit(f"{step}/inspect -n {n} ends with status {run.returncode}: {run.stderr}")
    return run.stdout


def observe(step, n):
    """(what it prints, rows of the trace of block 0 of each kernel)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        words = run_inspect(step, n, {"CUDACPU_INSPECT_TRACE": path})
        with open(path, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    for row in rows:
        row["kernel"] = re.match(r"\w+", row["kernel"])[0]
        row.update((name, int(row[name])) for name in NUMBERS)
    return words, rows


def launches_of(words):
    """[(kernel, blocks, threads of a block)] of what inspect prints, in the order of launches."""
    return [
        (kernel, math.prod(map(int, grid.split(","))), int(threads))
        for kernel, grid, threads in LAUNCH.findall(words)
    ]


def of_kernel(rows, kernel, kind):
    """What the kernel's block 0 does to device memory."""
    return [
        row
        for row in rows
        if row["kernel"] == kernel and row["kind"] == kind and row["memory"] != "shared"
    ]


def requests(rows):
    """The rows of the trace by instruction of a warp, in the order in which they were."""
    found = {}
    for row in rows:
        key = row["warp"], row["barriers"], row["line"], row["request"]
        found.setdefault(key, []).append(row)
    return list(found.values())


def extent(offsets, side):
    """(first row, end of the rows, first column, end of the columns) of words in a matrix."""
    places = [divmod(offset // 4, side) for offset in offsets]
    rows, columns = ({place[axis] for place in places} for axis in (0, 1))
    return min(rows), max(rows) + 1, min(columns), max(columns) + 1


def constant(name, *paths):
    """The size of this name in the one of these files that has it."""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            found = re.search(rf"\b{name} = (\d+)", file.read())
        if found:
            return int(found[1])
    sys.exit(f"{name} is in none of {' '.join(paths)}")
