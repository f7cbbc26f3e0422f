"""The climb in one small picture, for the repository's first page: a bar for each step's kernel beside
cuBLAS SGEMM, by the parts of the book, without the steps of a whole call."""
import itertools
import math

from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, fill, rect, rule, svg, text
from figures.fonts import width
from figures.ladder import SIZE, parts

COLOURS = (BLOCK, WARP, REQUEST)
LOW, HIGH = 0.03, 10  # of the axis, in multiples of cuBLAS SGEMM
LEFT, TOP, TALL = 44, 52, 220
BAR, GAP = 19, 12  # from one bar to the next; more between parts
MOST = 36  # bars, so that the climb is seen
WHOLE_CALL = "the whole call"  # in the name of the part whose steps are for more than the kernel


def climb():
    """[(name of the part, [(number of the step, multiple of cuBLAS SGEMM)])]"""
    found = [
        (part.partition(". ")[2] or part, [(title[:2], multiple) for title, multiple in rows])
        for part, rows in parts()
        if WHOLE_CALL not in part.lower()
    ]
    assert sum(len(bars) for _, bars in found) <= MOST
    return found


def y_at(multiple):
    return TOP + TALL * (1 - math.log(multiple / LOW) / math.log(HIGH / LOW))


def short(name, wide):
    """As much of a part's name as stands below its bars: up to a colon, then whole words."""
    words = name.partition(":")[0].removeprefix("The ").capitalize().split()
    while len(words) > 1 and width(" ".join(words)) > wide:
        words.pop()
    return " ".join(words)


def draw_climb():
    x, body, bottom = LEFT + 12, [], TOP + TALL
    for colour, (part, bars) in zip(itertools.cycle(COLOURS), climb()):
        first = x
        for number, multiple in bars:
            y = round(y_at(multiple), 1)
            body.append(rect(x, y, BAR - 4, round(bottom - y, 1), fill(colour)))
            body.append(text(x + (BAR - 4) / 2, bottom + 15, number, MIDDLE, 'font-size="11"'))
            x += BAR
        wide = x - 4 - first
        middle, name = first + wide / 2, short(part, wide + 2 * GAP)
        body.append(rect(first, bottom + 21, wide, 3, fill(colour)))
        body.append(text(middle, bottom + 40, name, MIDDLE))
        number, last = bars[-1]
        body.append(text(middle, y_at(max(m for _, m in bars)) - 6, f"{last:.2f}", MIDDLE, BOLD))
        x += GAP
    right = x - GAP
    axis = []
    for tick in (0.1, 1, 10):
        y, strong = y_at(tick), tick == 1
        axis.append(rule(LEFT, y, right, y, 0.7 if strong else 0.3, 1.5 if strong else 1))
        axis.append(text(LEFT - 8, y + 4, f"{tick:g}", 'text-anchor="end"'))
    axis.append(text(LEFT + 12, y_at(1) - 6, "cuBLAS SGEMM"))
    names = [
        text(12, 20, f"Speed of each step's kernel on an H200, n = {SIZE}; cuBLAS SGEMM = 1, logarithmic", BOLD),
        text(12, 38, "Below a bar its step; above a part's bars what its last step reaches"),
    ]
    return svg(max(right + 12, 560), bottom + 52, "The climb", names + axis + body)


def pictures():
    yield "climb.svg", draw_climb()
