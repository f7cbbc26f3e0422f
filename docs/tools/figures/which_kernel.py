"""Which kernel for which n: the speed of all steps and of cuBLAS over n, and what the card allows; the kernel alone,
and the whole call. Drawn from the one run of the benchmark."""
import collections
import math

import ladder
import results
import which_kernel
from figures.drawing import (
    BLOCK,
    BOLD,
    DASHED,
    END,
    INK,
    MIDDLE,
    REQUEST,
    WARP,
    circle,
    path,
    fill,
    rule,
    stroke,
    svg,
    text,
)
from figures.fonts import width
from figures.hardware import H200, PCIE, benchmark_ceilings
from figures.roofline import PRODUCTS

SMALLEST, LARGEST = 64, 16384
TICKS = (64, 128, 256, 512, 1000, 2048, 4096, 8192, 16384)
SMALL = 512  # up to here a panel of its own shows what the large one cannot
LEFT, WIDE, RIGHT = 62, 444, 132
ROW = 15  # of names at the ends of curves
DOTTED = 'stroke-dasharray="1 3.5" stroke-linecap="round"'
OTHER = (stroke(BLOCK), 'stroke-opacity="0.7"')
NORMAL = (stroke(REQUEST, 2), DASHED)
ALLOWED = (stroke(INK, 1.5), DASHED)
LIBRARIES = {
    "cublas_sgemm": ("cuBLAS SGEMM", ""),
    "cublas_dgemm": ("cuBLAS DGEMM", DASHED),
    "cublas_tf32": ("cuBLAS TF32", DOTTED),
}
CALLS = {
    "cublas_sgemm": ("cuBLAS SGEMM", ""),
    "cublas_xt": ("cublasXt", DOTTED),
    "cublas_xt_pinned": ("cublasXt, pinned", DASHED),
}


class Panel:
    """Axes of n, logarithmic, and of something else; powers: its axis is logarithmic, too."""

    def __init__(self, place, x_range, y_range, ticks, powers, titles):
        (self.left, self.top, self.wide, self.tall), self.powers = place, powers
        self.first, self.last, self.low, self.high = *x_range, *y_range
        self.body, self.ends = [], []
        bottom = self.top + self.tall
        for line, words in enumerate(reversed(titles[:-1])):
            self.body.append(text(self.left - 50, self.top - 14 - 17 * line, words, BOLD))
        for value in ticks:
            y = round(self.y_at(value), 1)
            self.body.append(rule(self.left, y, self.left + self.wide, y, 0.25))
            self.body.append(text(self.left - 8, y + 4, f"{value:g}", END))
        for n in TICKS:
            if self.first <= n <= self.last:
                x = round(self.x_at(n), 1)
                self.body.append(rule(x, self.top, x, bottom, 0.25))
                self.body.append(text(x, bottom + 18, str(n), MIDDLE))
        self.body.append(text(self.left + self.wide / 2, bottom + 37, "n", MIDDLE))
        middle = self.top + self.tall / 2
        turned = f'<g transform="translate({self.left - 42:g} {middle:g}) rotate(-90)">'
        self.body.append(turned + text(0, 0, titles[-1], MIDDLE) + "</g>")

    def x_at(self, n):
        return self.left + self.wide * math.log(n / self.first) / math.log(self.last / self.first)

    def y_at(self, value):
        scale = math.log if self.powers else float
        return self.top + self.tall * (scale(self.high) - scale(value)) / (scale(self.high) - scale(self.low))

    def curve(self, points, *look, dots=""):
        """points: {n: value}; those outside of the panel are left out."""
        shown = [
            (self.x_at(n), self.y_at(value))
            for n, value in sorted(points.items())
            if self.first <= n <= self.last and self.low <= value <= self.high
        ]
        if len(shown) > 1:
            steps = "L".join(f"{x:.1f} {y:.1f}" for x, y in shown)
            self.body.append(path("M" + steps, *look, 'stroke-linejoin="round"'))
        if dots:
            self.body += [circle(x, y, 2.5, fill(dots)) for x, y in shown]

    def name(self, n, value, right, up, words, *more):
        """A text at so many pixels from a point."""
        self.body.append(text(round(self.x_at(n) + right), round(self.y_at(value) - up), words, *more))

    def end(self, value, words, colour, *more):
        self.ends.append((self.y_at(value), words, colour, more))

    def name_ends(self):
        """Names stand at the right, pushed apart until each has room, with a line to the curve's end."""
        ends = sorted(self.ends, key=lambda one: one[0])
        places = [y for y, *_ in ends]
        for _ in range(400):
            for i in range(len(places) - 1):
                miss = ROW - (places[i + 1] - places[i])
                if miss > 0:
                    places[i] -= miss / 2
                    places[i + 1] += miss / 2
            places = [min(max(y, self.top + 2), self.top + self.tall - 2) for y in places]
        x = self.left + self.wide
        for place, (y, words, colour, more) in zip(places, ends):
            self.body.append(path(f"M{x + 3} {y:.1f}L{x + 14} {place:.1f}", stroke(colour)))
            self.body.append(text(x + 18, round(place + 4, 1), words, fill(colour), *more))


