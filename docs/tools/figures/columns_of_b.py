"""Steps 71 and 72, from traces: which part of B a block reads, what blocks share in C's memory."""
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, arrow, box, fill, legend, rect, rule
from figures.drawing import INK, stroke, svg, text
from figures.launches import extent, launches_of, observe, of_kernel, requests

N, LARGE, SMS = 256, 8192, 132  # N is padded; SMs of an H200
BEFORE, MAXIMA, SHARED = "70_untransposed", "71_column_maxima", "72_columns"


def begin_of_b(rows, kernel):
    """Of the kernel that looks for the largest elements: its block 0 reads the first row."""
    return min(row["offset"] for row in of_kernel(rows, kernel, "load"))


def part_of_b(rows, kernel, begin):
    """(extent of what block 0 loads of B, lanes of its warp 0 and bytes of each)"""
    loads = [
        row for row in of_kernel(rows, kernel, "load") if 0 <= row["offset"] - begin < 4 * N * N
    ]
    first = next(some for some in requests(loads) if some[0]["warp"] == 0)
    lanes = sorted(row["offset"] for row in first)
    each = lanes[1] - lanes[0]
    of_b = [row["offset"] - begin + more for row in loads for more in range(0, each, 4)]
    return extent(of_b, N), len(lanes), each


def tiles_of_b(x, y, tall, wide, size=N):
    """B, size pixels wide, with the borders of blocks, tall x wide words each."""
    body, cell = [rect(x, y, size, size, stroke(INK))], size / N
    for down in range(tall, N, tall):
        body.append(rule(x, y + down * cell, x + size, y + down * cell, 0.6))
    for over in range(wide, N, wide):
        body.append(rule(x + over * cell, y, x + over * cell, y + size, 0.6))
    return body


def draw_maxima():
    left, apart, top = 12, 380, 96
    body = [text(left, 20, f"Who finds the largest elements of B's columns, n = {N}", BOLD)]
    body += legend(
        left, 42, ((BLOCK, "what block 0 reads"), (REQUEST, "the first load of its warp 0"))
    )
    for at, (step, kernel) in enumerate(
        ((BEFORE, "slice_columns_kernel"), (MAXIMA, "column_maxima_kernel"))
    ):
        words, rows = observe(step, N)
        (first, end, begin, stop), lanes, each = part_of_b(rows, kernel, begin_of_b(rows, kernel))
        assert first == begin == 0
        tall, wide, x = end - first, stop - begin, left + apart * at
        blocks = next(blocks for name, blocks, _ in launches_of(words) if name == kernel)
        assert blocks == N // tall * (N // wide), "another grid"
        many = blocks // (N // wide) * (LARGE // wide)
        body.append(text(x, 76, f"{step}: {blocks} blocks (n = {LARGE}: {many})"))
        body += [rect(x, top - 8, wide, tall, fill(BLOCK)), *tiles_of_b(x, top - 8, tall, wide)]
        y = top + N + 38
        body.append(text(x, y - 24, f"a row of {wide} words: {each} bytes a lane"))
        body += [rect(x, y - 14, each // 4 * lanes * 2, 14, fill(REQUEST))]
        body += [rect(x, y - 14, wide * 2, 14, stroke(INK))]
        y += 34
        if at == 0:
            body += box(
                x,
                y - 14,
                256,
                48,
                "128 maxima in shared memory,|the same block slices with them",
                BLOCK,
            )
        else:
            body.append(arrow(x + N + 10, top + 120, x + N + 10, y - 20))
            body.append(text(x + N + 20, top + 60, f"{N // tall} blocks"))
            body.append(text(x + N + 20, top + 78, "of the same"))
            body.append(text(x + N + 20, top + 96, "columns"))
            body.append(text(x + N + 20, top + 200, "atomicMax"))
            body += box(
                x,
                y - 14,
                290,
                48,
                f"{N} maxima in the memory of C,|for a second kernel, which slices",
                WARP,
            )
    return svg(
        left + apart + N + 110,
        top + N + 112,
        "Blocks that look for the largest elements of columns",
        body,
    )


def vectors(rows, begin):
    """Which vectors of n words from begin on are meant."""
    found = {(row["offset"] - begin) // (4 * N) for row in rows if row["offset"] >= begin}
    return sorted(index for index in found if index < 5)


def draw_columns():
    words, rows = observe(SHARED, N)
    blocks = {name: count for name, count, _ in launches_of(words)}
    find, cut, describe = "column_maxima_kernel", "slice_columns_kernel", "describe_columns_kernel"
    sums = of_kernel(rows, find, "atomic")
    begin = min(row["offset"] for row in sums)
    assert vectors(sums, begin) == vectors(of_kernel(rows, cut, "load"), begin) == [0]
    assert vectors(of_kernel(rows, cut, "atomic"), begin) == [1, 2, 3, 4]
    assert vectors(of_kernel(rows, describe, "load"), begin) == [0, 1, 2, 3, 4]

    size, top, memory, at = 192, 84, 350, (12, 290, 568)
    body = [text(12, 20, f"{SHARED}: three kernels, and what their blocks share, n = {N}", BOLD)]
    body += legend(
        12, 44, ((BLOCK, "what block 0 reads of B"), (WARP, "in the memory of C, n words each"))
    )
    for x, kernel in zip(at, (find, cut)):
        (first, end, left, stop), _, _ = part_of_b(rows, kernel, begin_of_b(rows, find))
        cell = size / N
        body.append(text(x, top - 10, kernel))
        body.append(
            rect(
                x + left * cell,
                top + first * cell,
                (stop - left) * cell,
                (end - first) * cell,
                fill(BLOCK),
            )
        )
        body += tiles_of_b(x, top, end - first, stop - left, size)
        body.append(
            text(x, top + size + 18, f"{blocks[kernel]} blocks; block 0: rows {first} to {end - 1}")
        )
    body.append(text(at[2], top - 10, describe))
    body += box(
        at[2],
        top,
        192,
        84,
        f"{blocks[describe]} blocks,|a thread for each column|finds what bounds need",
        BLOCK,
    )
    names = (
        "largest",
        "squares of|slice 0",
        "squares of|slice 1",
        "squares of|slice 2",
        "squares of|rounding",
    )
    places = [(12, 120)] + [(at[1] + 116 * i, 108) for i in range(4)]
    for name, (x, wide) in zip(names, places):
        body += box(x, memory, wide, 48, name, WARP)
    body += [
        arrow(60, top + size + 28, 60, memory - 4),
        text(70, memory - 20, "atomicMax"),
        arrow(136, memory + 16, at[1] - 6, top + size - 14),
        text(226, memory - 4, "read"),
        arrow(at[1] + 54, top + size + 28, at[1] + 54, memory - 4),
        text(at[1] + 64, memory - 20, "atomicAdd"),
        arrow(at[2] + 90, memory - 4, at[2] + 90, top + 90),
        text(at[2] + 100, memory - 20, "all five are read"),
    ]
    return svg(
        782,
        memory + 60,
        "The kernels that slice columns, and the sums that their blocks share",
        body,
    )


def pictures():
    yield "maxima_71.svg", draw_maxima()
    yield "columns_72.svg", draw_columns()
