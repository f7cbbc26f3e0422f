"""The ladder in one picture: each step's kernel beside cuBLAS SGEMM, by the parts of the book."""
import itertools
import math

import results
from book.contents import find_parts
from figures.drawing import BLOCK, BOLD, END, MIDDLE, REQUEST, WARP, fill, rect, rule, svg, text

SIZE = 8192
COLOURS = (BLOCK, WARP, REQUEST)  # of the parts
LOW, HIGH = 0.03, 10  # of the axis, in multiples of cuBLAS SGEMM
LEFT, WIDE, ROW = 352, 390, 20


def parts():
    """[(part, [(title, multiple of cuBLAS SGEMM)])]: the parts with steps that were measured."""
    with open("docs/README.md", encoding="utf-8") as file:
        pages = find_parts(file.read())
    measured = results.benchmark(SIZE)
    found = {
        part: [
            (title, float(measured[page]["to_sgemm"]))
            for page, title in titles.items()
            if page in measured
        ]
        for part, titles in pages.items()
    }
    return [(part, rows) for part, rows in found.items() if rows]


def x_at(multiple):
    return LEFT + WIDE * math.log(multiple / LOW) / math.log(HIGH / LOW)


def draw_ladder():
    y, body = 66, []
    for colour, (part, rows) in zip(itertools.cycle(COLOURS), parts()):
        body.append(text(12, y, part, BOLD))
        y += 8
        for title, multiple in rows:
            body += [
                text(12, y + 14, title),
                rect(LEFT, y + 3, round(x_at(multiple) - LEFT, 1), ROW - 6, fill(colour)),
                text(LEFT - 8, y + 14, f"{multiple:.2f}", END),
            ]
            y += ROW
        y += 24
    bottom = y - 24
    axis = []
    for tick in (0.1, 1, 10):
        x, strong = x_at(tick), tick == 1
        axis += [
            rule(x, 46, x, bottom, 0.7 if strong else 0.3, 1.5 if strong else 1),
            text(x, bottom + 18, f"{tick:g}", MIDDLE),
        ]
    names = [
        text(12, 20, f"Speed of each step's kernel on an H200, n = {SIZE}; cuBLAS SGEMM = 1", BOLD),
        text(LEFT + WIDE / 2, bottom + 38, "times cuBLAS SGEMM, logarithmic", MIDDLE),
    ]
    return svg(LEFT + WIDE + 40, bottom + 50, "The ladder", names + axis + body)


def pictures():
    yield "ladder.svg", draw_ladder()