def tflops(rows):
    return {n: float(row["tflops"]) for n, row in rows.items()}


def runs_of(numbers):
    """'04 05', '20 to 32': steps, three or more neighbours as one."""
    groups = []
    for number in sorted(numbers):
        if groups and number == groups[-1][-1] + 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    words = [
        f"{group[0]:02} to {group[-1]:02}" if len(group) > 2 else " ".join(f"{one:02}" for one in group)
        for group in groups
    ]
    return " ".join(words)


def name_others(panel, last):
    """last: {step: TFLOP/s at the right}: steps whose curves end at the same height have one name."""
    heights = sorted((panel.y_at(speed), int(step[:2]), speed) for step, speed in last.items())
    groups = []
    for y, number, speed in heights:
        if groups and y - groups[-1][-1][0] < 6:
            groups[-1].append((y, number, speed))
        else:
            groups.append([(y, number, speed)])
    for group in groups:
        middle = math.exp(sum(math.log(speed) for *_, speed in group) / len(group))
        panel.end(middle, runs_of(number for _, number, _ in group), INK)


def draw_ceilings(panel):
    ceilings = benchmark_ceilings()
    fma, integer, tf32 = ceilings["FMA"], H200["int8 TOP/s"] / PRODUCTS, H200["TF32 TFLOP/s"]
    reaches = lambda speed: 6 * speed / ceilings["copy"]  # n: 2 n^3 operations, 12 n^2 bytes of A, B and C
    panel.curve({SMALLEST: ceilings["copy"] * SMALLEST / 6, reaches(tf32): tf32}, *ALLOWED)
    for speed in (fma, integer, tf32):
        panel.curve({reaches(speed): speed, LARGEST: speed}, *ALLOWED)
    panel.name(reaches(130), 130, 10, -4, "copy of A, B, C")
    panel.name(reaches(fma), fma, 10, -15, f"float FMA {fma:.0f}, FP64 {H200['FP64 TFLOP/s']}")
    panel.name(reaches(integer), integer, 26, 4, f"int8 / {PRODUCTS}: {integer:.0f}")
    panel.name(reaches(tf32), tf32, 10, 6, f"TF32 tensor cores: {tf32}")


def draw_kernels(rows, choices):
    place, titles = (LEFT, 146, WIDE, 400), ("The kernel alone", "TFLOP/s")
    panel = Panel(place, (SMALLEST, LARGEST), (0.05, 900), (0.1, 1, 10, 100), True, titles)
    normal = tflops(which_kernel.normal()[choices[-1].step])
    steps = [step for step in results.steps() if step in rows]
    for step in steps:
        panel.curve(tflops(rows[step]), *OTHER)
    draw_ceilings(panel)
    for name, (words, look) in LIBRARIES.items():
        points = tflops(rows[name])
        panel.curve(points, stroke(WARP, 2), look)
        panel.end(points[LARGEST], words, WARP)
    panel.curve(normal, *NORMAL)
    panel.end(normal[LARGEST], f"{choices[-1].step[:2]}, normal", REQUEST)
    draw_choices(panel, choices, {step: tflops(rows[step]) for step in steps})
    last = choices[-1].step
    panel.end(tflops(rows[last])[LARGEST], f"step {last[:2]}", REQUEST, BOLD)
    name_others(panel, {step: tflops(rows[step])[LARGEST] for step in steps if LARGEST in rows[step]})
    panel.name_ends()
    return panel


