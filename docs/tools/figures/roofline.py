"""The roofline of two GPUs and where the steps stand below it, drawn from docs/results."""
import math

import results
from figures.drawing import (
    BOLD,
    DASHED,
    END,
    MIDDLE,
    REQUEST,
    WARP,
    circle,
    fill,
    path,
    rule,
    stroke,
    svg,
    text,
)
from figures.hardware import H200, benchmark_ceilings

FLOP = 2e-9 * results.SIZE**3  # billions
LARGE = 8192  # a second point for each step of the H200
# Bytes that the threads load for each of the n^3 products; 08 stands where 07 does.
# From 10 on: tiles of 128 x 128, 8 bytes of floats for 128 products, or two times three of slices; in 17 128 x 64,
# in 24 two blocks share B's tile.
LOADED = {
    "09_register_tiled": 8 / 64,
    "10_vectorized": 8 / 128,
    "11_occupancy": 8 / 128,
    "12_async_copy": 8 / 128,
    "17_stages": 9 / 128,
    "24_clusters": 4.5 / 128,
}
PRODUCTS = 6  # of 8-bit integers, for one of floats, in slices

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
    slope = f"M{x_at(low):g} {y_at(low * bandwidth):.1f}"
    return [
        path(f"{slope}L{corner:.1f} {y_at(peak):.1f}H{LEFT + WIDE}", stroke(colour, 2)),
        text(corner - 8, y_at(peak) + 4, f"{card}: {peak:,.0f} GFLOPS", END),
        text(x_at(low) + 14, y_at(low * bandwidth) + 8, f"{bandwidth:,.0f} GB/s"),
    ]


def draw_h200(loaded, colour):
    """A dot at n = SIZE, a bar from there to a ring at n = LARGE."""
    small, large = results.benchmark(results.SIZE), results.benchmark(LARGE)
    body = []
    known = {**loaded, **LOADED}.items()
    measured = [(step, per_product) for step, per_product in known if step in small]
    for number, (step, per_product) in enumerate(measured):
        right = number % 2 == 1  # neighbours often have the same intensity: names to both sides
        first, second = results.gflops(small[step]), results.gflops(large[step])
        x = x_at(2 / per_product) + (4 if right else -4)
        body += [
            path(f"M{x:.1f} {y_at(first):.1f}V{y_at(second):.1f}", stroke(colour, 2)),
            circle(x, y_at(second), 4, stroke(colour, 1.5)),
            circle(x, y_at(first), 4, fill(colour)),
            text(x + (8 if right else -8), y_at(second) + 4, step[:2], *[END] * (not right)),
        ]
    return body


def draw_8800gt(loaded, bandwidth, colour):
    body = []
    for number, (step, (_, total, kernel)) in enumerate(results.article_table().items()):
        right, speed, intensity = number % 2 == 1, FLOP / (kernel or total), 2 / loaded[step]
        on_roof = speed > 0.9 * intensity * bandwidth
        body += [
            circle(x_at(intensity), y_at(speed), 4, fill(colour)),
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
        path(f"M{x_at(10):g} {y_at(integer):.1f}H{LEFT + WIDE}", stroke(REQUEST, 2), DASHED),
        text(
            LEFT + WIDE - 4,
            y_at(integer) - 8,
            f"8-bit integers: {H200['int8 TOP/s']} TOP/s, {PRODUCTS} products for one: "
            f"{integer:,.0f} GFLOPS",
            END,
        ),
    ]
    loaded = {
        step: bytes_ / results.SIZE**3 for step, (bytes_, _, _) in results.article_table().items()
    }
    ceilings, (peak, bandwidth) = benchmark_ceilings(), results.article_ceilings()
    body += draw_roof("H200", 1e3 * ceilings["FMA"], 1e3 * ceilings["copy"], REQUEST)
    body += draw_h200(loaded, REQUEST)
    body += draw_roof("8800GT", peak, bandwidth, WARP) + draw_8800gt(loaded, bandwidth, WARP)
    return svg(
        LEFT + WIDE + 32,
        TOP + HIGH + 52,
        "Roofline of the 8800GT and of an H200, with the steps from 02 on",
        body,
    )


def pictures():
    yield "roofline.svg", draw_roofline()
