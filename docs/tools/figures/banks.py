"""Step 10 and the 32 banks of shared memory: storing A's tile in three layouts, and loading B's with
two orders of the lanes. The layouts are computed here, the step's own is held against its trace."""
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, fill, legend, rect, rule, svg, text
from figures.traces import chosen, first_request, first_tile_loads, trace_of

STEP, N = "10_vectorized", 256
BANKS, LANES = 32, 32
BM = 128  # rows of A's tile
GREEN = "#3d9a50"
COLOURS = (REQUEST, WARP, GREEN, BLOCK)
CELL, LEFT = 24, 12


def place_of(lane):
    """(column, row) of A's tile to which a lane of warp 0 stores the first of its four floats."""
    return lane % 4 * 4, lane // 4


LAYOUTS = (  # name, what it does, the word of (column, row)
    ("plain", f"a column of A takes {BM} words", lambda column, row: column * BM + row),
    (
        "padded, the step's",
        f"a column of A takes {BM} + 4 words",
        lambda column, row: column * (BM + 4) + row,
    ),
    (
        "swizzled",
        "row XOR 8 (column / 4), no padding",
        lambda column, row: column * BM + (row ^ column // 4 * 8),
    ),
)


def wavefronts_of(word_of):
    """[{bank: lane}]: which lane each bank serves in each wavefront of the store."""
    queues = {}
    for lane in range(LANES):
        queues.setdefault(word_of(*place_of(lane)) % BANKS, []).append(lane)
    return [
        {bank: lanes[turn] for bank, lanes in queues.items() if len(lanes) > turn}
        for turn in range(max(map(len, queues.values())))
    ]


def check_padded(rows):
    """The step's trace has the words of LAYOUTS[1]."""
    stores = chosen(rows, "shared", "store")
    first = min(row["line"] for row in stores)
    stores = first_request([row for row in stores if row["line"] == first])
    base = min(row["offset"] for row in stores)
    seen = {row["lane"]: (row["offset"] - base) // 4 for row in stores}
    expected = {lane: LAYOUTS[1][2](*place_of(lane)) for lane in range(LANES)}
    assert seen == expected, "the step does not store A's tile as this picture says"


def draw_cell(x, y, wide, colour, words):
    return [
        rect(x + 1, y + 1, wide - 2, CELL - 2, fill(colour)),
        text(x + wide / 2, y + CELL / 2 + 4, words, MIDDLE, fill("white"), 'font-size="11"'),
    ]


def draw_grid(x, y, rows, columns, wide):
    return [rule(x + wide * i, y, x + wide * i, y + CELL * rows) for i in range(columns + 1)] + [
        rule(x, y + CELL * i, x + wide * columns, y + CELL * i) for i in range(rows + 1)
    ]


def draw_banks():
    check_padded(trace_of(STEP, N, N))
    x = LEFT + 26
    body = [
        text(LEFT, 20, "Where warp 0 stores 32 floats of A, transposed, with one instruction", BOLD),
        text(LEFT, 42, "columns: the 32 banks; rows: wavefronts; numbers: lanes"),
    ]
    body += legend(
        LEFT,
        66,
        [(COLOURS[i], f"column {place_of(i)[0]} of the tile") for i in range(len(COLOURS))],
    )
    y = 100
    for name, what, word_of in LAYOUTS:
        turns = wavefronts_of(word_of)
        count = f"{len(turns)} wavefront{'s' if len(turns) > 1 else ''}"
        body.append(text(LEFT, y, f"{name}: {what}: {count}"))
        y += 10
        body += [
            text(x + CELL * (bank + 0.5), y + 10, bank, MIDDLE, 'font-size="10"')
            for bank in range(BANKS)
        ]
        y += 16
        body += draw_grid(x, y, len(turns), BANKS, CELL)
        for turn, served in enumerate(turns):
            body.append(text(LEFT, y + CELL * turn + 16, turn + 1))
            for bank, lane in sorted(served.items()):
                cell = (x + CELL * bank, y + CELL * turn, CELL)
                body += draw_cell(*cell, COLOURS[lane % len(COLOURS)], lane)
        y += CELL * len(turns) + 34
    return svg(x + CELL * BANKS + 12, y - 14, "The banks of three layouts of A's tile", body)


def serve(vectors):
    """Wavefronts of a load of 16 bytes a lane, each a set of lanes; vectors[lane]: which 16 bytes.
    By quarter warps, two together where lanes in pairs want the same: docs/inspect.md.
    """
    turns = []
    for first in range(0, LANES, 16):
        half = range(first, first + 16)
        paired = any(all(vectors[i] == vectors[i ^ bit] for i in half) for bit in (1, 2))
        size = 16 if paired else 8
        turns += [range(i, i + size) for i in range(first, first + 16, size)]
    for turn in turns:  # no two words of a bank: none needs more than one
        assert len({vectors[lane] for lane in turn}) <= BANKS // 4
    return turns


def draw_lanes():
    _, loads = first_tile_loads(trace_of(STEP, N, N))
    loads = first_request(loads)
    base = min(row["offset"] for row in loads)
    own = {row["lane"]: (row["offset"] - base) // 16 for row in loads}
    orders = (
        ("lane % 8: eight lanes a row", {lane: lane % 8 for lane in range(LANES)}),
        ("the step's: pairs of lanes, two apart, want the same", own),
    )
    wide, x, y = CELL * 4, LEFT + 26, 76
    body = [
        text(LEFT, 20, "Which lanes get their 16 bytes of a row of B's tile at a time", BOLD),
        text(LEFT, 42, "columns: four banks, 16 bytes; rows: wavefronts; numbers: lanes"),
    ]
    for name, vectors in orders:
        turns = serve(vectors)
        body.append(text(LEFT, y, f"{name}: {len(turns)} wavefronts"))
        y += 10
        body += [
            text(x + wide * (i + 0.5), y + 10, f"{4 * i} to {4 * i + 3}", MIDDLE, 'font-size="10"')
            for i in range(BANKS // 4)
        ]
        y += 16
        body += draw_grid(x, y, len(turns), BANKS // 4, wide)
        for number, turn in enumerate(turns):
            body.append(text(LEFT, y + CELL * number + 16, number + 1))
            for vector in sorted(set(vectors.values())):
                lanes = ", ".join(str(lane) for lane in turn if vectors[lane] == vector)
                body += draw_cell(x + wide * vector, y + CELL * number, wide, WARP, lanes)
        y += CELL * len(turns) + 34
    return svg(x + CELL * BANKS + 12, y - 14, "The wavefronts of a 16-byte load of B's tile", body)


def pictures():
    yield "banks_10.svg", draw_banks()
    yield "lanes_10.svg", draw_lanes()
