#!/usr/bin/env python3
"""The book's pictures, drawn from data: who reads what, from a trace of the real kernels (their inspect programs), and the
speeds of the ladder, from docs/results; and a few of the book's words. Writes docs/figures/*.svg; with --check only says (exit status 1) which are stale.
Colours are legible on white and on black; the background is the page's."""
import collections
import csv
import math
import os
import re
import struct
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

SIDE, CELL, BANKS = 48, 5, 32  # a matrix on the device has SIDE rows and columns here
ACCESS = {"02_naive_cuda": SIDE, "04_row_shared": SIDE, "06_tiled": SIDE, "07_padded_noif": 40}  # with n


def trace_of(step, n, side=SIDE):
    """The requests of block 0 of the main kernel: rows of the trace, numbers as numbers. On one core, so that a step which asks how many
    multiprocessors there are chooses alike everywhere."""
    one_core = lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        run = subprocess.run([f"{step}/inspect", "-n", str(n)], env={**os.environ, "CUDACPU_INSPECT_TRACE": path}, capture_output=True, text=True,
                             preexec_fn=one_core)
        if run.returncode:
            sys.exit(f"{step}/inspect -n {n} ends with status {run.returncode}: {run.stderr}")
        with open(path, encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["kernel"].startswith("matmult")]
    for row in rows:
        for name in ("warp", "barriers", "line", "request", "lane", "offset", "pitch"):
            row[name] = int(row[name])
        row["address"] = row["offset"]
        if row["pitch"]:  # as if the rows had no padding
            row["offset"] = row["offset"] // row["pitch"] * 4 * side + row["offset"] % row["pitch"]
    return rows


def first_request(rows):
    """What warp 0 asks for with its first instruction among rows."""
    own = [row for row in rows if row["warp"] == 0]
    key = min((row["barriers"], row["request"]) for row in own)
    return [row for row in own if (row["barriers"], row["request"]) == key]