def draw_choices(panel, choices, values):
    for step, sizes in choices:
        points = {n: value for n, value in values[step].items() if n in sizes}
        panel.curve(points, stroke(REQUEST, 3), dots=REQUEST)
        if sizes[-1] != LARGEST:
            n = max(points, key=points.get) if not panel.powers else min(points)
            panel.name(n, points[n], -8 if panel.powers else -24, 8, step[:2], fill(REQUEST), BOLD)


def draw_small(rows, choices, top):
    place = (LEFT, top, 184, 250)
    titles = ("Small n, the kernel", "times cuBLAS SGEMM")
    panel = Panel(place, (SMALLEST, SMALL), (0, 1.8), (0, 0.5, 1, 1.5), False, titles)
    multiples = {
        name: {n: float(row["to_sgemm"]) for n, row in own.items() if n <= SMALL}
        for name, own in rows.items()
    }
    for name in results.steps():
        if name in multiples:
            panel.curve(multiples[name], *OTHER)
    for name, (_, look) in LIBRARIES.items():
        panel.curve(multiples[name], stroke(WARP, 2), look)
    panel.curve(multiples[choices[-1].step], stroke(REQUEST, 1.5))
    panel.name(128, multiples[choices[-1].step][128], 6, 3, choices[-1].step[:2], fill(REQUEST))
    draw_choices(panel, [one for one in choices if one.sizes[0] <= SMALL], multiples)
    return panel


def draw_calls(top):
    left = LEFT + WIDE - 176
    titles = ("The whole call: copies from", "and to ordinary memory", "TFLOP/s")
    panel = Panel((left, top, 176, 250), (results.SIZE, LARGEST), (0.5, 300), (1, 10, 100), True, titles)
    points = collections.defaultdict(dict)
    for n in (results.SIZE, ladder.LARGE, LARGEST):
        for name, row in results.totals(n).items():
            points[name][n] = 2e-12 * n**3 / float(row["total_s"])
    (taken,) = which_kernel.whole_calls()
    for name in results.steps():
        if name in points:
            panel.curve(points[name], *OTHER)
    link = lambda n: 1e-3 * PCIE["GB/s"] * n / 4  # 2 n^3 operations for the 8 n^2 bytes of A and B
    panel.curve({n: link(n) for n in (results.SIZE, LARGEST)}, *ALLOWED)
    panel.name(results.SIZE, link(5500), 6, 0, "A, B by PCIe")
    for name, (words, look) in CALLS.items():
        panel.curve(points[name], stroke(WARP, 2), look, dots=WARP)
        panel.end(points[name][LARGEST], words, WARP)
    panel.curve(points[taken], stroke(REQUEST, 3), dots=REQUEST)
    panel.end(points[taken][LARGEST], f"step {taken[:2]}", REQUEST, BOLD)
    panel.name_ends()
    return panel


def draw_legend(last):
    """In the left half: a phone shows no more at once."""
    entries = (
        ((stroke(REQUEST, 3),), "the step to take"),
        (NORMAL, f"{last}, normal operands"),
        (OTHER, "other steps"),
        (ALLOWED, "the card's ceilings"),
        ((stroke(WARP, 2),), "cuBLAS SGEMM"),
        ((stroke(WARP, 2), DASHED), "cuBLAS DGEMM"),
        ((stroke(WARP, 2), DOTTED), "cuBLAS TF32"),
    )
    body = []
    for number, (look, words) in enumerate(entries):
        x, y = 12 + 196 * (number // 4), 46 + 19 * (number % 4)
        body += [path(f"M{x} {y - 4}h26", *look), text(x + 34, y, words)]
    return body


def draw():
    rows = which_kernel.uniform()
    choices = which_kernel.choose(rows, which_kernel.keep(False))
    body = [text(12, 20, "Which kernel for which n? Speed on an H200", BOLD)]
    body += draw_legend(choices[-1].step[:2])
    kernels = draw_kernels(rows, choices)
    top = kernels.top + kernels.tall + 110
    small, calls = draw_small(rows, choices, top), draw_calls(top)
    for panel in (kernels, small, calls):
        body += panel.body
    return svg(LEFT + WIDE + RIGHT, top + 250 + 48, "Speed of all steps and of cuBLAS over n", body)


def pictures():
    yield "which_kernel.svg", draw()
