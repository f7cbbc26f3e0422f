"""What takes place beside what: loads and products of a strip (step 65), kernels before the product (steps
73, 77 and 78), copies of a row (step 80)."""
from figures.drawing import BLOCK, BOLD, REQUEST, WARP, box, legend, svg, text

HIGH, APART = 34, 44  # of a span, and from lane to lane


def lanes(top, name, spans, left=150, unit=46):
    """Spans (lane, start, end, words, colour) below a name; lanes are numbered from the top."""
    body = [text(12, top + 21, name)]
    for lane, start, end, words, colour in spans:
        body += box(left + start * unit, top + lane * APART, (end - start) * unit - 3, HIGH, words, colour)
    return body


def draw_strip():
    """A block that is alone on its SM: tile after tile, and with the next one on its way."""
    body = [text(12, 20, "One block, alone on its SM; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((REQUEST, "loads on their way"), (BLOCK, "A's tile stored"), (WARP, "products")))
    before, after = [], []
    for tile in range(3):
        at = tile * 5
        before += [(0, at, at + 2, f"tile {tile}", REQUEST), (0, at + 2, at + 3, "store", BLOCK), (0, at + 3, at + 5, f"tile {tile}", WARP)]
        at = 2 + tile * 3
        after += [(0, at, at + 1, "store", BLOCK), (0, at + 1, at + 3, f"tile {tile}", WARP)]
        after += [(1, at + 1, at + 3, f"tile {tile + 1}", REQUEST)] * (tile < 2)
    after.append((1, 0, 2, "tile 0", REQUEST))
    body += lanes(70, "64_strips", before) + lanes(130, "65_few_strips", after)
    return svg(150 + 15 * 46 + 12, 230, "Loads and products of a strip", body)


def draw_kernels():
    """The kernels before the product of the first panel."""
    body = [text(12, 20, "Kernels before the first panel's product; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((WARP, "of B"), (REQUEST, "of A"), (BLOCK, "both")))
    one = [(0, 0, 2, "memset", WARP), (0, 2, 4, "maxima", WARP), (0, 4, 7, "B's slices", WARP),
           (0, 7, 9, "squares", WARP), (0, 9, 12, "A's slices", REQUEST), (0, 12, 15, "product", BLOCK)]
    two = [(0, 0, 2, "memset", WARP), (0, 2, 4, "maxima", WARP), (1, 3, 6, "A's slices", REQUEST),
           (0, 6, 9, "B's slices", WARP), (0, 9, 11, "squares", WARP), (0, 11, 14, "product", BLOCK)]
    body += lanes(70, "72_columns", one) + lanes(130, "73_early_launch", two)
    return svg(150 + 15 * 46 + 12, 230, "Kernels one after the other, and two side by side", body)


def draw_small():
    """The kernels of a small product, in one panel."""
    body = [text(12, 20, "Kernels up to n = 1024; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((WARP, "of B"), (REQUEST, "of A"), (BLOCK, "both")))
    one = [(0, 0, 2, "memset", WARP), (0, 2, 4, "maxima", WARP), (1, 3, 5, "A's slices", REQUEST),
           (0, 5, 7, "B's slices", WARP), (0, 7, 9, "squares", WARP), (0, 9, 10, "start", BLOCK), (0, 10, 13, "product", BLOCK)]
    two = [(0, 0, 2, "A's slices", REQUEST), (1, 2, 5, "whole columns", WARP), (0, 5, 6, "start", BLOCK), (0, 6, 9, "product", BLOCK)]
    three = [(0, 0, 2, "A's slices", REQUEST), (1, 2, 5, "whole columns", WARP), (0, 4, 5, "start", BLOCK), (0, 5, 8, "product", BLOCK)]
    body += lanes(70, "76_quick_bound", one) + lanes(170, "77_whole_columns", two) + lanes(270, "78_early_product", three)
    return svg(150 + 13 * 46 + 12, 370, "The kernels of a small product in three steps", body)


def draw_rows():
    """A thread that has four pieces of a row: it loads each twice, or starts four copies and waits once."""
    body = [text(12, 20, "A thread and its four pieces of a row; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((REQUEST, "loads on their way"), (WARP, "largest element"), (BLOCK, "slices")))
    before = []
    for piece in range(4):
        before += [(0, piece * 2.2, piece * 2.2 + 1.6, f"load {piece}", REQUEST), (0, piece * 2.2 + 1.6, piece * 2.2 + 2.2, "", WARP)]
        before += [(1, 8.8 + piece * 1.8, 9.8 + piece * 1.8, f"{piece}", REQUEST), (1, 9.8 + piece * 1.8, 10.6 + piece * 1.8, "", BLOCK)]
    after = [(0, 0, 2.4, "0 to 3", REQUEST), (0, 2.4, 4.8, "", WARP), (0, 4.8, 8, "", BLOCK)]
    body += lanes(70, "78_early_product", before) + lanes(170, "80_rows_once", after)
    return svg(150 + 17 * 46 + 12, 230, "Loads and copies of a thread that slices a row", body)


def pictures():
    yield "strip_65.svg", draw_strip()
    yield "early_73.svg", draw_kernels()
    yield "small_78.svg", draw_small()
    yield "rows_80.svg", draw_rows()
