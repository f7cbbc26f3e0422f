"""What the user waits for: a call before and after its copies overlap its kernels, and when each of
these ran on an H200, from bench/timeline's data; and what bounds it on two GPUs."""
import re

import results
from figures.drawing import BLOCK, BOLD, INK, MIDDLE, REQUEST, WARP, fill, legend, path, rect, rule
from figures.drawing import stroke, svg, text

LEFT, WIDE, ROW, HOST = 150, 700, 22, 48
WAYS = (("device up", "link, up", REQUEST), ("kernel", "kernel", WARP))
WAYS += (("device down", "link, down", REQUEST),)
N, TICK = 8192, 5
SEVERAL = "36_many_gpus"
CALLS = (  # of bench_total.csv: what its copies do, and on which kernels
    ("12_async_copy", "step 12: copies, kernel, copy"),
    ("33_small", "step 33: the same, slices"),
    ("34_overlapped", "step 34: overlapped"),
)


def read_timeline():
    """(total in ms, {what: [(start, end)]})"""
    file = f"docs/results/overlap_timeline_{N}.csv"
    with open(file, encoding="utf-8") as lines:
        total = float(re.search(rf"^# n = {N}: total ([\d.]+) ms", lines.read(), re.M)[1])
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


def draw_totals(body, y):
    """A call before and after; returns where the next picture begins."""
    totals = results.totals(N)
    most = max(float(totals[name]["total_s"]) for name, _ in CALLS)
    left = LEFT + 66
    body += legend(12, y, ((WARP, "kernels"), (BLOCK, "the rest of the call")))
    y += 16
    for name, words in CALLS:
        total, kernel = (1e3 * float(totals[name][what]) for what in ("total_s", "kernel_s"))
        wide = (WIDE - 66 - 60) / most / 1e3
        body += [
            text(12, y + 13, words),
            rect(left, y, round(kernel * wide, 1), ROW - 6, fill(WARP)),
            rect(
                round(left + kernel * wide, 1),
                y,
                round((total - kernel) * wide, 1),
                ROW - 6,
                fill(BLOCK),
            ),
            text(round(left + total * wide + 6, 1), y + 13, f"{total:.3g} ms"),
        ]
        y += ROW
    return y


def draw_call(body, y):
    """A traced call; returns where the picture ends."""
    total, spans = read_timeline()

    def x_at(ms):
        return LEFT + ms / total * WIDE

    x_at.total = total
    top = y
    busy = busy_threads(spans["host"], total)
    most, step = 12, WIDE / len(busy)
    steps = "".join(f"V{top + HOST * (1 - many / most):.1f}h{step:g}" for many in busy)
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
    at = 0
    while at <= total:
        body.append(rule(round(x_at(at), 1), top - 4, round(x_at(at), 1), y + 2, 0.5))
        body.append(text(round(x_at(at), 1), y + 18, f"{at:g}", MIDDLE))
        at += TICK
    body.append(text(12, y + 18, "time, ms"))
    body.append(path(f"M{LEFT} {top - 4}h{WIDE}V{y + 2}h{-WIDE}z", stroke(INK, 0.5)))
    return y + 36


def draw_timeline():
    body = [text(12, 20, f"What the user waits for, n = {N}, on an H200", BOLD)]
    y = draw_totals(body, 44)
    body.append(text(12, y + 30, "A call that overlaps, on step 12's kernel, from a trace", BOLD))
    y = draw_call(body, y + 48)
    return svg(LEFT + WIDE + 24, y, "A call before and after its copies overlap its kernels", body)


LARGE = 16384  # n of the copies in many_gpus_copies.csv


def one_rate(text_before):
    """GB/s of a line of bench/links in bench_two_gpus.csv."""
    with open("docs/results/bench_two_gpus.csv", encoding="utf-8") as file:
        return float(re.search(rf"^# {text_before}: ([\d.]+) GB/s", file.read(), re.M)[1])


def copies(**wanted):
    """(rate of columns up, rate each way of both) of many_gpus_copies.csv, of both devices."""
    (row,) = [
        row
        for row in results.rows("docs/results/many_gpus_copies.csv")
        if all(row[name] == value for name, value in wanted.items())
    ]
    return float(row["columns_up"]), float(row["each_way"])


def seconds_of(rates):
    """B up at the first rate, then A up and C down at the second one each."""
    return sum(4e-9 * LARGE * LARGE / rate for rate in rates)


def draw_bounds():
    measured = {
        (row["step"], int(row["devices"])): row
        for row in results.rows("docs/results/bench_two_gpus.csv")
        if int(row["n"]) == LARGE
    }
    both = {"by_host": "both ways", "buffers": "16", "own_lots": "0", "round": "1"}
    alone = one_rate("pinned up, alone, device 0"), one_rate(
        "pinned each way of both, alone, device 0"
    )
    together = [
        2 * one_rate(f"pinned {way}, all at once, device 0") for way in ("up", "each way of both")
    ]
    bounds = {
        1: [("the link alone", seconds_of(alone))],
        2: [
            ("the links alone", seconds_of(together)),
            ("memcpy of threads alone", seconds_of(copies(threads="14", by_device="no", **both))),
            (
                "both at once",
                seconds_of(copies(threads="11", looks="0", by_device="yes", **both)),
            ),
        ],
    }
    left, wide, y = 210, 560, 70
    scale = wide / max(float(row["total_s"]) for row in measured.values() if SEVERAL in row["step"])
    body = [text(12, 20, f"What a call takes and what bounds it, n = {LARGE}, on H200s", BOLD)]
    body += legend(
        12, 44, ((REQUEST, "measured"), (WARP, "kernels"), (BLOCK, "copies alone: a bound"))
    )
    for devices, name in ((1, "one GPU"), (2, "two GPUs")):
        row = measured[SEVERAL, devices]
        lines = [
            (f"{name}: total", float(row["total_s"]), REQUEST),
            ("kernels", float(row["kernel_s"]), WARP),
        ]
        lines += [(words, seconds, BLOCK) for words, seconds in bounds[devices]]
        for words, seconds, colour in lines:
            body += [
                text(12, y + 13, words),
                rect(left, y, round(seconds * scale, 1), ROW - 6, fill(colour)),
                text(round(left + seconds * scale + 6, 1), y + 13, f"{1e3 * seconds:.1f} ms"),
            ]
            y += ROW
        y += 12
    return svg(left + wide + 76, y + 4, "Totals of one and two GPUs, and their bounds", body)


def pictures():
    yield "timeline_34.svg", draw_timeline()
    yield "bounds_36.svg", draw_bounds()
