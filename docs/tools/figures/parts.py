"""How rows and columns are sliced: columns of B where they lie (step 30) and in the shared memories of a cluster
(step 31), rows of A in shared memory (step 32); and the kernels of a small product (step 33)."""
from figures.beside import lanes
from figures.drawing import BLOCK, BOLD, REQUEST, WARP, arrow, box, fill, legend, rect, svg, text

PARTS, HIGH = 8, 30


def draw_parts():
    """16 columns of B in eight parts, and the blocks that keep them."""
    body = [text(12, 20, "A cluster of eight blocks keeps 16 columns of B, n rows", BOLD)]
    body += legend(12, 42, ((BLOCK, "elements"), (WARP, "largest of a part"), (REQUEST, "of the column: each block looks at all eight")))
    for part in range(PARTS):
        y = 60 + part * HIGH
        body.append(rect(12, y, 64, HIGH - 3, fill(BLOCK)))
        body.append(arrow(84, y + HIGH / 2, 150, y + HIGH / 2))
        body += [rect(158, y, 110, HIGH - 3, fill(BLOCK)), text(276, y + 19, f"block {part}, rows {part} n / 8 to {part + 1} n / 8")]
        body += [rect(480, y, 64, HIGH - 3, fill(WARP))]
        body.append(arrow(552, y + HIGH / 2, 600, 60 + PARTS * HIGH / 2))
    body += [rect(608, 60 + PARTS * HIGH / 2 - HIGH / 2, 64, HIGH - 3, fill(REQUEST))]
    body += [text(12, 60 + PARTS * HIGH + 16, "B"), text(158, 60 + PARTS * HIGH + 16, "shared memory"), text(480, 60 + PARTS * HIGH + 16, "16 largest elements")]
    return svg(690, 60 + PARTS * HIGH + 28, "Columns of B in the shared memories of a cluster", body)


def draw_fused():
    """The ways of B to its slices, and the bytes of each element."""
    body = [text(12, 20, "From B to its slices: bytes read and written for each element", BOLD)]
    body += legend(12, 42, ((BLOCK, "in device memory"), (WARP, "kernels")))
    body.append(text(12, 90, "29_early_launch"))
    before = (("B", BLOCK, 44), ("transpose", WARP, 92), ("B transposed", BLOCK, 106), ("slice", WARP, 60), ("slices", BLOCK, 60))
    after = (("B", BLOCK, 44), ("largest, slices and norms, in one", WARP, 290), ("slices", BLOCK, 60))
    for y, parts, moved in ((66, before, ("4", "4", "4 + 4", "3")), (146, after, ("4 + 4", "3"))):
        x = 156
        for i, (words, colour, wide) in enumerate(parts):
            body += box(x, y, wide, 40, words, colour)
            if i < len(moved):
                body += [arrow(x + wide + 4, y + 20, x + wide + 50, y + 20), text(x + wide + 8, y + 12, moved[i])]
            x += wide + 54
    body.append(text(12, 170, "30_fused_slicing"))
    return svg(760, 204, "From B to its slices", body)


def draw_rows():
    """A thread that has four pieces of a row: it loads each twice, or starts four copies and waits once."""
    body = [text(12, 20, "A thread and its four pieces of a row; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((REQUEST, "on their way"), (WARP, "largest element"), (BLOCK, "slices")))
    before = []
    for piece in range(4):
        before += [(0, piece * 2.2, piece * 2.2 + 1.6, f"load {piece}", REQUEST), (0, piece * 2.2 + 1.6, piece * 2.2 + 2.2, "", WARP)]
        before += [(1, 8.8 + piece * 1.8, 9.8 + piece * 1.8, f"{piece}", REQUEST), (1, 9.8 + piece * 1.8, 10.6 + piece * 1.8, "", BLOCK)]
    after = [(0, 0, 2.4, "0 to 3", REQUEST), (0, 2.4, 4.8, "", WARP), (0, 4.8, 8, "", BLOCK)]
    body += lanes(70, "31_distributed_shared", before, 170) + lanes(170, "32_rows_in_shared", after, 170)
    return svg(170 + 17 * 46 + 12, 230, "Loads and copies of a thread that slices a row", body)


def draw_small():
    """The kernels of a product of n = 300."""
    body = [text(12, 20, "The kernels of a product of n = 300; time goes to the right (not to scale)", BOLD)]
    body += legend(12, 42, ((WARP, "slices"), (REQUEST, "products"), (BLOCK, "what did not fit")))
    one = [(0, 0, 2, "A's slices", WARP), (0, 2, 4, "B's slices", WARP), (0, 4, 7, "9 tiles in int8", REQUEST), (0, 7, 9.4, "in double", BLOCK)]
    two = [(0, 0, 6, "361 tiles of 16 x 16, in float", REQUEST), (0, 6, 8.4, "infinities", BLOCK)]
    body += lanes(70, "32_rows_in_shared", one) + lanes(130, "33_small", two)
    return svg(150 + 10 * 46, 180, "The kernels of a small product in steps 32 and 33", body)


def pictures():
    yield "fused_30.svg", draw_fused()
    yield "parts_31.svg", draw_parts()
    yield "rows_32.svg", draw_rows()
    yield "small_33.svg", draw_small()
