#!/usr/bin/env python3
"""The book's pictures, drawn from data: who reads what, from a trace of the real kernels (their inspect programs), and the
speeds of the ladder, from docs/results. Writes docs/figures/*.svg; with --check only says (exit status 1) which are stale.
Colours are legible on white and on black; the background is the page's."""
import collections
import csv
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
import results

FOLDER = "docs/figures"
INK, REQUEST, WARP, BLOCK = "#767d88", "#e08a00", "#2f81c7", "#93a1b0"


def svg(width, height, title, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'font-family="sans-serif" font-size="13" fill="{INK}">\n<title>{title}</title>\n' + "\n".join(body) + "\n</svg>\n")


def text(x, y, words, more=""):
    return f'<text x="{x:g}" y="{y:g}"{" " + more if more else ""}>{words}</text>'


# ---- who reads what ----

N, CELL, BANKS = 48, 5, 32
ACCESS = {"02_naive_cuda": (), "04_row_shared": (), "06_tiled": ()}


def trace_of(step):
    """The requests of block 0 at n = N: rows of the trace, numbers as numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        run = subprocess.run([f"{step}/inspect", "-n", str(N)], env={**os.environ, "CUDACPU_INSPECT_TRACE": path}, capture_output=True, text=True)
        if run.returncode:
            sys.exit(f"{step}/inspect -n {N} ends with status {run.returncode}: {run.stderr}")
        with open(path, encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    for row in rows:
        for name in ("warp", "barriers", "line", "request", "lane", "offset", "pitch"):
            row[name] = int(row[name])
        row["sector"] = row["offset"] // 32
        if row["pitch"]:  # as if the rows had no padding
            row["offset"] = row["offset"] // row["pitch"] * 4 * N + row["offset"] % row["pitch"]
    return rows


def first_request(rows):
    """What warp 0 asks for with its first instruction among rows."""
    own = [row for row in rows if row["warp"] == 0]
    key = min((row["barriers"], row["request"]) for row in own)
    return [row for row in own if (row["barriers"], row["request"]) == key]


def words(rows):
    return {row["offset"] // 4 for row in rows}


def panel(x, y, wide, high, layers, name):
    """A field of wide x high words; layers: (words, colour), later ones above."""
    body = [text(x, y - 8, name),
            f'<rect x="{x}" y="{y}" width="{wide * CELL}" height="{high * CELL}" fill="none" stroke="{INK}" stroke-opacity="0.6"/>']
    above = {}
    for cells, colour in layers:
        for word in cells:
            above[word] = colour
    for row in range(high):
        start = 0
        while start < wide:
            colour, end = above.get(row * wide + start), start + 1
            while end < wide and above.get(row * wide + end) == colour:
                end += 1
            if colour:
                body.append(f'<rect x="{x + start * CELL}" y="{y + row * CELL}" width="{(end - start) * CELL}" height="{CELL}" fill="{colour}"/>')
            start = end
    return body


def count(n, one):
    return f"{n} {one}" + ("" if n == 1 else "s")


def asked(rows, shared=False):
    """The first request in words."""
    lanes, distinct = len({row["lane"] for row in rows}), words(rows)
    line = f"{count(lanes, 'lane')}, {count(len(distinct), 'word')}"
    return line if shared else line + f", {count(len({row['sector'] for row in rows}), 'sector')}"


def access_figure(step):
    rows = trace_of(step)
    title = f"{step}: what block 0 and its warp 0 read and write, n = {N}"
    body, left, top = [], 12, 62
    side = N * CELL
    body.append(text(left, 20, f"{step}, n = {N}: block 0", 'font-weight="bold"'))
    x = left + 250
    for colour, words_ in ((REQUEST, "one request of warp 0, its first"), (WARP, "all of warp 0"), (BLOCK, "all of block 0")):
        body += [f'<rect x="{x}" y="9" width="12" height="12" fill="{colour}"/>', text(x + 17, 20, words_)]
        x += 40 + 7 * len(words_)
    loaded = 0
    for number, (memory, kind) in enumerate((("device_a", "load"), ("device_b", "load"), ("device_c", "store"))):
        own = [row for row in rows if row["memory"] == memory and row["kind"] == kind]
        first = first_request(own)
        x = left + number * (side + 40)
        body += panel(x, top, N, N, ((words(own), BLOCK), (words(row for row in own if row["warp"] == 0), WARP), (words(first), REQUEST)),
                      f"{memory[-1].upper()}, {'read' if kind == 'load' else 'written'}")
        body.append(text(x, top + side + 18, f"the request: {asked(first)}"))
        body.append(text(x, top + side + 36, f"the block: {count(len(own), 'word')}, {len(words(own))} different"))
        if kind == "load":
            loaded += len(own)
        else:
            made = len(own)
    y = top + side + 62
    body.append(text(left, y, f"Read from global memory for each element of C: {loaded / made:g} words.", 'font-weight="bold"'))
    shared = [row for row in rows if row["memory"] == "shared"]
    if shared:
        y += 40
        base = min(row["offset"] for row in shared)
        for row in shared:
            row["offset"] -= base
        high = max(words(shared)) // BANKS + 1
        for number, kind in enumerate(("store", "load")):
            own = [row for row in shared if row["kind"] == kind]
            first = first_request(own)
            x = left + number * (BANKS * CELL + 220)
            body += panel(x, y, BANKS, high, ((words(own), BLOCK), (words(row for row in own if row["warp"] == 0), WARP), (words(first), REQUEST)),
                          f"shared memory, {BANKS} banks wide, {'read' if kind == 'load' else 'written'}")
            body.append(text(x, y + high * CELL + 18, f"the requests: {asked(first, True)}"))
        y += high * CELL + 18
    return svg(left * 2 + 3 * side + 90, y + 14, title, body)


# ---- speeds ----

def speed_figure():
    article, measured, benchmark = results.article(), results.measured(), results.benchmark()
    flop = 2e-9 * results.SIZE ** 3
    points = collections.defaultdict(dict)
    for step in results.steps():
        by = measured.get(step, {})
        gpu = by.get("gpu") or benchmark.get(step)
        if step in article:
            points["GeForce 8800GT, 2008, copies included"][step] = flop / article[step]
        if "cpu" in by:
            points["CPU, two cores, copies included"][step] = float(by["cpu"]["total_gflops"])
        if gpu:
            points["H200, kernel"][step] = results.gflops(gpu)
    steps = [step for step in results.steps() if any(step in series for series in points.values())]
    low, high = -1, 5
    left, top, wide, row = 150, 70, 620, 26
    at = lambda value: left + wide * (math.log10(value) - low) / (high - low)
    body = [text(12, 20, f"Speed of each step at n = {results.SIZE}: GFLOPS, each line ten times the one before", 'font-weight="bold"')]
    bottom = top + row * len(steps)
    for power in range(low, high + 1):
        x = at(10 ** power)
        body += [f'<line x1="{x:.1f}" y1="{top - 6}" x2="{x:.1f}" y2="{bottom}" stroke="{INK}" stroke-opacity="0.35"/>',
                 text(x, bottom + 18, f"{10 ** power:g}" if power < 4 else f"{10 ** power:,}", 'text-anchor="middle"')]
    marks = {"GeForce 8800GT, 2008, copies included": (BLOCK, lambda x, y: f'<rect x="{x - 5:.1f}" y="{y - 5}" width="10" height="10" fill="{BLOCK}"/>'),
             "CPU, two cores, copies included": (WARP, lambda x, y: f'<circle cx="{x:.1f}" cy="{y}" r="5.5" fill="{WARP}"/>'),
             "H200, kernel": (REQUEST, lambda x, y: f'<path d="M{x:.1f} {y - 7}l7 7l-7 7l-7 -7z" fill="{REQUEST}"/>')}
    x = 12
    for name, (_, mark) in marks.items():
        body += [mark(x + 6, 42), text(x + 20, 47, name)]
        x += 46 + 7 * len(name)
    for number, step in enumerate(steps):
        y = top + row * number + row // 2
        body.append(text(12, y + 4, step))
        for name, (_, mark) in marks.items():
            if step in points[name]:
                body.append(mark(at(points[name][step]), y))
    return svg(left + wide + 40, bottom + 32, "Speed of each step on three machines", body)


def main():
    check = "--check" in sys.argv
    figures = {f"access_{step}.svg": access_figure(step) for step in ACCESS}
    figures["speed.svg"] = speed_figure()
    stale = []
    for name, new in figures.items():
        path = os.path.join(FOLDER, name)
        old = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
        if new != old:
            stale.append(path)
            if not check:
                os.makedirs(FOLDER, exist_ok=True)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(new)
    for name in sorted(os.listdir(FOLDER)):
        if name not in figures:
            sys.exit(f"{FOLDER}/{name}: drawn by nothing")
    if stale and check:
        sys.exit(f"stale: {' '.join(stale)}: 'make figures' draws them anew")
    print(f"{len(figures)} figures are those of their data" if not stale else f"drawn: {' '.join(stale)}")


if __name__ == "__main__":
    main()
