"""Speed of each step on three machines, and the roofline: drawn from docs/results."""
import collections
import math

import results
from figures.drawing import BLOCK, BOLD, END, INK, MIDDLE, REQUEST, WARP, rule, svg, text
from figures.fonts import width
from figures.hardware import H200, benchmark_ceilings

FLOP = 2e-9 * results.SIZE**3  # billions
ARTICLE, CPU, GPU = (
    "GeForce 8800GT, 2008, copies included",
    "CPU, two cores, copies included",
    "H200, kernel",
)


def mark(series, x, y):
    if series == ARTICLE:
        return f'<rect x="{x - 5:.1f}" y="{y - 5}" width="10" height="10" fill="{BLOCK}"/>'
    if series == CPU:
        return f'<circle cx="{x:.1f}" cy="{y}" r="5.5" fill="{WARP}"/>'
    return f'<path d="M{x:.1f} {y - 7}l7 7l-7 7l-7 -7z" fill="{REQUEST}"/>'


def measured_speeds():
    """{series: {step: GFLOPS}}"""
    article, measured, benchmark = (
        results.article(),
        results.measured(),
        results.benchmark(results.SIZE),
    )
    points = collections.defaultdict(dict)
    for step in results.steps():
        by = measured.get(step, {})
        gpu = by.get("gpu") or benchmark.get(step)
        if step in article:
            points[ARTICLE][step] = FLOP / article[step]
        if "cpu" in by:
            points[CPU][step] = float(by["cpu"]["total_gflops"])
        if gpu:
            points[GPU][step] = results.gflops(gpu)
    return points


def draw_speed():
    points = measured_speeds()
    steps = [step for step in results.steps() if any(step in series for series in points.values())]
    low, high, left, top, wide, row = -1, 5, 150, 70, 620, 26
    bottom = top + row * len(steps)
    x_at = lambda value: left + wide * (math.log10(value) - low) / (high - low)
    body = [
        text(
            12,
            20,
            f"Speed of each step at n = {results.SIZE}: GFLOPS, each grid line ten times the one before",
            BOLD,
        )
    ]
    for power in range(low, high + 1):
        x = x_at(10**power)
        body += [
            rule(x, top - 6, x, bottom, 0.35),
            text(x, bottom + 18, f"{10 ** power:g}" if power < 4 else f"{10 ** power:,}", MIDDLE),
        ]
    x = 12
    for name in (ARTICLE, CPU, GPU):
        body += [mark(name, x + 6, 42), text(x + 20, 47, name)]
        x = round(x + 44 + width(name))
    for number, step in enumerate(steps):
        y = top + row * number + row // 2
        body.append(text(12, y + 4, step))
        body += [
            mark(name, x_at(points[name][step]), y)
            for name in (ARTICLE, CPU, GPU)
            if step in points[name]
        ]
    return svg(left + wide + 40, bottom + 32, "Speed of each step on three machines", body)


# ---- the roofline ----

LARGE = 8192  # a second point for each step of the H200
# Bytes that the threads load for each of the n^3 products. 08 on: tiles of 128 x 128 elements, 8 bytes of floats for 128
# products, or two times three slices of a byte; in step 11 two blocks share a tile of B, which L2 reads once.
LOADED = {
    "08_register_tiled": 8 / 128,
    "09_pipelined": 8 / 128,
    "10_tensor_core": 6 / 128,
    "11_hopper": 4.5 / 128,
}
PRODUCTS = 6  # of 8-bit integers, for one of floats, in 10 and 11

LEFT, TOP, WIDE, HIGH = 84, 66, 660, 420
LOW_X, DECADES_X, DECADES_Y = -1, 3, 6


def x_at(intensity):
    return LEFT + WIDE * (math.log10(intensity) - LOW_X) / DECADES_X


def y_at(speed):
    return TOP + HIGH * (DECADES_Y - math.log10(speed)) / DECADES_Y


def draw_axes():
    body, bottom, middle = [], TOP + HIGH, TOP + HIGH / 2
    for power in range(LOW_X, LOW_X + DECADES_X + 1):
        x = x_at(10**power)
        body += [rule(x, TOP, x, bottom), text(x, bottom + 18, f"{10 ** power:g}", MIDDLE)]
    for power in range(DECADES_Y + 1):
        body += [
            rule(LEFT, y_at(10**power), LEFT + WIDE, y_at(10**power)),
            text(LEFT - 8, y_at(10**power) + 4, f"{10 ** power:,}", END),
        ]
    return [
        *body,
        text(
            LEFT + WIDE / 2,
            bottom + 38,
            "arithmetic intensity: operations for each byte that the threads load (FLOP/B)",
            MIDDLE,
        ),
        f'<g transform="translate(14 {middle:g}) rotate(-90)">'
        + text(0, 0, "speed: 2 n^3 / kernel time (GFLOPS)", MIDDLE)
        + "</g>",
    ]


