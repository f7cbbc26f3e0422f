"""The order of a thread's products in step 12, by the rule of its source."""
from figures.drawing import BLOCK, BOLD, INK, REQUEST, WARP, arrow, circle, fill, legend, path, rect, stroke, svg, text
from figures.tile_order import constant, read

PATH = "12_async_copy/matmult.cu"
RULE = "const int j = i % 2 ? TN - 1 - l : l; /* serpentine */"
CELL = 26


def draw_order(x, y, name, place, side):
    """place(i, l): the column of the l-th product of row i."""
    points = [(x + (place(i, l) + 0.5) * CELL, y + (i + 0.5) * CELL) for i in range(side) for l in range(side)]
    new = sum(place(i, 0) != place(i - 1, side - 1) for i in range(1, side))
    body = [text(x, y - 10, name)]
    for i in range(side):
        for j in range(side):
            body.append(rect(x + j * CELL, y + i * CELL, CELL - 2, CELL - 2, stroke(BLOCK)))
    body.append(path("M" + "L".join(f"{a:g} {b:g}" for a, b in points), stroke(WARP, 1.5)))
    body.append(circle(*points[0], 4, fill(WARP)))
    body.append(arrow(*points[-2], *points[-1]))
    for i in range(1, side):
        shared = place(i, 0) == place(i - 1, side - 1)
        body.append(circle(*points[i * side], 5, fill(REQUEST if shared else INK)))
    words = f"factor of B kept: {side - 1 - new} of {side - 1} times"
    return [*body, text(x, y + side * CELL + 18, words)]


def draw_serpentine():
    assert RULE in read(PATH), f"{PATH}: no longer has {RULE}"
    side = constant(PATH, "TM")
    assert side == constant(PATH, "TN")
    body = [text(12, 20, f"The {side} x {side} products of a thread for one k, in order", BOLD)]
    body += legend(12, 42, ((REQUEST, "a row begins with the factor of B just used"), (INK, "with another")))
    body += draw_order(12, 84, "11: each row from the left", lambda i, l: l, side)
    body += draw_order(290, 84, "12: serpentine", lambda i, l: side - 1 - l if i % 2 else l, side)
    return svg(560, 84 + side * CELL + 30, "Products row by row and in serpentine order", body)


def pictures():
    yield "serpentine_12.svg", draw_serpentine()
