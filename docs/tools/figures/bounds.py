"""Which elements the error bound rejects, and by how much: strips of step 64, passes of step 68."""
import math
import random

from figures.arithmetic import single, slices_of
from figures.drawing import BLOCK, BOLD, END, REQUEST, WARP, fill, legend, panel, rect, rule
from figures.drawing import stroke, svg, text

TILE, STRIP, ALLOWED = 128, 16, 0.85e-6


class Vector:
    """A row of A or a column of B, scaled and cut, with the lengths of vector_info."""

    def __init__(self, values):
        largest = max(abs(value) for value in values)
        cut = [slices_of(value, largest) for value in values]
        self.scale = cut[0][4]
        self.exact = [value * self.scale for value in values]
        self.whole = [row[0] for row in cut]
        self.slices = [[row[1 + d] for row in cut] for d in range(3)]
        x0, x1, x2 = (math.hypot(*x) for x in self.slices)
        self.rounding = math.dist(self.exact, self.whole)
        self.all = 65536 * x0 + 256 * x1 + x2 + self.rounding
        self.middle, self.low = 16 * x1 + x2 / 32, 16 * x2
        self.rest = 256 * x1 + x2 + self.rounding


def dot(x, y):
    return sum(map(int.__mul__, x, y))


def judge(left, right):
    """(what six products make, their error's bound), in the scale of X Y."""
    dropped = sum(
        256 ** (4 - d - e) * dot(left.slices[d], right.slices[e]) for d, e in ((1, 2), (2, 1), (2, 2))
    )
    rounding = left.rounding * right.all + left.all * right.rounding
    products = left.middle * right.low + left.low * right.middle
    return dot(left.whole, right.whole) - dropped, rounding + products


def draw_strips():
    """A tile of C: uniform operands, but two rows of A have both signs."""
    draw, n, signed = random.Random(22), 64, (37, 90)
    rows = [
        Vector([single(draw.uniform(-1 if i in signed else 0, 1)) for _ in range(n)])
        for i in range(TILE)
    ]
    columns = [Vector([single(draw.random()) for _ in range(n)]) for _ in range(TILE)]
    failing = set()
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            made, bound = judge(row, column)
            if not bound <= ALLOWED * abs(made):
                failing.add(i * TILE + j)
    cell, left, top = 3, 150, 62
    strips = sorted({word // TILE // STRIP for word in failing})
    body = [
        text(12, 20, f"A tile of C: uniform operands, but rows {signed[0]} and {signed[1]} of A have both signs", BOLD)
    ]
    body += legend(12, 42, ((REQUEST, f"{len(failing)} elements that fail"), (WARP, "strips that are marked")))
    body += panel(left, top, TILE, TILE, ((failing, REQUEST),), "", cell)
    for strip in range(TILE // STRIP):
        y = top + strip * STRIP * cell
        if strip in strips:
            body.append(rect(left, y, TILE * cell, STRIP * cell, stroke(WARP, 3)))
        elif strip:
            body.append(rule(left, y, left + TILE * cell, y))
        body.append(text(12, y + STRIP * cell / 2 + 5, f"strip {strip}: warp {strip % 4}"))
        if strip % 4 == 0:
            body.append(text(left + TILE * cell + 12, y + 2 * STRIP * cell, f"warpgroup {strip // 4}"))
    return svg(left + TILE * cell + 110, top + TILE * cell + 12, "Strips of a tile, and what marks them", body)


def draw_bounds():
    """One element of a uniform and of a standard normal product, n = 1000."""
    draw, n = random.Random(23), 1000
    left, wide, top, low, high = 262, 400, 84, -9, -5
    place = lambda part: left + wide * (math.log10(part) - low) / (high - low)
    body = [text(12, 20, f"An element's error as a part of |A| |B|, n = {n}: bounds, and what they may be", BOLD)]
    body += legend(12, 42, ((REQUEST, "bound of the error"), (BLOCK, "the error"), (WARP, "what the bound may be")))
    y = top
    for name, value in (("uniform", draw.random), ("standard normal", lambda: draw.gauss(0, 1))):
        x, z = (Vector([single(value()) for _ in range(n)]) for _ in range(2))
        exact = math.fsum(a * b for a, b in zip(x.exact, z.exact))
        magnitude = math.fsum(abs(a * b) for a, b in zip(x.exact, z.exact))
        made, bound = judge(x, z)
        more = made + 256 * (dot(x.slices[1], z.slices[2]) + dot(x.slices[2], z.slices[1]))
        products = x.middle * z.low + x.low * z.middle
        second = bound - products + x.low * z.low / 256
        least = 65536**2 * dot(map(abs, x.slices[0]), map(abs, z.slices[0]))
        least -= x.rest * z.all + x.all * z.rest
        assert abs(exact - made) <= bound and abs(exact - more) <= second and least <= magnitude
        body.append(text(12, y, name, BOLD))
        for colour, words, size in (
            (REQUEST, "first pass: bound", bound),
            (BLOCK, "error", abs(exact - made)),
            (WARP, "0.85e-6 of |element|", ALLOWED * abs(made)),
            (REQUEST, "second pass: bound", second),
            (BLOCK, "error", abs(exact - more)),
            (WARP, "0.85e-6 of the lower bound", ALLOWED * least),
        ):
            y += 22
            part = size / magnitude
            body += [
                text(left - 10, y, words, END),
                rect(left, y - 11, max(place(part) - left, 1), 14, fill(colour)),
                text(max(place(part), left) + 6, y, f"{part:.1e}"),
            ]
        y += 36
    return svg(left + wide + 12, y - 20, "Error bounds of an element, first and second pass", body)


def pictures():
    yield "strips_64.svg", draw_strips()
    yield "bounds_68.svg", draw_bounds()
