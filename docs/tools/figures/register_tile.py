"""Step 10, from a trace: which elements of C a warp's lanes have, and what they read for them."""
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, fill, legend, rect, svg, text
from figures.traces import chosen, first_tile_loads, trace_of, words

STEP, N = "10_vectorized", 256
VECTOR = 4  # words of a load: float4, which the trace does not tell
CELL = 8  # of a word of warp 0
SMALL = 1  # of a word of the block's tile


def cell(x, y, wide, high, colour, label=""):
    """A rectangle with the page's colour around it; label in its middle."""
    body = [rect(x + 0.5, y + 0.5, wide - 1, high - 1, fill(colour))]
    if label:
        centre = (x + wide / 2, y + high / 2 + 4)
        body.append(text(*centre, label, MIDDLE, fill("white"), 'font-size="11"'))
    return body


def places(rows):
    """(row, column) of the elements of C that rows write."""
    return sorted(divmod(word, N) for word in words(rows, VECTOR))


def colour_of(lane):
    return REQUEST if lane == 0 else WARP


def draw_squares(x, y, stores):
    """The elements of warp 0, by lanes: squares of VECTOR x VECTOR elements."""
    body = []
    for lane in range(32):
        squares = {
            (row // VECTOR, column // VECTOR)
            for row, column in places(row for row in stores if row["lane"] == lane)
        }
        for row, column in sorted(squares):
            side = VECTOR * CELL
            body += cell(x + column * side, y + row * side, side, side, colour_of(lane), str(lane))
    return body


def draw_factors(loads, of_row, x, y):
    """The words of a factor that warp 0 reads at the first k: a row of B, or a column of A."""
    base = min(row["offset"] for row in loads)
    body = []
    first = {}  # vector of words: the first lane that asks for it
    for row in sorted(loads, key=lambda row: row["lane"], reverse=True):
        if row["warp"] == 0:
            first[(row["offset"] - base) // 4] = row["lane"]
    for word, lane in sorted(first.items()):
        side = VECTOR * CELL
        body += (
            cell(x + word * CELL, y, side, 18, colour_of(lane))
            if of_row
            else cell(x, y + word * CELL, 18, side, colour_of(lane))
        )
    return body


def first_k(loads, vectors):
    """Of a tile's loads those for the first k: each thread makes vectors of them for a k."""
    return [row for row in loads if row["request"] < vectors]


def draw_inset(x, y, tile, stores):
    """The block's tile of C, by warps."""
    body = [
        text(x, y - 26, f"block 0: a tile of {tile} x {tile}"),
        text(x, y - 8, "of C, by warps"),
    ]
    for warp in range(max(row["warp"] for row in stores) + 1):
        own = places(row for row in stores if row["warp"] == warp)
        (top, left), (bottom, right) = own[0], own[-1]
        body += cell(
            x + left * SMALL,
            y + top * SMALL,
            (right - left + 1) * SMALL,
            (bottom - top + 1) * SMALL,
            WARP if warp == 0 else BLOCK,
            str(warp),
        )
    return body


def draw_register_tile():
    rows = trace_of(STEP, N, N)
    stores = chosen(rows, "device_c", "store")
    tile = max(row for row, _ in places(stores)) + 1
    own = places(row for row in stores if row["warp"] == row["lane"] == 0)
    vectors_a, vectors_b = (len({place[side] for place in own}) // VECTOR for side in (0, 1))
    loads_a, loads_b = first_tile_loads(rows)
    loads_a, loads_b = first_k(loads_a, vectors_a), first_k(loads_b, vectors_b)
    stores_0 = [row for row in stores if row["warp"] == 0]
    high, wide = (places(stores_0)[-1][side] + 1 for side in (0, 1))

    left, top = 12, 116
    x, y = left + 44, top + 32
    body = [
        text(
            left,
            20,
            f"{STEP}: the {high} x {wide} elements of C that warp 0 of a block computes",
            BOLD,
        ),
        text(
            left,
            42,
            f"numbers: lanes, a square is {VECTOR} x {VECTOR} elements; "
            "beside it what the warp reads of shared memory for one k",
        ),
    ]
    body += legend(
        left,
        66,
        (
            (REQUEST, "lane 0"),
            (WARP, "the other lanes of warp 0"),
            (BLOCK, "the other warps of block 0"),
        ),
    )
    body += [
        text(x, top - 8, f"a row of B's tile: {wide} words"),
        text(left, y + high * CELL + 20, f"a column of A's tile: {high} words"),
    ]
    body += (
        draw_factors(loads_b, True, x, top)
        + draw_factors(loads_a, False, left, y)
        + draw_squares(x, y, stores_0)
    )
    body += draw_inset(x + wide * CELL + 32, y, tile, stores)

    read = VECTOR * sum(row["warp"] == row["lane"] == 0 for row in loads_a + loads_b)
    loaded = sum(len(chosen(rows, memory, "load")) for memory in ("device_a", "device_b"))
    lines = (
        f"For one k a lane reads {read} words of shared memory and makes {len(own)} products "
        f"with them: {read / len(own):g} words for each. "
        "In step 07: 2.",
        f"From global memory the block reads {loaded / len(stores):g} words for each element of C "
        f"at n = {N}: each word serves {tile} products.",
    )
    bottom = y + high * CELL + 46
    body += [text(left, bottom + 20 * number, line) for number, line in enumerate(lines)]
    return svg(
        834, bottom + 34, f"{STEP}: what warp 0 reads, and which elements of C its lanes have", body
    )


def pictures():
    yield "access_10_vectorized.svg", draw_register_tile()
