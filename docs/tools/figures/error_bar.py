"""Steps 25 and 26: what an element's error bound is made of, beside the tolerance, and the products of
slices of both passes. The limit and the pairs of slices are looked for in the source."""
import math
import random
import re

from figures.arithmetic import single
from figures.bounds import Vector, dot, judge
from figures.drawing import BLOCK, BOLD, END, INK, MIDDLE, REQUEST, WARP, arrow, box, fill, legend
from figures.drawing import rect, rule, stroke, svg, text

BOUND, NEXT = "25_error_bound/error_bound.h", "26_next_products/next_products.h"
PAIRS = (
    "start_products(sum[0], x + l, y + l);",
    "start_products(sum[1], x + l + X1, y + l + X2);",
    "start_products(sum[1], x + l + X2, y + l + X1);",
)
SLICES, CELL, ROUNDING = 3, 40, 2**-24


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def allowed():
    return float(re.search(r"error <= ([\d.e-]+)f \* magnitude", read(BOUND)).group(1))


def parts(value, n, second):
    """(rounding, products that are left out) of the bound of an element, in parts of |A| |B|."""
    x, y = (Vector([single(value()) for _ in range(n)]) for _ in range(2))
    magnitude = math.fsum(abs(a * b) for a, b in zip(x.exact, y.exact))
    rounding = x.rounding * y.all + x.all * y.rounding
    products = x.middle * y.low + x.low * y.middle
    exact = math.fsum(a * b for a, b in zip(x.exact, y.exact))
    assert abs(exact - judge(x, y)[0]) <= rounding + products
    if second:
        products = x.low * y.low / 256
    return rounding / magnitude, products / magnitude


def draw_bar():
    limit, n = allowed(), 1000
    left, wide, high, top = 220, 380, 20, 66
    scale = wide / 1e-6
    draw = random.Random(25)
    normal = lambda: draw.gauss(0, 1)
    body = [text(12, 20, "What is off, at most, in parts of |A| |B|", BOLD)]
    body += legend(12, 42, (
        (REQUEST, "rounding to slices"), (WARP, "products left out"), (BLOCK, "rounding to float"),
    ))
    y = top
    body += [
        text(left - 10, y + 15, "the largest that is accepted", END),
        rect(left, y, scale * limit, high, stroke(INK)),
        text(left + scale * limit / 2, y + 15, f"the bound: {limit * 1e6:g}e-6", MIDDLE),
        rect(left + scale * limit, y, scale * 1.014 * ROUNDING, high, fill(BLOCK)),
        rect(left + scale * (limit + 1.014 * ROUNDING) + 1, y, scale * ROUNDING - 1, high, fill(BLOCK)),
    ]
    bars = (
        (f"uniform, n = {n}", draw.random, False),
        ("standard normal, first pass", normal, False),
        ("standard normal, second pass", normal, True),
    )
    for name, value, second in bars:
        y += 36
        rounding, products = parts(value, n, second)
        body += [
            text(left - 10, y + 15, name, END),
            rect(left, y, scale * rounding, high, fill(REQUEST)),
            rect(left + scale * rounding, y, scale * products, high, fill(WARP)),
            text(left + scale * (rounding + products) + 8, y + 15, f"{rounding:.1e} + {products:.1e}"),
        ]
    bottom = y + high + 10
    for tenth in range(0, 11, 2):
        at = left + wide * tenth / 10
        body.append(text(at, bottom + 16, f"{tenth / 10:g}e-6" if tenth else "0", MIDDLE))
    body.append(rule(left, bottom, left + wide, bottom))
    body.append(rule(left + wide, top - 6, left + wide, bottom))
    return svg(left + wide + 240, bottom + 28, "The error bound and what it is made of", body)


def draw_pass(x, y, name, makes, sign=""):
    body = [text(x, y, name, BOLD)]
    for d in range(SLICES):
        body.append(text(x + 30, y + 62 + d * CELL, f"{sign}x0{sign}" if not d else f"x{d}", END))
        body.append(text(x + 54 + d * CELL, y + 28, f"{sign}y0{sign}" if not d else f"y{d}", MIDDLE))
        for e in range(SLICES):
            cell = (x + 36 + e * CELL, y + 36 + d * CELL, CELL - 3, CELL - 3)
            colour = makes(d, e)
            body.append(rect(*cell, fill(colour) if colour else stroke(BLOCK)))
    return body


def draw_passes():
    source = read(NEXT)
    for pair in PAIRS:
        assert pair in source, f"{NEXT}: no longer has {pair}"
    first = lambda d, e: WARP if d + e < SLICES else None
    second = lambda d, e: REQUEST if d + e == 0 else WARP if d + e == 3 else None
    body = [text(12, 20, "The products of slices of both passes, and the way of a sub-tile", BOLD)]
    body += legend(12, 42, ((WARP, "added to the element"), (REQUEST, "for the bound alone")))
    body += draw_pass(12, 74, "first pass", first) + draw_pass(212, 74, "second pass", second, "|")
    x, wide = 412, 170
    for number, words in enumerate(("first pass", "second pass", "recompute_kernel")):
        at = 66 + 64 * number
        body += box(x, at, wide, 36, words, (WARP, WARP, BLOCK)[number])
        if number < 2:
            body.append(arrow(x + wide / 2, at + 38, x + wide / 2, at + 62))
            body.append(text(x + wide / 2 + 12, at + 55, ("a flag", "the list")[number]))
            body += [arrow(x + wide + 4, at + 18, x + wide + 40, at + 18)]
            body.append(text(x + wide + 46, at + 22, "all are within the bound"))
    return svg(800, 250, "The two passes of step 26", body)


def pictures():
    yield "bar_25.svg", draw_bar()
    yield "passes_26.svg", draw_passes()
