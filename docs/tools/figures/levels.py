"""A roofline with a roof for each level: every step's speed over the operations for each byte that it
moves from memory, and from L2."""
import math

import results
from figures.drawing import BOLD, END, MIDDLE, REQUEST, WARP
from figures.drawing import circle, fill, legend, path, rule, stroke, svg, text
from figures.hardware import benchmark_ceilings
from figures.sm import L2_BYTES, rate

N = 4096
LEFT, TOP, WIDE, HIGH = 84, 62, 660, 400
LOW_X, HIGH_X, LOW_Y, HIGH_Y = -1, 4, 0, 3  # powers of ten of FLOP/B, of TFLOP/s


def x_at(intensity):
    return LEFT + WIDE * (math.log10(intensity) - LOW_X) / (HIGH_X - LOW_X)


def y_at(tflops):
    return TOP + HIGH * (HIGH_Y - math.log10(tflops)) / (HIGH_Y - LOW_Y)


def draw_roof(peak, bandwidth, words, colour):
    low = 10.0**LOW_Y / bandwidth
    body = [
        path(
            f"M{x_at(low):.1f} {y_at(low * bandwidth):.1f}L{x_at(peak / bandwidth):.1f} {y_at(peak):.1f}"
            f"H{LEFT + WIDE}",
            stroke(colour, 2),
        )
    ]
    if colour == WARP:
        return body + [text(x_at(20 / bandwidth) - 10, y_at(20), words, END)]
    return body + [text(x_at(2 / bandwidth) + 10, y_at(2) + 4, words)]


def apart(heights):
    """Heights of names, the least first, moved until each has room."""
    for _ in range(200):
        for i in range(1, len(heights)):
            missing = 14 - (heights[i] - heights[i - 1])
            if missing > 0:
                heights[i - 1] -= missing / 2
                heights[i] += missing / 2
    return heights


def together(points):
    """Groups of (y, x, step) that are too close for a name each."""
    groups = []
    for y, x, step in points:
        for group in groups:
            if y - group[0][0] < 14 and abs(x - group[0][1]) < 14:
                group.append((y, x, step))
                break
        else:
            groups.append([(y, x, step)])
    return groups


def ranges(steps):
    """20, 22-26"""
    parts = []
    for step in steps:
        if parts and step == parts[-1][1] + 1:
            parts[-1][1] = step
        else:
            parts.append([step, step])
    return ", ".join(f"{a:02d}" if a == b else f"{a:02d}{', ' if b == a + 1 else '-'}{b:02d}" for a, b in parts)


def intensity(megabytes):
    return 2 * N**3 / (1e6 * float(megabytes))


def draw_levels():
    points = []
    bottom = TOP + HIGH
    speeds = {step: float(row["tflops"]) for step, row in results.benchmark(N).items()}
    body = [text(12, 20, f"Roofline of an H200 with two roofs, n = {N}", BOLD)]
    body += legend(12, 44, ((WARP, "bytes from L2"), (REQUEST, "bytes from memory")))
    for power in range(LOW_X, HIGH_X + 1):
        x = x_at(10**power)
        body += [rule(x, TOP, x, bottom), text(x, bottom + 18, f"{10 ** power:g}", MIDDLE)]
    for power in range(LOW_Y, HIGH_Y + 1):
        y = y_at(10**power)
        body += [rule(LEFT, y, LEFT + WIDE, y), text(LEFT - 8, y + 4, f"{10 ** power:g}", END)]
    peak = benchmark_ceilings()["FMA"]
    l2, memory = rate("all SMs", L2_BYTES), rate("all SMs", 2**32)
    body += draw_roof(peak, l2, f"L2: {l2:.1f} TB/s", WARP)
    body += draw_roof(peak, memory, f"memory: {memory:.1f} TB/s", REQUEST)
    body.append(text(LEFT + WIDE - 4, y_at(peak) - 6, f"{peak:g} TFLOP/s of float FMA", END))
    for row in results.rows("docs/results/sm_counters.csv"):
        if row["step"] in speeds and row["step"] in results.steps():
            y, near = y_at(speeds[row["step"]]), x_at(intensity(row["l2_read_MB"]))
            far = x_at(intensity(row["memory_MB"]))
            body += [rule(near, y, far, y, 0.5), circle(near, y, 4, fill(WARP)), circle(far, y, 4, fill(REQUEST))]
            points.append((y, near, int(row["step"][:2])))
    groups = together(sorted(points))
    for group, height in zip(groups, apart([min(y for y, _, _ in group) for group in groups])):
        left = min(x for _, x, _ in group)
        body.append(text(left - 10, height + 4, ranges(sorted(step for _, _, step in group)), END))
    body += [
        text(LEFT + WIDE / 2, bottom + 40, "operations (2 n^3) for each byte that is moved", MIDDLE),
        f'<g transform="translate(14 {TOP + HIGH / 2:g}) rotate(-90)">'
        + text(0, 0, "speed, TFLOP/s", MIDDLE)
        + "</g>",
    ]
    return svg(LEFT + WIDE + 32, bottom + 54, "Roofline with a roof for L2 and one for memory", body)


def pictures():
    yield "roofline_levels.svg", draw_levels()