def words(rows, wide=1):
    """The words of the requests, wide words each."""
    return {row["offset"] // 4 + i for row in rows for i in range(wide)}


def panel(x, y, wide, high, layers, name, cell=CELL):
    """A field of wide x high words; layers: (words, colour), later ones above."""
    body = [text(x, y - 8, name), '<g shape-rendering="crispEdges">',
            f'<rect x="{x}" y="{y}" width="{wide * cell}" height="{high * cell}" fill="none" stroke="{INK}" stroke-opacity="0.6"/>']
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
                body.append(f'<rect x="{x + start * cell}" y="{y + row * cell}" width="{(end - start) * cell}" height="{cell}" fill="{colour}"/>')
            start = end
    return [*body, "</g>"]


def count(n, one):
    return f"{n} {one}" + ("" if n == 1 else "s")


def asked(rows, shared=False):
    """The first request in words."""
    lanes, distinct = len({row["lane"] for row in rows}), words(rows)
    line = f"{count(lanes, 'lane')}, {count(len(distinct), 'word')}"
    return line if shared else line + f", {count(len({row['address'] // 32 for row in rows}), 'sector')}"


def access_figure(step, n):
    rows = trace_of(step, n)
    title = f"{step}: what block 0 and its warp 0 read and write, n = {n}"
    body, left, top = [], 12, 62
    side = SIDE * CELL
    body.append(text(left, 20, f"{step}, n = {n}: block 0", 'font-weight="bold"'))
    x = left + 250
    for colour, words_ in ((REQUEST, "one request of warp 0, its first"), (WARP, "all of warp 0"), (BLOCK, "all of block 0")):
        body += [f'<rect x="{x}" y="9" width="12" height="12" fill="{colour}"/>', text(x + 17, 20, words_)]
        x += 40 + 7 * len(words_)
    loaded = 0
    for number, (memory, kind) in enumerate((("device_a", "load"), ("device_b", "load"), ("device_c", "store"))):
        own = [row for row in rows if row["memory"] == memory and row["kind"] == kind]
        first = first_request(own)
        x = left + number * (side + 40)
        body += panel(x, top, SIDE, SIDE, ((words(own), BLOCK), (words(row for row in own if row["warp"] == 0), WARP), (words(first), REQUEST)),
                      f"{memory[-1].upper()}, {'read' if kind == 'load' else 'written'}")
        if n < SIDE:  # the border of zeros
            body.append(f'<path d="M{x} {top + n * CELL}h{n * CELL}v{-n * CELL}" fill="none" stroke="{INK}" stroke-width="2" stroke-dasharray="5 3"/>')
        body.append(text(x, top + side + 18, f"the request: {asked(first)}"))
        body.append(text(x, top + side + 36, f"the block: {count(len(own), 'word')}, {len(words(own))} different"))
        if kind == "load":
            loaded += len(own)
        else:
            made = len(own)
    y = top + side + 62
    if n < SIDE:
        body.append(text(left, y, f"dashed: the {n} x {n} matrix; outside of it, zeros"))
        y += 20
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


def legend(x, y, entries):
    body = []
    for colour, words_ in entries:
        body += [f'<rect x="{x}" y="{y - 11}" width="12" height="12" fill="{colour}"/>', text(x + 17, y, words_)]
        x += 40 + 7 * len(words_)
    return body


def register_figure():
    """Step 08: what block 0 reads and writes, four words a request, and within its tile what warp 0 and its thread 0 have."""
    step, n, depth, tile, cell = "08_register_tiled", 256, 16, 128, 3
    rows = trace_of(step, n, n)
    of = lambda memory, kind: [row for row in rows if row["memory"] == memory and row["kind"] == kind]
    body, left, top = [text(12, 20, f"{step}, n = {n}: block 0", 'font-weight="bold"')], 12, 56
    body += legend(250, 20, ((REQUEST, "thread 0"), (WARP, "warp 0"), (BLOCK, "all of block 0")))
    for number, (memory, kind) in enumerate((("device_a", "load"), ("device_b", "load"), ("device_c", "store"))):
        own = of(memory, kind)
        by = lambda keep: words((row for row in own if keep(row)), 4)
        body += panel(left + number * (n + 24), top, n, n, ((by(lambda row: True), BLOCK), (by(lambda row: row["warp"] == 0), WARP),
                      (by(lambda row: row["warp"] == row["lane"] == 0), REQUEST)), f"{memory[-1].upper()}, {'read' if kind == 'load' else 'written'}", 1)
        body.append(text(left + number * (n + 24), top + n + 18, f"the block: {4 * len(own)} words, {len(by(lambda row: True))} different"))
    made, loaded = len(of("device_c", "store")), len(of("device_a", "load")) + len(of("device_b", "load"))
    body.append(text(left, top + n + 42, f"Read from global memory for each element of C: {loaded / made:g} words.", 'font-weight="bold"'))

    # the tiles as the first products read them: tile_a beside C, tile_b above
    y, x = top + n + 86, left + 120
    first = min(row["barriers"] for row in of("shared", "load"))
    reads = [row for row in of("shared", "load") if row["barriers"] == first]
    line_a, line_b = sorted({row["line"] for row in reads})
    pitch_a = tile + 4
    base_b = 4 * depth * pitch_a
    body.append(text(left, y - 14, "Its tile of C, with the tiles of A and B in shared memory. Warp, thread: at the first k, and what they write", 'font-weight="bold"'))
    layers = {}
    for line, place in ((line_a, lambda word: word % pitch_a * depth + word // pitch_a), (line_b, lambda word: word - base_b // 4)):
        own = [row for row in reads if row["line"] == line]
        first_k = [row for row in own if row["warp"] == 0 and row["request"] < 2]  # two loads of four words
        layers[line] = [({place(word) for word in words(some, 4)}, colour) for some, colour in
                        ((own, BLOCK), (first_k, WARP), ([row for row in first_k if row["lane"] == 0], REQUEST))]
    body += panel(x, y + 12, tile, depth, layers[line_b], "tile of B", cell)
    x_a, y_c = x - 24 - depth * cell, y + 12 + depth * cell + 24
    body += panel(x_a, y_c, depth, tile, layers[line_a], "tile of A", cell)
    stores = [row for row in of("device_c", "store")]
    block = lambda some: {word // n * tile + word % n for word in words(some, 4)}
    body += panel(x, y_c, tile, tile, ((block(stores), BLOCK), (block(row for row in stores if row["warp"] == 0), WARP),
                  (block(row for row in stores if row["warp"] == row["lane"] == 0), REQUEST)), "tile of C", cell)
    own = 4 * len([row for row in stores if row["warp"] == row["lane"] == 0])
    read = 4 * len([row for row in reads if row["warp"] == row["lane"] == 0 and row["request"] < 2])
    for number, line in enumerate((f"Thread 0 has {own} elements of C.", f"For each k it reads {read} words of shared", "memory and makes as many products",
                                   f"as it has elements: {read / own:g} words for each.", "In step 07: 2 words for each.")):
        body.append(text(x + tile * cell + 24, y_c + 16 + 20 * number, line))
    return svg(left * 2 + 3 * n + 60, y_c + tile * cell + 16, f"{step}: what block 0, its warp 0 and its thread 0 read and write, n = {n}", body)


# ---- what is under way when ----

def pipeline_figure():
    """08 and 09: what is loaded, written and multiplied between two barriers, from their traces."""
    n, cell, left, high = 128, 26, 190, 20
    tiles_08, stage = 4 * 16 * (132 + 128), 4 * 16 * (128 + 128)  # bytes
    body = [text(12, 20, f"What block 0 does between two barriers, n = {n}", 'font-weight="bold"'),
            text(12, 40, "columns: from one barrier to the next (not a measure of time); numbers: which pair of tiles")]
    body += legend(12, 62, ((REQUEST, "loaded, or written to shared memory"), (WARP, "multiplied")))
    y = 84
    at = lambda rows, memory, kind, low=0, high_=1 << 30: {row["barriers"] for row in rows if row["memory"] == memory and row["kind"] == kind and low <= row["offset"] < high_}
    rows_08, rows_09 = trace_of("08_register_tiled", n, n), trace_of("09_pipelined", n, n)
    table = (("08_register_tiled", ((("global memory to registers", at(rows_08, "device_a", "load"), REQUEST), ("registers to the tiles", at(rows_08, "shared", "store", 0, tiles_08), REQUEST),
                                     ("the tiles are multiplied", at(rows_08, "shared", "load", 0, tiles_08), WARP)))),
             ("09_pipelined", [entry for s in range(2) for entry in
                               ((f"copied to stage {s}", at(rows_09, "shared", "store", s * stage, s * stage + stage), REQUEST),
                                (f"stage {s} is multiplied", at(rows_09, "shared", "load", s * stage, s * stage + stage), WARP))]))
    for step, entries in table:
        body.append(text(12, y + 12, step, 'font-weight="bold"'))
        y += 24
        columns = max(max(intervals) for _, intervals, _ in entries) + 1
        pairs = {colour: sorted({i for _, intervals, c in entries if c == colour for i in intervals}) for colour in (REQUEST, WARP)}
        for number, (name, intervals, colour) in enumerate(entries):
            body.append(text(12, y + high * number + 14, name))
            order = sorted(intervals) if step.startswith("08") else pairs[colour]
            for i in sorted(intervals):
                body += [f'<rect x="{left + i * cell + 1}" y="{y + high * number + 1}" width="{cell - 2}" height="{high - 3}" fill="{colour}"/>',
                         text(left + i * cell + cell / 2, y + high * number + 14, order.index(i), 'fill="white" text-anchor="middle" font-size="12"')]
        for i in range(columns + 1):
            x = left + i * cell
            body.append(f'<line x1="{x}" y1="{y - 3}" x2="{x}" y2="{y + high * len(entries) + 2}" stroke="{INK}" stroke-opacity="0.6"/>')
        y += high * len(entries) + 22
    return svg(left + 17 * cell + 24, y, "What is under way between two barriers in steps 08 and 09", body)


# ---- digits ----

def digits_of(value, largest):
    """(X, its three digits, scale) as split_kernel of step 10 has them for an element of a line."""
    fraction, exponent = math.frexp(largest)
    scale = math.ldexp(math.floor(127 / fraction), 16 - exponent)
    whole = round(value * scale)
    low = (whole + 128) % 256 - 128
    middle = ((whole - low) // 256 + 128) % 256 - 128
    return whole, ((whole - low) // 256 - middle) // 256, middle, low, scale


def digits_figure():
    """One product of two floats in digits: the six that are made, the three that are not."""
    x, y, largest_x, largest_y = single(0.7314159), single(0.2718281), single(0.9987), single(0.9913)
    whole_x, *x_digits, scale_x = digits_of(x, largest_x)
    whole_y, *y_digits, scale_y = digits_of(y, largest_y)
    for whole, digits in ((whole_x, x_digits), (whole_y, y_digits)):
        assert whole == 65536 * digits[0] + 256 * digits[1] + digits[2] and all(-128 <= d <= 127 for d in digits)
    colours, cell, left, top = (WARP, REQUEST, BLOCK), 110, 96, 118
    body = [text(12, 20, "A product of two floats from six products of 8-bit digits", 'font-weight="bold"'),
            text(12, 42, f"x = {x:.9g}, times {scale_x:.9g} and rounded: X = {whole_x} = 65536 x {x_digits[0]} + 256 x ({x_digits[1]}) + ({x_digits[2]})"),
            text(12, 62, f"y = {y:.9g}, times {scale_y:.9g} and rounded: Y = {whole_y} = 65536 x {y_digits[0]} + 256 x ({y_digits[1]}) + ({y_digits[2]})")]
    levels = [0, 0, 0]
    for p in range(3):
        body += [text(left + p * cell + cell / 2, top - 10, f"y{p} = {y_digits[p]}", 'text-anchor="middle"'), text(12, top + p * 50 + 30, f"x{p} = {x_digits[p]}")]
        for q in range(3):
            made = p + q < 3
            if made:
                levels[p + q] += x_digits[p] * y_digits[q]
            body.append(f'<rect x="{left + q * cell + 2}" y="{top + p * 50 + 2}" width="{cell - 4}" height="46" rx="4" '
                        + (f'fill="{colours[p + q]}"/>' if made else f'fill="none" stroke="{INK}" stroke-dasharray="4 3"/>'))
            body.append(text(left + q * cell + cell / 2, top + p * 50 + 30, x_digits[p] * y_digits[q], 'text-anchor="middle"' + (' fill="white"' if made else "")))
    x_text = left + 3 * cell + 24
    for level in range(3):
        body += [f'<rect x="{x_text}" y="{top + 22 * level}" width="12" height="12" fill="{colours[level]}"/>', text(x_text + 18, top + 22 * level + 11, f"level {level}: {levels[level]}")]
    total = 65536 * levels[0] + 256 * levels[1] + levels[2]
    result, exact = 65536 * total / scale_x / scale_y, x * y
    body += [text(x_text, top + 82, "dashed: left out"), text(12, top + 176, f"65536 x level 0 + 256 x level 1 + level 2 = {total};  X Y / 65536 = {whole_x * whole_y / 65536:.1f}"),
             text(12, top + 198, f"Back in the scale of x y: {result:.10g}. In double: {exact:.10g}. Relative difference {abs(result / exact - 1):.1e}.")]
    return svg(700, top + 214, "The digits of two floats and the six products that are made of them", body)


# ---- roles ----

def roles_figure():
    """A cluster of step 11; numbers from its source."""
    with open("11_hopper/matmult.cu", encoding="utf-8") as file:
        value = {name: int(number) for name, number in re.findall(r"^ +(\w+) = (\d+),", file.read(), re.M)}
    stages, tile, plane = value["STAGES"], value["TILE"], value["TILE"] * value["BK"]
    rows, slab_b = tile // 2, value["SLICES"] * plane
    kilobytes = lambda bytes_: f"{bytes_ // 1024} KB"
    body = [text(12, 20, "11_hopper: a cluster of two blocks; each role runs by itself", 'font-weight="bold"')]
    body += legend(12, 42, ((REQUEST, "copies"), (WARP, "multiplies"), (BLOCK, "memory")))
    wide, gap = 400, 24
    for block in range(2):
        x, half = 12 + block * (wide + gap), ("upper", "lower")[block]
        body += [f'<rect x="{x}" y="58" width="{wide}" height="318" rx="6" fill="none" stroke="{INK}" stroke-dasharray="5 3"/>',
                 text(x + 12, 78, f"block {block}: the {half} of two tiles of {tile} x {tile}")]
        for group in range(2):
            body += box(x + 12 + 192 * group, 90, 184, 64, f"warp group {group}, 128 threads|{rows} x {tile} elements of C,|their sums in registers", WARP)
            body.append(arrow(x + 104 + 192 * group, 216, x + 104 + 192 * group, 158))
        body += [text(x + 200, 180, "wgmma reads a stage", 'text-anchor="middle"'), text(x + 200, 198, "when full has opened", 'text-anchor="middle"')]
        for s in range(stages):
            body += box(x + 12 + 95 * s, 220, 90, 62, f"stage {s}|A {kilobytes(slab_b)}|B {kilobytes(slab_b)}", BLOCK)
        body += box(x + 12, 324, 376, 42, f"warp group 2: one thread starts the copies|when empty has opened", REQUEST)
        body.append(arrow(x + 104, 320, x + 104, 286))
        body.append(text(x + 116, 308, "full and empty: two barriers a stage"))
        body.append(arrow(x + 60, 424, x + 60, 380))
        body.append(text(x + 72, 406, f"A of its own rows; half {block} of B, to both"))
    body.append(arrow(12 + wide + 2, 346, 12 + wide + gap - 2, 346))
    body.append(arrow(12 + wide + gap - 2, 358, 12 + wide + 2, 358))
    body += box(12, 428, 2 * wide + gap, 40, "L2 cache and device memory: the digits of A and B, in the order in which shared memory wants them", BLOCK)
    return svg(24 + 2 * wide + gap, 480, "The roles in a cluster of step 11", body)


# ---- where rows begin ----

def aligned_figure():
    """What warp 0 asks for of the first rows of B, against the borders of sectors and lines, in 04 and in 05."""
    n, rows_shown, byte, left, top, height = 40, 8, 1.5, 12, 92, 16
    body = [text(left, 20, f"Warp 0 reads 32 neighbours of B, row after row; n = {n}, rows of {4 * n} bytes", 'font-weight="bold"'),
            text(left, 40, "thin: sectors of 32 bytes; thick: lines of 128 bytes, from the line in which the request begins")]
    for number, step in enumerate(("04_row_shared", "05_pitched")):
        own = [row for row in trace_of(step, n) if row["warp"] == 0 and row["memory"] == "device_b" and row["kind"] == "load"]
        requests = collections.defaultdict(list)
        for row in own:
            if row["lane"] < 32 and row["request"] < n:
                requests[row["request"]].append(row["address"])
        x0, lines = left + number * 430, 0
        pitch = own[0]["pitch"]
        body.append(text(x0, top - 14, f"{step}: a row begins every {pitch or 4 * n} bytes"))
        for k in range(rows_shown):
            low, high = min(requests[k]), max(requests[k]) + 4
            start = low // 128 * 128
            lines += (high - 1) // 128 - low // 128 + 1
            body.append(f'<rect x="{x0 + (low - start) * byte:g}" y="{top + k * height + 3}" width="{(high - low) * byte:g}" height="{height - 6}" fill="{REQUEST}"/>')
        for sector in range(9):
            x, thick = x0 + 32 * sector * byte, sector % 4 == 0
            body.append(f'<line x1="{x:g}" y1="{top - 4}" x2="{x:g}" y2="{top + rows_shown * height + 4}" stroke="{INK}" '
                        f'stroke-width="{2 if thick else 1}" stroke-opacity="{0.9 if thick else 0.45}"/>')
        body.append(text(x0, top + rows_shown * height + 24, f"{lines / rows_shown:.2f} lines for each request"))
    return svg(left * 2 + 430 + 400, top + rows_shown * height + 40, "Requests of a warp against sectors and lines, without and with a pitch", body)


# ---- what an addition loses ----

def single(value):
    """Rounded to float."""
    return struct.unpack("f", struct.pack("f", value))[0]


def bits_figure():
    """One step of Kahan's sum in real floats, bit under bit."""
    total, term = single(250.123), single(0.2918273)
    after = single(total + term)
    lost = single(single(after - total) - term)
    high, low, cell, left, top = 7, -25, 18, 160, 66
    kept = 2.0 ** -16  # the last bit of total, and of after
    body = [text(12, 20, "One addition of Kahan's sum: each column is a bit", 'font-weight="bold"'),
            text(12, 40, "orange: bits of the term that the sum has no room for")]
    for weight in (high, 0, -8, -16, -24):
        body.append(text(left + (high - weight) * cell + cell / 2, top - 8, f"2<tspan dy=\"-4\" font-size=\"9\">{weight}</tspan>", 'text-anchor="middle"'))
    for number, (name, value) in enumerate((("sum", total), ("term", term), ("next", after), ("compensation", lost))):
        y = top + 26 * number
        body.append(text(12, y + 14, name + (" (negative)" if value < 0 else "")))
        bits = int(abs(value) * 2 ** -low)
        assert bits == abs(value) * 2 ** -low, "a bit that has no column"
        last = max(2.0 ** (math.frexp(value)[1] - 24), 2.0 ** low)
        for weight in range(high, low - 1, -1):
            if not last <= 2.0 ** weight <= abs(value):
                continue
            x, beyond = left + (high - weight) * cell, 2.0 ** weight < kept
            body += [f'<rect x="{x}" y="{y}" width="{cell - 2}" height="19" fill="none" stroke="{REQUEST if beyond else BLOCK}" stroke-width="{2 if beyond else 1}"/>',
                     text(x + cell / 2 - 1, y + 14, bits >> (weight - low) & 1, 'text-anchor="middle" font-family="monospace"')]
    y = top + 26 * 4 + 18
    body.append(text(12, y, f"sum {total:.9g}, term {term:.9g}, next {after:.9g}; not rounded it would be {total + term:.12g}. compensation {lost:.6g}."))
    return svg(left + (high - low + 1) * cell + 12, y + 14, "What an addition loses, and where it goes", body)


# ---- words of the first chapters ----

def product_figure():
    """A row of A and a column of B make an element of C."""
    n, i, j, left, top, body = 12, 3, 8, 12, 34, []
    step = (n + 6) * 3 * CELL
    for number, (name, cells) in enumerate((("A: row i", {i * n + k for k in range(n)}), ("B: column j", {k * n + j for k in range(n)}),
                                            ("C: element (i, j)", {i * n + j}))):
        body += [f'<g transform="translate({left + number * step} {top}) scale(3)">', *panel(0, 0, n, n, ((cells, REQUEST),), "")[1:], "</g>",
                 text(left + number * step, top - 10, name)]
    for number, sign in enumerate("x="):
        body.append(text(left + number * step + (n + 3) * 3 * CELL, top + n * 3 * CELL / 2 + 8, sign, 'font-size="24" text-anchor="middle"'))
    return svg(left * 2 + 2 * step + n * 3 * CELL, top + n * 3 * CELL + 12, "A row of A and a column of B make one element of C", body)


def grid_figure():
    """A grid of blocks, one block's threads, one warp."""
    body, cell = [], 13
    body += [text(12, 20, "the grid: 4 x 3 blocks"), text(330, 20, "a block: 16 x 16 threads"), text(604, 66, "warp 0: threads 0 to 31"),
             text(604, 86, "of the block, here its"), text(604, 106, "first two rows")]
    for y in range(3):
        for x in range(4):
            chosen = (x, y) == (2, 1)
            body += [f'<rect x="{12 + 70 * x}" y="{34 + 70 * y}" width="62" height="62" fill="{WARP if chosen else BLOCK}" fill-opacity="{0.9 if chosen else 0.25}"/>',
                     text(43 + 70 * x, 69 + 70 * y, f"({x},{y})", 'text-anchor="middle"' + (' fill="white"' if chosen else ""))]
    body += [f'<path d="M{12 + 140 + 62} 104L330 34M{12 + 140 + 62} 166L330 {34 + 16 * cell}" stroke="{INK}" fill="none" stroke-dasharray="4 3"/>']
    for y in range(16):
        for x in range(16):
            body.append(f'<rect x="{330 + cell * x}" y="{34 + cell * y}" width="{cell - 2}" height="{cell - 2}" fill="{REQUEST if y < 2 else WARP}"/>')
    body += [f'<path d="M{330 + 16 * cell + 4} 36v{2 * cell - 6}m0 {-cell + 3}L596 62" stroke="{INK}" fill="none"/>']
    return svg(770, 34 + 16 * cell + 12, "A grid of blocks, a block of threads, a warp", body)


def box(x, y, width, height, words, colour):
    lines = words.split("|")
    body = [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="4" fill="none" stroke="{colour}" stroke-width="2"/>']
    for number, line in enumerate(lines):
        body.append(text(x + width / 2, y + height / 2 + 5 + 17 * (number - (len(lines) - 1) / 2), line, 'text-anchor="middle"'))
    return body


def arrow(x1, y1, x2, y2):
    """To both ends a little short of the boxes."""
    length = math.hypot(x2 - x1, y2 - y1)
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    return (f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}M{x2 - 8 * ux - 4 * uy:.1f} {y2 - 8 * uy + 4 * ux:.1f}L{x2:g} {y2:g}'
            f'L{x2 - 8 * ux + 4 * uy:.1f} {y2 - 8 * uy - 4 * ux:.1f}" stroke="{INK}" stroke-width="1.5" fill="none"/>')


def machine_figure():
    body = [text(12, 20, "host", 'font-weight="bold"'), text(462, 20, "device", 'font-weight="bold"')]
    body += box(12, 34, 200, 60, "CPU|runs main, matmultCUDA", BLOCK) + box(12, 150, 200, 60, "host memory|a, b, c", WARP)
    body += box(462, 34, 230, 60, "GPU|runs the kernel", BLOCK) + box(462, 150, 230, 60, "device memory|device_a, device_b, device_c", REQUEST)
    body += [arrow(216, 64, 458, 64), text(337, 56, "launch", 'text-anchor="middle"'), arrow(216, 168, 458, 168), arrow(458, 194, 216, 194),
             text(337, 160, "cudaMemcpy: a, b", 'text-anchor="middle"'), text(337, 214, "cudaMemcpy: c", 'text-anchor="middle"'),
             arrow(112, 98, 112, 146), arrow(577, 98, 577, 146)]
    return svg(704, 226, "Host and device: each works in its own memory, copies join them", body)


def memory_figure():
    body = []
    for block in range(2):
        x = 12 + 350 * block
        body += [f'<rect x="{x}" y="12" width="330" height="196" rx="6" fill="none" stroke="{INK}" stroke-dasharray="5 3"/>', text(x + 12, 32, f"block {block}")]
        for thread in range(3):
            body += box(x + 12 + 104 * thread, 42, 98, 56, f"thread {thread}|registers", BLOCK) + [arrow(x + 61 + 104 * thread, 102, x + 61 + 104 * thread, 136)]
        body += box(x + 12, 140, 306, 56, "shared memory: this block's threads,|while it runs", WARP) + [arrow(x + 165, 212, x + 165, 244)]
    body += box(12, 248, 680, 44, "L2 cache", BLOCK) + [arrow(352, 296, 352, 322)]
    body += box(12, 326, 680, 56, "global memory: every thread of every block,|from cudaMalloc to cudaFree; the largest, and the slowest", REQUEST)
    return svg(704, 394, "The memories of a GPU, from a thread's registers down", body)


# ---- speeds ----

def speed_figure():
    article, measured, benchmark = results.article(), results.measured(), results.benchmark(results.SIZE)
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


def roofline_figure():
    """What steps 02 to 07 reach, over the operations for each byte that their threads ask for."""
    left, top, wide, high = 70, 62, 600, 360
    x_at = lambda value: left + wide * (math.log10(value) + 1) / 3  # 0.1 to 100 operations a byte
    y_at = lambda value: top + high * (5 - math.log10(value)) / 5  # 1 to 100,000 GFLOPS
    body = [text(12, 20, f"Roofline: GFLOPS over operations for each byte that the threads load, n = {results.SIZE}", 'font-weight="bold"'),
            text(12, 40, "lines: min(peak, operations a byte x bandwidth); points: steps 02 to 07")]
    for power in range(-1, 3):
        body += [f'<line x1="{x_at(10 ** power):g}" y1="{top}" x2="{x_at(10 ** power):g}" y2="{top + high}" stroke="{INK}" stroke-opacity="0.3"/>',
                 text(x_at(10 ** power), top + high + 18, f"{10 ** power:g}", 'text-anchor="middle"')]
    for power in range(6):
        body += [f'<line x1="{left}" y1="{y_at(10 ** power):g}" x2="{left + wide}" y2="{y_at(10 ** power):g}" stroke="{INK}" stroke-opacity="0.3"/>',
                 text(left - 8, y_at(10 ** power) + 4, f"{10 ** power:,}", 'text-anchor="end"')]
    measured, flop = results.measured(), 2e-9 * results.SIZE ** 3
    for card, colour in (("H200", REQUEST), ("8800GT", WARP)):
        peak, bandwidth = results.ceilings()[card]
        body += [f'<path d="M{x_at(0.1):g} {y_at(0.1 * bandwidth):.1f}L{x_at(peak / bandwidth):.1f} {y_at(peak):.1f}H{x_at(100):g}" stroke="{colour}" stroke-width="2" fill="none"/>',
                 text(x_at(100) - 4, y_at(peak) + 18, f"{card}: {peak:,.0f} GFLOPS, {bandwidth:,.0f} GB/s", 'text-anchor="end"')]
        for number, (step, (loaded, total, kernel)) in enumerate(results.article_table().items()):
            speed = flop / (kernel or total) if card == "8800GT" else results.gflops(measured[step]["gpu"])
            x, y = x_at(1e9 * flop / loaded), y_at(speed)
            right = number % 2 == 1  # two steps at each place: names to both sides
            body += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{colour}"/>',
                     text(x + (8 if right else -8), y + 4, step[:2], "" if right else 'text-anchor="end"')]
    return svg(left + wide + 20, top + high + 32, "Roofline of the 8800GT and of an H200, with steps 02 to 07", body)


def main():
    check = "--check" in sys.argv
    figures = {f"access_{step}.svg": access_figure(step, n) for step, n in ACCESS.items()}
    figures["access_05_pitched.svg"] = aligned_figure()
    figures["access_08_register_tiled.svg"] = register_figure()
    figures["pipeline_09.svg"], figures["digits_10.svg"], figures["roles_11.svg"] = pipeline_figure(), digits_figure(), roles_figure()
    figures["kahan_bits.svg"] = bits_figure()
    figures["grid.svg"], figures["machine.svg"], figures["memory.svg"] = grid_figure(), machine_figure(), memory_figure()
    figures["product.svg"] = product_figure()
    figures["roofline.svg"] = roofline_figure()
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
