"""Words of the first chapters: a row and a column make an element; grid, block, thread, warp."""
from figures.drawing import (
    BLOCK,
    BOLD,
    DASHED,
    INK,
    MIDDLE,
    REQUEST,
    WARP,
    fill,
    panel,
    path,
    rect,
    stroke,
    svg,
    text,
)

CELL = 15  # of an element of the product


def draw_product():
    n, i, j, left, top, body = 12, 3, 8, 12, 34, []
    step = (n + 6) * CELL
    fields = (
        ("A: row i", {i * n + k for k in range(n)}),
        ("B: column j", {k * n + j for k in range(n)}),
        ("C: element (i, j)", {i * n + j}),
    )
    for number, (name, cells) in enumerate(fields):
        body += panel(left + number * step, top, n, n, ((cells, REQUEST),), name, CELL)
    for number, sign in enumerate("x="):
        body.append(
            text(
                left + number * step + (n + 3) * CELL,
                top + n * CELL / 2 + 8,
                sign,
                'font-size="24"',
                MIDDLE,
            )
        )
    return svg(
        left * 2 + 2 * step + n * CELL,
        top + n * CELL + 12,
        "A row of A and a column of B make one element of C",
        body,
    )


def draw_grid():
    cell, left, top, threads = 13, 12, 34, 330
    body = [
        text(left, 20, "the grid: 4 x 3 blocks", BOLD),
        text(threads, 20, "a block: 16 x 16 threads", BOLD),
    ]
    for y in range(3):
        for x in range(4):
            chosen = (x, y) == (2, 1)
            paint = (fill(WARP if chosen else BLOCK), f'fill-opacity="{0.9 if chosen else 0.25}"')
            body += [
                rect(left + 70 * x, top + 70 * y, 62, 62, *paint),
                text(
                    left + 31 + 70 * x,
                    top + 35 + 70 * y,
                    f"({x},{y})",
                    MIDDLE,
                    *[fill("white")] * chosen,
                ),
            ]
    corner = left + 2 * 70 + 62
    upper, lower = (
        f"M{corner} {top + 70}L{threads} {top}",
        f"M{corner} {top + 132}L{threads} {top + 16 * cell}",
    )
    body.append(path(upper + lower, stroke(INK), DASHED))
    for y in range(16):
        for x in range(16):
            place = (threads + cell * x, top + cell * y)
            body.append(rect(*place, cell - 2, cell - 2, fill(REQUEST if y < 2 else WARP)))
    bracket = f"M{threads + 16 * cell + 4} {top + 2}v{2 * cell - 6}m0 {3 - cell}H596"
    body.append(path(bracket, stroke(INK)))
    for number, line in enumerate(
        ("warp 0: threads 0 to 31", "of the block, here its", "first two rows")
    ):
        body.append(text(604, top + 16 + 20 * number, line))
    return svg(780, top + 16 * cell + 12, "A grid of blocks, a block of threads, a warp", body)


def pictures():
    yield "product.svg", draw_product()
    yield "grid.svg", draw_grid()
