"""Step 09, from a trace: which elements of C a thread has, 16 apart, and what it reads for them."""
from figures.drawing import BLOCK, BOLD, REQUEST, WARP, legend, panel, svg, text
from figures.traces import chosen, first_tile_loads, trace_of, words

STEP, SIDE, CELL = "09_register_tiled", 64, 6  # n: block 0 computes all of C


def layers(rows):
    """Of a panel: the block, its warp 0, that warp's lane 0."""
    warp = [row for row in rows if row["warp"] == 0]
    lane = [row for row in warp if row["lane"] == 0]
    return (words(rows), BLOCK), (words(warp), WARP), (words(lane), REQUEST)


def first_k(loads, count, of_column):
    """The loads for k = 0: a thread makes count of them. Offsets are those of a row of words, or of
    a column."""
    base, low = (
        min(row["offset"] for row in loads),
        [row for row in loads if row["request"] < count],
    )
    wide = min(row["offset"] - base for row in low if row["offset"] > base) if of_column else 4
    return [{**row, "offset": (row["offset"] - base) // wide * 4} for row in low]


def draw_scalar_tile():
    rows = trace_of(STEP, SIDE, SIDE)
    stores = chosen(rows, "device_c", "store")
    own = words(row for row in stores if row["warp"] == row["lane"] == 0)
    tall, broad = len({word // SIDE for word in own}), len({word % SIDE for word in own})
    loads_a, loads_b = first_tile_loads(rows)
    loads_a, loads_b = first_k(loads_a, tall, True), first_k(loads_b, broad, False)
    assert len(words(loads_a)) == len(words(loads_b)) == SIDE

    left, top, side = 12, 118, SIDE * CELL
    x, y = left + 40, top + 36
    body = [
        text(left, 20, f"{STEP}: a thread's {len(own)} elements of C, and what it reads", BOLD),
        text(left, 42, "For one k: above C a row of B's tile, left of it a column of A's."),
    ]
    body += legend(
        left,
        68,
        ((REQUEST, "lane 0 of warp 0"), (WARP, "the rest of warp 0"), (BLOCK, "other warps")),
    )
    body += panel(x, top, SIDE, 1, layers(loads_b), "B, 64 words", CELL)
    body += panel(left, y, 1, SIDE, layers(loads_a), "A", CELL)
    body += panel(x, y, SIDE, SIDE, layers(stores), "", CELL)
    read = sum(row["warp"] == row["lane"] == 0 for row in loads_a + loads_b)
    shared_a, shared_b = (
        len(words(row for row in loads if row["warp"] == 0)) for loads in (loads_a, loads_b)
    )
    lines = (
        f"A lane reads {tall} + {broad} words of shared",
        f"memory and makes {len(own)} products: {read / len(own):g}",
        "words for each. In step 08: 2.",
        "",
        f"Warp 0 reads {shared_a} words of A's column",
        f"and all {shared_b} of B's row. It computes",
        f"{shared_a} whole rows of the tile.",
        "",
        "Lanes 0 to 15 have 16 neighbours of a",
        "row, so that loads and stores of global",
        "memory fill their sectors.",
    )
    beside = x + side + 28
    body += [text(beside, y + 16 + 20 * i, line) for i, line in enumerate(lines) if line]
    return svg(
        beside + 270,
        y + side + 14,
        f"{STEP}: which elements of C a thread has, and what it reads",
        body,
    )


def pictures():
    yield "access_09_register_tiled.svg", draw_scalar_tile()
