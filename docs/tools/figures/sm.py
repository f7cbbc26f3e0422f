"""An SM of an H200 and the memories around it; how much must be under way to keep them busy."""
import math

import results
from figures.drawing import BLOCK, BOLD, DASHED, END, INK, MIDDLE, REQUEST, WARP
from figures.drawing import arrow, box, circle, dashed_frame, fill, legend, path, rule, stroke, svg, text
from figures.hardware import H200

DATA = "docs/results/sm.csv"
COLOURS = (BLOCK, WARP, REQUEST, INK)
L2_BYTES, MEMORY_BYTES = 2**24, 2**30  # of the rows that stand for L2 and memory


def rows(table):
    return results.rows(DATA, table)


def latency(place, size=None):
    """(cycles, ns) of one dependent access."""
    (row,) = [
        row
        for row in rows("latency")
        if row["place"] == place and (size is None or int(row["bytes"]) == size)
    ]
    return float(row["cycles"]), float(row["ns"])


def rate(place, size=None):
    """TB/s of all SMs."""
    (row,) = [
        row
        for row in rows("rates")
        if row["place"] == place and (size is None or int(row["bytes"]) == size)
    ]
    return float(row["tbps"])


def draw_sm():
    left, quarter = 24, 140
    body = [text(12, 20, "One of the SMs of an H200, and what all of them share", BOLD)]
    body.append(dashed_frame(12, 34, 4 * (quarter + 8) + 16, 268))
    body.append(text(left, 54, "SM"))
    lines = f"{H200['registers'] // 4:,}|registers"
    for number in range(4):
        x = left + number * (quarter + 8)
        body += [
            *box(x, 64, quarter, 44, "scheduler: one|instruction a cycle", REQUEST),
            *box(x, 114, quarter, 44, lines, WARP),
            *box(x, 164, quarter, 44, "32 lanes for floats|a tensor core", BLOCK),
        ]
    across = 4 * (quarter + 8) - 8
    shared, near = latency("shared"), latency("global", 2**16)
    far, memory = latency("global", L2_BYTES), latency("global", MEMORY_BYTES)
    body += box(left, 228, across, 60, "256 KB: shared memory (228 KB at most) and L1|"
                f"latency {shared[0]:.0f} and {near[0]:.0f} cycles; all SMs {rate('shared'):.0f} TB/s", WARP)
    body += [arrow(left + across / 2, 306, left + across / 2, 326)]
    body += box(left, 330, across, 52, f"L2 cache of all {H200['SMs']} SMs: {H200['L2 MB']} MB|"
                f"latency {far[0]:.0f} cycles; {rate('all SMs', L2_BYTES):.1f} TB/s", BLOCK)
    body += [arrow(left + across / 2, 386, left + across / 2, 406)]
    body += box(left, 410, across, 52, f"device memory: {H200['memory GB']} GB|"
                f"latency {memory[0]:.0f} cycles, {memory[1]:.0f} ns; "
                f"{rate('all SMs', 2**32):.1f} TB/s read", REQUEST)
    body.append(text(left, 484, "Latencies and rates measured: sm.csv."))
    return svg(left + across + 24, 496, "An SM and the memories below it", body)


def draw_axes(x, y, wide, high, xs, ys, names):
    """xs, ys: [(place from 0 to 1, words)]; names of the two axes."""
    body = []
    for at, words in xs:
        body += [rule(x + wide * at, y, x + wide * at, y + high), text(x + wide * at, y + high + 18, words, MIDDLE)]
    for at, words in ys:
        body += [rule(x, y + high * (1 - at), x + wide, y + high * (1 - at)), text(x - 8, y + high * (1 - at) + 4, words, END)]
    return body + [
        text(x + wide / 2, y + high + 38, names[0], MIDDLE),
        f'<g transform="translate({x - 48:g} {y + high / 2:g}) rotate(-90)">{text(0, 0, names[1], MIDDLE)}</g>',
    ]


def curve(points, colour):
    steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return [path("M" + steps, stroke(colour, 2)), *(circle(x, y, 3.5, fill(colour)) for x, y in points)]


def draw_little():
    wide, high, top, first, second = 300, 240, 84, 70, 470
    body = [text(12, 20, "Little's law, measured on an H200: what must be under way", BOLD)]
    table = rows("little_fma")
    chains = sorted({int(row["chains"]) for row in table})
    body += legend(12, 44, [(colour, f"{n} chain{'s' * (n > 1)} a thread") for colour, n in zip(COLOURS, chains)])
    body += draw_axes(
        first, top, wide, high, [(n / 8, str(n)) for n in range(0, 9, 2)],
        [(n / 70, str(n)) for n in range(0, 71, 10)], ("warps for each scheduler", "FMAs, TFLOP/s"))
    for colour, n in zip(COLOURS, chains):
        own = [row for row in table if int(row["chains"]) == n]
        body += curve([(first + wide * int(row["warps_per_scheduler"]) / 8,
                        top + high * (1 - float(row["tflops"]) / 70)) for row in own], colour)
    table = rows("little_memory")
    place = lambda size: (math.log2(size) - 9) / 9
    body += draw_axes(
        second, top, wide, high, [(place(2**p), f"{2 ** p / 1024:g}") for p in range(9, 19)],
        [(n / 5, f"{n}") for n in range(6)], ("KB asked for and under way, an SM", "memory, TB/s"))
    for colour, n in zip((WARP, REQUEST), sorted({int(row["loads"]) for row in table})):
        own = [row for row in table if int(row["loads"]) == n]
        body += curve([(second + wide * place(int(row["bytes_in_flight"])),
                        top + high * (1 - float(row["gbps"]) / 5000)) for row in own], colour)
    body += legend(second, 70, ((WARP, "1 load a thread"), (REQUEST, "4 loads")))
    return svg(second + wide + 24, top + high + 52, "Throughput by what is in flight", body)


def draw_block_size():
    wide, high, left, top = 420, 220, 84, 66
    table = [row for row in rows("launches") if row["mapping"] == "as it is"]
    body = [text(12, 20, "Step 02 on an H200 with other blocks: time, as a part of the best", BOLD)]
    body += legend(12, 44, ((WARP, "n = 1000"), (REQUEST, "n = 8192")))
    body += draw_axes(
        left, top, wide, high, [((math.log2(n) - 5) / 5, str(n)) for n in (32, 64, 128, 256, 512, 1024)],
        [(n / 2, f"{n:g}") for n in (0, 0.5, 1, 1.5, 2)], ("threads of a block", "time / least time"))
    for n, colour in ((1000, WARP), (8192, REQUEST)):
        own = sorted((int(row["threads"]), float(row["kernel_ms"])) for row in table if int(row["n"]) == n)
        least = min(ms for _, ms in own)
        body += curve([(left + wide * (math.log2(threads) - 5) / 5, top + high * (1 - ms / least / 2))
                       for threads, ms in own], colour)
    return svg(left + wide + 24, top + high + 52, "Time of step 02 over the size of a block", body)


def pictures():
    yield "block_size.svg", draw_block_size()
    yield "sm.svg", draw_sm()
    yield "little.svg", draw_little()
