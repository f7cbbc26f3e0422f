"""The least words that a product moves, by the words of fast memory, and what tiles move."""
import math

from figures.drawing import BOLD, DASHED, END, INK, MIDDLE, REQUEST, WARP
from figures.drawing import circle, fill, path, rule, stroke, svg, text

# Side of a block's tile of C; the fast memory that it fills: the sums of the tile.
TILES = (("02", 1), ("06", 16), ("09", 64), ("12", 128))
LEFT, TOP, WIDE, HIGH = 84, 50, 560, 320
LOW_X, HIGH_X = 0, 8  # powers of ten of words of fast memory
LOW_Y, HIGH_Y = -4, 1  # of words for each product


def x_at(words):
    return LEFT + WIDE * (math.log10(words) - LOW_X) / (HIGH_X - LOW_X)


def y_at(moved):
    return TOP + HIGH * (HIGH_Y - math.log10(moved)) / (HIGH_Y - LOW_Y)


def draw_traffic():
    bottom = TOP + HIGH
    body = [text(12, 20, "Words moved for each of the n^3 products", BOLD)]
    for power in range(LOW_X, HIGH_X + 1):
        x = x_at(10**power)
        body += [rule(x, TOP, x, bottom), text(x, bottom + 18, f"{10 ** power:,}" if power < 4 else f"1e{power}", MIDDLE)]
    for power in range(LOW_Y, HIGH_Y + 1):
        y = y_at(10**power)
        body += [rule(LEFT, y, LEFT + WIDE, y), text(LEFT - 8, y + 4, f"{10 ** power:g}", END)]
    start, end = 1, 10**HIGH_X
    body += [
        path(
            f"M{x_at(start):.1f} {y_at(2 / start ** 0.5):.1f}"
            f"L{x_at(end):.1f} {y_at(2 / end ** 0.5):.1f}",
            stroke(REQUEST, 2),
        ),
        text(x_at(2e6), y_at(2 / 2e6**0.5) - 14, "the bound: 2 / sqrt(S)"),
    ]
    for name, tile in TILES:
        body += [
            circle(x_at(tile**2), y_at(2 / tile), 4.5, fill(WARP)),
            text(x_at(tile**2) + 8, y_at(2 / tile) - 8, f"step {name}: tiles of {tile} x {tile}"),
        ]
    for name, words in (("registers of an SM", 65536), ("L2", 62914560 // 4)):
        x = x_at(words)
        body += [path(f"M{x:.1f} {TOP}V{bottom}", stroke(INK, 1), DASHED), text(x - 6, bottom - 8, name, END)]
    body += [
        text(LEFT + WIDE / 2, bottom + 40, "words of fast memory, S", MIDDLE),
        f'<g transform="translate(14 {TOP + HIGH / 2:g}) rotate(-90)">'
        + text(0, 0, "words for each product", MIDDLE)
        + "</g>",
    ]
    return svg(LEFT + WIDE + 60, bottom + 54, "The least traffic of a product, and what tiles move", body)


def pictures():
    yield "traffic.svg", draw_traffic()
