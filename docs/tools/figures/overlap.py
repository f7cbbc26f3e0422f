"""When each copy and each kernel of step 53 ran on an H200: drawn from bench/timeline's data."""
import re

import results
from figures.drawing import (
    BLOCK,
    BOLD,
    INK,
    MIDDLE,
    REQUEST,
    WARP,
    fill,
    path,
    rect,
    rule,
    stroke,
    svg,
    text,
)

LEFT, WIDE, ROW, HOST = 150, 700, 22, 48
WAYS = (("device up", "link, up", REQUEST), ("kernel", "kernel", WARP))
WAYS += (("device down", "link, down", REQUEST),)
TICKS = {1000: 0.1, 8192: 5}


def read_timeline(n):
    """(total in ms, {what: [(start, end)]})"""
    file = f"docs/results/overlap_timeline_{n}.csv"
    with open(file, encoding="utf-8") as lines:
        total = float(re.search(rf"^# n = {n}: total ([\d.]+) ms", lines.read(), re.M)[1])
    spans = {}
    for row in results.rows(file):
        span = float(row["start_ms"]), float(row["end_ms"])
        spans.setdefault(row["what"], []).append(span)
    return total, spans


def bars(spans, x_at, y, colour):
    """Spans that touch on the screen are one bar."""
    body, last = [], None
    for start, end in sorted(spans) + [(float("inf"),) * 2]:
        if last and start - last[1] < 0.4 / WIDE * x_at.total:
            last[1] = max(last[1], end)
            continue
        if last:
            body.append(
                rect(
                    round(x_at(last[0]), 1),
                    y,
                    round(max(x_at(last[1]) - x_at(last[0]) - 0.4, 0.8), 1),
                    ROW - 6,
                    fill(colour),
                )
            )
        last = [start, end]
    return body


def busy_threads(spans, total, bins=175):
    """How many threads of the host copy, on average, in each part of the time."""
    wide = total / bins
    busy = [0] * bins
    for start, end in spans:
        for i in range(int(start / wide), min(int(end / wide), bins - 1) + 1):
            busy[i] += (min(end, (i + 1) * wide) - max(start, i * wide)) / wide
    return busy


def draw_call(body, y, n):
    """One call; returns where the next picture begins."""
    total, spans = read_timeline(n)

    def x_at(ms):
        return LEFT + ms / total * WIDE

    x_at.total = total
    body.append(text(12, y + 12, f"n = {n}: {total:.3g} ms", BOLD))
    top = y + 24
    busy = busy_threads(spans["host"], total)
    most, step = 12, WIDE / len(busy)
    steps = "".join(
        f"V{top + HOST * (1 - many / most):.1f}h{step:g}" for many in busy
    )
    body += [
        text(12, top + 20, "host: threads"),
        text(12, top + 37, f"that copy, 0 to {most}"),
        path(f"M{LEFT} {top + HOST}{steps}V{top + HOST}z", fill(BLOCK)),
    ]
    y = top + HOST + 8
    for what, name, colour in WAYS:
        body.append(text(12, y + 13, name))
        body += bars(spans[what], x_at, y, colour)
        y += ROW
    tick, at = TICKS[n], 0
    while at <= total:
        body.append(rule(round(x_at(at), 1), top - 4, round(x_at(at), 1), y + 2, 0.5))
        body.append(text(round(x_at(at), 1), y + 18, f"{at:g}", MIDDLE))
        at = round(at + tick, 6)
    body.append(text(12, y + 18, "time, ms"))
    body.append(path(f"M{LEFT} {top - 4}h{WIDE}V{y + 2}h{-WIDE}z", stroke(INK, 0.5)))
    return y + 36


def draw_timeline():
    body = [text(12, 20, "A call of step 53 on an H200, from a trace", BOLD)]
    y = 40
    for n in sorted(TICKS, reverse=True):
        y = draw_call(body, y, n)
    return svg(LEFT + WIDE + 24, y, "When each copy and each kernel of step 53 runs", body)


def pictures():
    yield "timeline_53.svg", draw_timeline()
