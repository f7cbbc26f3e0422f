"""Which words the lanes of a warp ask for, in step 02 as it is and with its mapping swapped."""
from figures.drawing import BLOCK, BOLD, REQUEST, legend, panel, svg, text

N, CELL, K = 32, 6, 9  # a matrix of N x N words; K: the k of the picture
LANES, SECTOR = 32, 8  # words of a sector


def sectors(cells):
    return {word // SECTOR for word in cells}


def draw_mapping(y, name, row_of, column_of):
    lanes = [(row_of(lane), column_of(lane)) for lane in range(LANES)]
    fields = (
        ("A", {row * N + K for row, _ in lanes}),
        ("B", {K * N + column for _, column in lanes}),
        ("C", {row * N + column for row, column in lanes}),
    )
    body, x = [text(12, y, name, BOLD)], 12
    for matrix, cells in fields:
        moved = {s * SECTOR + i for s in sectors(cells) for i in range(SECTOR)}
        count = len(sectors(cells))
        words = f"{matrix}: {count} sector{'s' if count > 1 else ''}, {len(cells)} word"
        words += "s" if len(cells) > 1 else ""
        body += panel(x, y + 32, N, N, ((moved, BLOCK), (cells, REQUEST)), words, CELL)
        x += N * CELL + 24
    return body


def draw_coalescing():
    body = [text(12, 20, f"What one warp asks for, for k = {K}; n = {N}", BOLD)]
    body += legend(12, 44, ((REQUEST, "words that the lanes want"), (BLOCK, "moved beside them")))
    body += draw_mapping(74, "step 02: neighbours take columns", lambda i: 0, lambda i: i)
    body += draw_mapping(326, "swapped: neighbours take rows", lambda i: i, lambda i: 0)
    return svg(
        12 + 3 * (N * CELL + 24),
        326 + 32 + N * CELL + 12,
        "Sectors of a warp: coalesced, and with the mapping swapped",
        body,
    )


def pictures():
    yield "coalescing_02.svg", draw_coalescing()
