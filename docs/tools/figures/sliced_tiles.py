"""A tile of B and its image (step 70), and a tile of C that two blocks share (step 74)."""
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, arrow, box, fill, legend, rect
from figures.drawing import stroke, svg, text

TILE, BK, SEGMENT, SLICES, LINE = 128, 64, 16, 3, "#888888"


def swizzle(vector, segment):
    """Where a segment lies among those of a vector, as in tile_images.h."""
    return segment ^ vector // 2 % 4


def draw_image():
    """Eight columns of a tile of B: one segment of column 3, and where its slices go."""
    column, segment, cell, top, vectors = 3, 1, 26, 96, 8
    left, right, gap = 40, 360, 22
    body = [text(12, 20, "70_untransposed: a segment of a column, and its three slices", BOLD)]
    body += legend(12, 42, ((WARP, f"{SEGMENT} elements of a column, a thread's"), (BLOCK, "their slices")))
    body += [text(left, 76, f"B: {BK} rows, columns 0 to {vectors - 1}")]
    for x in range(vectors):
        for s in range(BK // SEGMENT):
            mine = x == column and s == segment
            place = (left + x * cell, top + s * 2 * cell, cell, 2 * cell)
            body += [rect(*place, fill(WARP))] * mine + [rect(*place, stroke(LINE))]
    for d in range(SLICES):
        x0 = right + d * (4 * cell + gap)
        body.append(text(x0, 76, f"slice {d}"))
        for vector in range(vectors):
            for s in range(BK // SEGMENT):
                mine = vector == column and s == swizzle(column, segment)
                place = (x0 + s * cell, top + vector * cell, cell, cell)
                body += [rect(*place, fill(BLOCK))] * mine + [rect(*place, stroke(LINE))]
    body += [arrow(left + vectors * cell + 16, top + 104, right - 16, top + 104)]
    body += [text(left, 328, f"A column becomes a row of a slice, {BK} bytes; the swizzle puts"
                  f" segment {segment} of column {column} at place {swizzle(column, segment)}.")]
    return svg(right + SLICES * (4 * cell + gap) + 12, 344, "A tile of B and its image", body)


def draw_halves():
    """What the blocks of a cluster have of C, in whole tiles and in halves."""
    wide, high, top = 170, 76, 80
    body = [text(12, 20, "74_halves: a cluster of two blocks has two tiles of C, or one", BOLD)]
    body += legend(12, 42, ((WARP, "block 0"), (REQUEST, "block 1")))
    for at, (name, blocks) in enumerate((("whole tiles", (0, 0, 1, 1)), ("halves", (0, 1)))):
        x = 12 + at * (2 * wide)
        body.append(text(x, 70, f"{name}: {len(blocks) // 2} of {TILE} x {TILE}"))
        for i, block in enumerate(blocks):
            body += box(x, top + i * high, wide, high - 6,
                        f"warpgroup {i % 2}|of block {block}|{TILE // 2} rows", (WARP, REQUEST)[block])
        body.append(
            text(x + wide / 2, top + 4 * high + 18, ("4 warpgroups multiply", "2 multiply, 2 have left")[at], MIDDLE)
        )
    return svg(12 + 3 * wide + 24, top + 4 * high + 34, "Whole tiles and halves of a cluster", body)


def pictures():
    yield "image_70.svg", draw_image()
    yield "halves_74.svg", draw_halves()
