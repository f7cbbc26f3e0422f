"""What is left for double: bounds of a tile's columns (step 76), columns of a strip (step 81), blocks on SMs (step 82)."""
import random

from figures.drawing import BLOCK, BOLD, INK, REQUEST, WARP, fill, legend, rect, rule, stroke, svg, text

SMS, PER_SM, MARKED = 132, 4, 64  # of an H200; blocks that fit; strips that one outlier marks at n = 8192


def draw_worst():
    """Bounds of some columns beside the worst one, and sums of a row."""
    draw, columns = random.Random(36), 32
    body = [text(12, 20, "One row of C in a tile: its columns' bounds, and what they are held against (invented numbers)", BOLD)]
    body += legend(12, 42, ((WARP, "bound of a column"), (BLOCK, "1e-6 of the sum"), (REQUEST, "the one comparison")))
    bounds = [draw.uniform(20, 60) for _ in range(columns)]
    sums = [draw.uniform(100, 170) for _ in range(columns)]
    for i in range(columns):
        x = 12 + 20 * i
        body += [rect(x, 240 - bounds[i], 8, bounds[i], fill(WARP)), rect(x + 9, 240 - sums[i], 8, sums[i], fill(BLOCK))]
    for value, words in ((max(bounds), "the worst bound"), (min(sums), "the smallest sum")):
        y = 240 - value
        body += [rect(12, y - 1, 20 * columns, 2, fill(REQUEST)), text(20 + 20 * columns, y + 4, words)]
    body.append(rule(12, 240, 12 + 20 * columns, 240))
    return svg(170 + 20 * columns, 256, "The worst bound of a row and its smallest sum", body)


def draw_columns():
    """A strip of 16 x 128 elements of which one column is bad."""
    wide, high, bad = 5, 5, 37
    body = [text(12, 20, "A strip of 16 x 128 elements: column 37 is not good", BOLD)]
    body += legend(12, 42, ((REQUEST, "not good"), (WARP, "computed by the same warp"), (BLOCK, "left as they are")))
    owner = lambda column: column % 64 // 16
    for column in range(128):
        colour = REQUEST if column == bad else WARP if owner(column) == owner(bad) else BLOCK
        body.append(rect(12 + wide * column, 60, wide - 1, 16 * high, fill(colour)))
    for group in range(8):
        body.append(text(12 + wide * 16 * group + 16, 160, f"warp {group % 4}"))
    return svg(24 + wide * 128, 172, "The columns of a strip that a warp computes", body)


def draw_blocks():
    """Where 64 blocks with work are: among others, which come and leave, and alone."""
    draw = random.Random(40)
    among = [0] * SMS
    for _ in range(MARKED):
        among[draw.choice([sm for sm in range(SMS) if among[sm] < PER_SM])] += 1
    body = [text(12, 20, f"{MARKED} blocks with work on {SMS} SMs; a square is an SM", BOLD)]
    body += legend(12, 42, ((BLOCK, "no work"), (WARP, "one block"), (REQUEST, "two and more share its units")))
    for left, name, counts in (
        (12, "81_wanted_columns: one chance of many", among),
        (390, "82_listed_strips", [1] * MARKED + [0] * (SMS - MARKED)),
    ):
        body.append(text(left, 72, name))
        for sm, count in enumerate(counts):
            x, y = left + sm % 22 * 16, 84 + sm // 22 * 16
            colour = (stroke(INK), fill(WARP), fill(REQUEST))[min(count, 2)]
            body.append(rect(x, y, 13, 13, colour if count else stroke(BLOCK)))
    return svg(390 + 22 * 16 + 12, 190, "Blocks with work on the SMs", body)


def pictures():
    yield "worst_76.svg", draw_worst()
    yield "columns_81.svg", draw_columns()
    yield "blocks_82.svg", draw_blocks()
