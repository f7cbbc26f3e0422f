"""Steps 15 and 16: what a warp loads for its elements of C, from their traces."""
from figures.drawing import BLOCK, BOLD, REQUEST, WARP, fill, legend, rect, rule, svg, text
from figures.traces import chosen, trace_of

N, SCALE = 512, 2.5  # pixels for a row of A or a column of B
SLICES, BK, PAIRS = 3, 64, 6  # slices, k between two barriers, pairs of slices that are multiplied
FRAGMENT_ROWS, FRAGMENT_COLUMNS, FRAGMENT_K = 16, 8, 32  # of one mma.sync
VECTOR_15, VECTOR_16 = 240, 80  # bytes from one vector to the next in shared memory


def runs(numbers):
    """[(first, count)] of neighbours."""
    found = []
    for number in sorted(numbers):
        if found and sum(found[-1]) == number:
            found[-1][1] += 1
        else:
            found.append([number, 1])
    return [tuple(run) for run in found]


def loads_15(loads, base):
    """(rows of A, columns of B): the tiles of A and B have a line of the source each."""
    line = min(row["line"] for row in loads)
    first = {own: base + (0 if own else 64 * VECTOR_15) for own in (True, False)}
    return [
        {(row["offset"] - first[own]) // VECTOR_15 for row in loads if (row["line"] == line) == own}
        for own in (True, False)
    ]


def loads_16(loads, base):
    """As above: three slices of 128 rows of A, then three of 64 columns of B."""
    vectors = {(row["offset"] - base) // VECTOR_16 for row in loads}
    of_a = SLICES * 128
    return [
        {vector % 128 for vector in vectors if vector < of_a},
        {(vector - of_a) % 64 for vector in vectors if vector >= of_a},
    ]


def warp_0(step, divide, wide):
    """(rows of A, columns of B, elements of C, bytes loaded for 32 k) of warp 0 of block 0."""
    rows = trace_of(step, N, N)
    shared = [row for row in rows if row["memory"] == "shared"]
    loads = [row for row in chosen(shared, "shared", "load") if row["warp"] == 0]
    first = min(row["barriers"] for row in loads)
    loads = [row for row in loads if row["barriers"] == first]
    of_a, of_b = divide(loads, min(row["offset"] for row in chosen(shared, "shared", "store")))
    stores = [row for row in rows if row["memory"] != "shared" and row["kind"] == "store"]
    corner = min(row["offset"] for row in stores) // 4
    words = {row["offset"] // 4 - corner for row in stores if row["warp"] == 0}
    elements = {(word // N, word % N) for word in words}
    assert elements == {(i, j) for i in of_a for j in of_b}, f"{step}: another part of C"
    moved = len(loads) * wide * FRAGMENT_K // BK
    assert moved == (len(of_a) + len(of_b)) * SLICES * FRAGMENT_K
    return of_a, of_b, moved


def draw_step(x, y, name, high, wide, of_a, of_b, moved):
    """The tile of C with the rows of A at its left and the columns of B above it."""
    left, top = x + 44, y + 68
    shape = f"{name}: a warp has {len(of_a)} x {len(of_b)}"
    body = [text(x, y, shape, BOLD), text(left, y + 22, f"B: {len(of_b)} of {wide} columns")]
    body.append(rect(left, top - 36, wide * SCALE, 28, fill(BLOCK), 'fill-opacity="0.5"'))
    body.append(rect(left - 36, top, 28, high * SCALE, fill(BLOCK), 'fill-opacity="0.5"'))
    body.append(rect(left, top, wide * SCALE, high * SCALE, fill(BLOCK), 'fill-opacity="0.5"'))
    for first, count in runs(of_b):
        body.append(rect(left + first * SCALE, top - 36, count * SCALE, 28, fill(WARP)))
    for first, count in runs(of_a):
        body.append(rect(left - 36, top + first * SCALE, 28, count * SCALE, fill(WARP)))
    for row, tall in runs(of_a):
        for column, broad in runs(of_b):
            at = (left + column * SCALE, top + row * SCALE)
            body.append(rect(*at, broad * SCALE, tall * SCALE, fill(REQUEST)))
            right, bottom = at[0] + broad * SCALE, at[1] + tall * SCALE
            for i in range(0, tall + 1, FRAGMENT_ROWS):
                body.append(rule(at[0], at[1] + i * SCALE, right, at[1] + i * SCALE, 0.9))
            for j in range(0, broad + 1, FRAGMENT_COLUMNS):
                body.append(rule(at[0] + j * SCALE, at[1], at[0] + j * SCALE, bottom, 0.9))
    products = len(of_a) * len(of_b) // (FRAGMENT_ROWS * FRAGMENT_COLUMNS) * PAIRS
    right = left + wide * SCALE + 14
    for line, words in enumerate((
        f"A: {len(of_a)} of {high} rows", "", f"for {FRAGMENT_K} k, {SLICES} slices:",
        f"{moved} bytes loaded,", f"{products} mma.sync:", f"{moved // products} bytes for each",
    )):
        if words:
            body.append(text(right, top + 14 + 18 * line, words))
    return body


def draw_warp_tiles():
    body = [text(12, 20, "What warp 0 loads for its elements of a block's tile of C", BOLD)]
    body += legend(12, 44, (
        (WARP, "slices that the warp loads"), (REQUEST, "its elements: a box is a fragment"),
        (BLOCK, "of the block's other warps"),
    ))
    own = warp_0("15_tensor_core", loads_15, 4)
    body += draw_step(12, 78, "15_tensor_core", 64, 64, *own)
    own = warp_0("16_warp_tiles", loads_16, 16)
    body += draw_step(380, 78, "16_warp_tiles", 128, 64, *own)
    return svg(736, 78 + 68 + 128 * SCALE + 12, "What a warp loads in steps 15 and 16", body)


def pictures():
    yield "warp_tiles_16.svg", draw_warp_tiles()
