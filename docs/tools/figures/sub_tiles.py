"""A sub-tile's bound (step 27), tiles that a cluster splits (step 28), kernels that begin early (step 29)."""
import random

from figures.beside import lanes
from figures.drawing import BLOCK, BOLD, END, MIDDLE, REQUEST, WARP, box, fill, legend, rect, rule, svg, text

TILE = 128


def draw_worst():
    """Bounds of some columns beside the worst one, and sums of a row."""
    draw, columns = random.Random(36), 32
    body = [text(12, 20, "One row of a sub-tile: its columns' bounds, and what they are compared with (invented numbers)", BOLD)]
    body += legend(12, 42, ((WARP, "bound of an element"), (BLOCK, "1e-6 of its sum"), (REQUEST, "the one comparison")))
    bounds = [draw.uniform(20, 60) for _ in range(columns)]
    sums = [draw.uniform(100, 170) for _ in range(columns)]
    for i in range(columns):
        x = 12 + 20 * i
        body += [rect(x, 240 - bounds[i], 8, bounds[i], fill(WARP)), rect(x + 9, 240 - sums[i], 8, sums[i], fill(BLOCK))]
    for value, words in ((max(bounds) + 6, "the worst column"), (min(sums), "the smallest sum")):
        y = 240 - value
        body += [rect(12, y - 1, 20 * columns, 2, fill(REQUEST)), text(20 + 20 * columns, y + 4, words)]
    body.append(rule(12, 240, 12 + 20 * columns, 240))
    return svg(170 + 20 * columns, 256, "The bound of the worst column and the smallest sum of a row", body)


def draw_split():
    """What the blocks of a cluster have of C: a pair of tiles, or one tile, split."""
    wide, high, top = 170, 76, 80
    body = [text(12, 20, "28_split_tiles: a cluster of two blocks has a pair of tiles, or one tile", BOLD)]
    body += legend(12, 42, ((WARP, "block 0"), (REQUEST, "block 1")))
    for at, (name, blocks) in enumerate((("a whole pair", (0, 0, 1, 1)), ("a split tile", (0, 1)))):
        x = 12 + at * (2 * wide)
        body.append(text(x, 70, f"{name}: {len(blocks) // 2} of {TILE} x {TILE}"))
        for i, block in enumerate(blocks):
            body += box(x, top + i * high, wide, high - 6,
                        f"warpgroup {i % 2 if at == 0 else 0}|of block {block}|{TILE // 2} rows", (WARP, REQUEST)[block])
        body.append(
            text(x + wide / 2, top + 4 * high + 18, ("4 warpgroups multiply", "2 multiply, 2 skip")[at], MIDDLE)
        )
    return svg(12 + 3 * wide + 24, top + 4 * high + 34, "A whole pair of tiles and a split tile", body)


def draw_early():
    """The kernels of a product, one after the other, and with early launches."""
    body = [text(12, 20, "The end of a product's kernels; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((WARP, "slices"), (BLOCK, "start: launch, barriers"), (REQUEST, "after the wait")))
    one = [(0, 0, 4, "slicing", WARP), (0, 4, 5.2, "start", BLOCK), (0, 5.2, 9.2, "product", REQUEST),
           (0, 9.2, 10.4, "start", BLOCK), (0, 10.4, 12.4, "double", REQUEST)]
    two = [(0, 0, 4, "slicing", WARP), (1, 2.6, 3.8, "start", BLOCK), (1, 4, 8, "product", REQUEST),
           (2, 8, 9.1, "start", BLOCK), (2, 9.1, 11.1, "double", REQUEST)]
    body += lanes(70, "28_split_tiles", one) + lanes(130, "29_early_launch", two)
    left, unit = 150, 46
    for at, words, where in ((2.6, "all blocks have triggered", END), (4, "cudaGridDependencySynchronize returns", "")):
        x = left + at * unit
        body += [rule(x, 124, x, 266, 0.8), text(x - 4 if where else x + 4, 284, words, where)]
    return svg(left + 13 * unit + 12, 296, "Kernels one after the other, and launched early", body)


def pictures():
    yield "worst_27.svg", draw_worst()
    yield "split_28.svg", draw_split()
    yield "early_29.svg", draw_early()
