"""Speed of each step on three machines, drawn from docs/results."""
import collections
import math

import results
from figures.drawing import (
    BLOCK,
    BOLD,
    MIDDLE,
    REQUEST,
    WARP,
    circle,
    fill,
    path,
    rect,
    rule,
    svg,
    text,
)
from figures.fonts import width

FLOP = 2e-9 * results.SIZE**3  # billions
ARTICLE, CPU, GPU = (
    "GeForce 8800GT, 2008, copies included",
    "CPU, two cores, copies included",
    "H200, kernel",
)


def mark(series, x, y):
    if series == ARTICLE:
        return rect(x - 5, y - 5, 10, 10, fill(BLOCK))
    if series == CPU:
        return circle(x, y, 5.5, fill(WARP))
    return path(f"M{x:.1f} {y - 7}l7 7l-7 7l-7 -7z", fill(REQUEST))


def measured_speeds():
    """{series: {step: GFLOPS}}"""
    article, measured = results.article(), results.measured()
    benchmark = results.benchmark(results.SIZE)
    points = collections.defaultdict(dict)
    for step in results.steps():
        by = measured.get(step, {})
        gpu = benchmark.get(step)
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
            f"Speed of each step at n = {results.SIZE}, three machines",
            BOLD,
        ),
        text(left + wide / 2, bottom + 40, "GFLOPS, each grid line ten times the one before", MIDDLE),
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
    return svg(left + wide + 40, bottom + 52, "Speed of each step on three machines", body)


def pictures():
    yield "speed.svg", draw_speed()