def draw_roof(card, peak, bandwidth, colour):
    low, corner = 10.0**LOW_X, x_at(peak / bandwidth)
    return [
        f'<path d="M{x_at(low):g} {y_at(low * bandwidth):.1f}L{corner:.1f} {y_at(peak):.1f}H{LEFT + WIDE}" stroke="{colour}" '
        'stroke-width="2" fill="none"/>',
        text(corner - 8, y_at(peak) + 4, f"{card}: {peak:,.0f} GFLOPS", END),
        text(x_at(low) + 14, y_at(low * bandwidth) + 8, f"{bandwidth:,.0f} GB/s"),
    ]


def draw_h200(loaded, colour):
    """A dot at n = SIZE, a bar from there to a ring at n = LARGE."""
    small, large = results.benchmark(results.SIZE), results.benchmark(LARGE)
    body = []
    for number, (step, per_product) in enumerate({**loaded, **LOADED}.items()):
        right = number % 2 == 1  # neighbours often have the same intensity: names to both sides
        first, second = results.gflops(small[step]), results.gflops(large[step])
        x, named = (
            x_at(2 / per_product) + (4 if right else -4),
            second if list(LOADED.values()).count(per_product) == 1 else first,
        )
        body += [
            f'<path d="M{x:.1f} {y_at(first):.1f}V{y_at(second):.1f}" stroke="{colour}" stroke-width="2"/>',
            f'<circle cx="{x:.1f}" cy="{y_at(second):.1f}" r="4" fill="none" stroke="{colour}" stroke-width="1.5"/>',
            f'<circle cx="{x:.1f}" cy="{y_at(first):.1f}" r="4" fill="{colour}"/>',
            text(x + (8 if right else -8), y_at(named) + 4, step[:2], *[END] * (not right)),
        ]
    return body


def draw_8800gt(loaded, bandwidth, colour):
    body = []
    for number, (step, (_, total, kernel)) in enumerate(results.article_table().items()):
        right, speed, intensity = number % 2 == 1, FLOP / (kernel or total), 2 / loaded[step]
        on_roof = speed > 0.9 * intensity * bandwidth
        body += [
            f'<circle cx="{x_at(intensity):.1f}" cy="{y_at(speed):.1f}" r="4" fill="{colour}"/>',
            text(
                x_at(intensity) + (8 if right else -8),
                y_at(speed) + (14 if on_roof else 4),
                step[:2],
                *[END] * (not right),
            ),
        ]
    return body


def draw_roofline():
    integer = 1e3 * H200["int8 TOP/s"] / PRODUCTS
    body = [
        text(12, 20, "Roofline: each step's speed, and what units and memory allow", BOLD),
        text(12, 40, f"dots: n = {results.SIZE}; rings: n = {LARGE}, H200 alone"),
    ]
    body += draw_axes()
    body += [
        f'<path d="M{x_at(10):g} {y_at(integer):.1f}H{LEFT + WIDE}" stroke="{REQUEST}" stroke-width="2" stroke-dasharray="6 4"/>',
        text(
            LEFT + WIDE - 4,
            y_at(integer) - 8,
            f"8-bit integers: {H200['int8 TOP/s']} TOP/s, {PRODUCTS} products for one: {integer:,.0f} GFLOPS",
            END,
        ),
    ]
    loaded = {
        step: bytes_ / results.SIZE**3 for step, (bytes_, _, _) in results.article_table().items()
    }
    ceilings, (peak, bandwidth) = benchmark_ceilings(), results.ceilings()["8800GT"]
    body += draw_roof("H200", 1e3 * ceilings["FMA"], 1e3 * ceilings["copy"], REQUEST) + draw_h200(
        loaded, REQUEST
    )
    body += draw_roof("8800GT", peak, bandwidth, WARP) + draw_8800gt(loaded, bandwidth, WARP)
    return svg(
        LEFT + WIDE + 32,
        TOP + HIGH + 52,
        "Roofline of the 8800GT and of an H200, with steps 02 to 11",
        body,
    )


def pictures():
    yield "speed.svg", draw_speed()
    yield "roofline.svg", draw_roofline()
