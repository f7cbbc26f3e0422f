"""Steps 75 and 77: the kernels of a small product, from what inspect says and from a trace."""
from figures.drawing import BLOCK, BOLD, INK, REQUEST, WARP, arrow, box, fill, legend, rect, rule
from figures.drawing import stroke, svg, text
from figures.launches import constant, launches_of, observe, of_kernel, requests, run_inspect

N, PADDED, SMS = 300, 384, "132"  # SMs of an H200
SMALL_BEFORE, SMALL = "74_halves", "75_small"
WORDS = 8  # of a sector
SHARED, WHOLE, SIDE = "76_quick_bound", "77_whole_columns", 512


def draw_chain(x, y, launches):
    """A memset and the kernels after it; an arrow: waits for."""
    body, x = box(x, y, 76, 48, "memset", BLOCK), x + 96
    for kernel, blocks in launches:
        name = kernel.removesuffix("_kernel")
        colour = REQUEST if kernel == launches[-1][0] else WARP
        body += [arrow(x - 18, y + 24, x - 3, y + 24)]
        body += box(x, y, 126, 48, f"{name}|{blocks} blocks", colour)
        x += 146
    return body


def draw_small():
    tile = constant("TILE", "common/sliced_product.h")
    strip = constant("STRIP", "common/strips.h")
    cluster = constant("CLUSTER", "common/clusters.h")
    assert (PADDED // tile) ** 2 <= int(SMS) // cluster, "step 74 takes no halves"
    size, scale = 192, 192 / PADDED
    body = [text(12, 20, f"What makes a product of n = {N}, in the order of the launches", BOLD)]
    body += legend(12, 42, ((WARP, "slices and what they need"), (REQUEST, "the product")))
    for y, step in ((84, SMALL_BEFORE), (174, SMALL)):
        words = run_inspect(step, N, {"CUDACPU_MULTIPROCESSORS": SMS})
        launches = [(kernel, blocks) for kernel, blocks, _ in launches_of(words)]
        body += [text(12, y - 10, step), *draw_chain(12, y, launches)]
    assert launches[-1] == ("double_kernel", PADDED // strip * (PADDED // tile))
    for x, step, tall in ((12, SMALL_BEFORE, tile // 2), (400, SMALL, strip)):
        y, many = 280, PADDED // tall * (PADDED // tile)
        body.append(text(x, y - 30, f"{step}: C, {PADDED} x {PADDED} with its padding"))
        body.append(text(x, y - 12, f"{many} blocks have work, on {SMS} SMs"))
        for down in range(0, PADDED, tall):
            for over in range(0, PADDED, tile):
                place = (x + over * scale, y + down * scale, tile * scale - 1, tall * scale - 1)
                body.append(rect(*place, fill(REQUEST)))
        body.append(text(x + size + 12, y + 20, f"a block: {tall} x {tile}"))
        kind = "sums of six products" if step == SMALL_BEFORE else "sums in double"
        body.append(text(x + size + 12, y + 40, kind))
    return svg(842, 280 + size + 12, "The kernels of a small product in steps 74 and 75", body)


def first_load(step, kernel):
    """(words and rows of the trace: first load of warp 0 of block 0, as (row, column) of B)"""
    words, rows = observe(step, SIDE - 100)
    loads = of_kernel(rows, kernel, "load")
    if kernel == "slice_columns_kernel":  # the largest elements are read before
        loads = [row for row in loads if row["line"] != loads[0]["line"]]
    first = next(some for some in requests(loads) if some[0]["warp"] == 0)
    begin = min(row["offset"] for row in first)
    places = {divmod((row["offset"] - begin) // 4, SIDE) for row in first}
    kernels = [entry for entry in launches_of(words) if "column" in entry[0]]
    return places, kernels


def draw_whole():
    bk = constant("BK", "common/tile_images.h")
    tile = constant("TILE", "common/sliced_product.h")
    whole = constant("WHOLE", f"{WHOLE}/matmult.cu")
    cell, size, apart = 10, 192, 398
    body = [
        text(12, 20, f"A block's part of B, n = {SIDE}, and the first load of its warp 0", BOLD)
    ]
    body += legend(
        12,
        44,
        (
            (REQUEST, "words of the load"),
            (WARP, "the rest of their sectors"),
            (BLOCK, "block 0's part of B"),
        ),
    )
    for at, (step, kernel, wide, tall) in enumerate(
        ((SHARED, "slice_columns_kernel", tile, bk), (WHOLE, "whole_columns_kernel", whole, SIDE))
    ):
        x, y = 12 + apart * at, 100
        places, kernels = first_load(step, kernel)
        assert max(column for _, column in places) < wide, "wider than its block"
        blocks = {name: count for name, count, _ in kernels}
        assert blocks[kernel] == SIDE // wide * (SIDE // tall), "another grid"
        sectors = {(row, column // WORDS) for row, column in places}
        body.append(text(x, y - 16, f"{step}: {len(places)} words of {len(sectors)} sectors"))
        for row in range(8):
            for column in range(32):
                colour = (
                    REQUEST
                    if (row, column) in places
                    else WARP
                    if (row, column // WORDS) in sectors
                    else None
                )
                if colour:
                    body.append(
                        rect(x + column * cell, y + row * cell, cell - 1, cell - 1, fill(colour))
                    )
        body.append(rect(x, y, 32 * cell, 8 * cell, stroke(INK)))
        body += [
            rule(x + i * WORDS * cell, y, x + i * WORDS * cell, y + 8 * cell, 0.8)
            for i in (1, 2, 3)
        ]
        body.append(text(x, y + 98, "8 rows and 32 columns of B; lines: sectors"))
        y += 124
        scale = size / SIDE
        top = 0 if tall == SIDE else SIDE - tall
        body.append(rect(x, y + top * scale, max(wide * scale, 3), tall * scale, fill(BLOCK)))
        body.append(rect(x, y, size, size, stroke(INK)))
        if tall < SIDE:
            body += [
                rule(x, y + i * scale, x + size, y + i * scale, 0.6)
                for i in range(tall, SIDE, tall)
            ]
            body += [
                rule(x + i * scale, y, x + i * scale, y + size, 0.6)
                for i in range(wide, SIDE, wide)
            ]
        for i, (name, blocks, _) in enumerate(kernels):
            body.append(text(x + size + 10, y + 14 + 48 * i, name.removesuffix("_kernel")))
            body.append(text(x + size + 10, y + 31 + 48 * i, f"{blocks} blocks"))
    return svg(
        12 + apart + 340, 100 + 124 + size + 12, "Parts of B of a block in steps 76 and 77", body
    )


def pictures():
    yield "launches_75.svg", draw_small()
    yield "sectors_77.svg", draw_whole()
