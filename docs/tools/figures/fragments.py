"""Steps 13 and 15: which lane of a warp holds what of A and B, and which sums; step 16: whose
address ldmatrix reads, and whose register gets it. From their traces."""
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, arrow, fill, legend, rect, svg, text
from figures.traces import chosen, trace_of

N = 128
CELL, LEFT, TOP = 26, 12, 108
GREEN = "#3d9a50"
COLOURS = (REQUEST, WARP, GREEN, BLOCK)


def first_requests(rows, count, pitch):
    """[{lane: (row, word)}] of warp 0's first requests among those of the first of its lines."""
    own = [row for row in rows if row["warp"] == 0]
    barriers, line = min((row["barriers"], row["line"]) for row in own)
    own = [row for row in own if (row["barriers"], row["line"]) == (barriers, line)]
    base = min(row["offset"] for row in own)
    found = []  # a line may have several loads, each with requests of its own number
    for row in own:
        at = row["offset"] - base
        for request in found:
            if request["number"] == row["request"] and row["lane"] not in request["lanes"]:
                break
        else:
            request = {"number": row["request"], "lanes": {}}
            found.append(request)
        request["lanes"][row["lane"]] = (at // pitch, at % pitch // 4)
    found.sort(key=lambda request: request["number"])
    return [request["lanes"] for request in found[:count]]


def draw_map(x, name, what, rows, columns, held):
    body = [text(x, TOP - 34, name, BOLD), text(x, TOP - 16, what, 'font-size="11"')]
    assert len({place for part in held for place in part.values()}) == rows * columns
    for part, lanes in enumerate(held):
        for lane, (row, column) in lanes.items():
            at = (x + CELL * column, TOP + CELL * row)
            body += [
                rect(at[0] + 1, at[1] + 1, CELL - 2, CELL - 2, fill(COLOURS[part])),
                text(at[0] + CELL / 2, at[1] + 17, lane, MIDDLE, fill("white"), 'font-size="11"'),
            ]
    return body


def draw_fragments(step, pitch_a, pitch_b, note, what_a, what_b):
    """pitch: bytes of a row of a tile in shared memory, padding included."""
    rows = trace_of(step, N, N)
    loads = [row for row in chosen(rows, "shared", "load") if row["warp"] == 0]
    first = min(row["line"] for row in loads)
    of_a = first_requests([row for row in loads if row["line"] == first], 4, pitch_a)
    of_b = first_requests([row for row in loads if row["line"] != first], 2, pitch_b)
    stores = [row for row in rows if row["kind"] == "store" and row["memory"] != "shared"]
    sums = first_requests(stores, 4, 4 * N)
    body = [
        text(LEFT, 20, "What the lanes of warp 0 hold for one mma.sync", BOLD),
        text(LEFT, 42, note),
    ]
    body += draw_map(LEFT, "A", what_a, 16, 8, of_a)
    body += draw_map(LEFT + 9 * CELL, "B", what_b, 8, 8, of_b)
    body += draw_map(LEFT + 18 * CELL, "sums", "16 rows, 8 columns of C", 16, 8, sums)
    names = [(COLOURS[i], f"register {i}") for i in range(len(COLOURS))]
    body += legend(LEFT, TOP + 16 * CELL + 28, names)
    wide = 2 * LEFT + 26 * CELL
    return svg(wide, TOP + 16 * CELL + 42, f"Fragments of a warp in step {step[:2]}", body)


def draw_ldmatrix():
    """Its first one for a fragment of A; what each lane gets must be the fragment of step 15."""
    wide, segment, pitch = 4 * CELL, 16, 64 + 16  # pixels, bytes, bytes of a row in shared memory
    rows = [row for row in trace_of("16_warp_tiles", N, N) if row["warp"] == 0]
    base = min(row["offset"] for row in chosen(rows, "shared", "store"))
    of_a = 3 * 128 * pitch  # bytes of A's tile
    loads = [row for row in chosen(rows, "shared", "load") if row["offset"] - base < of_a][:32]
    given = {row["lane"]: divmod(row["offset"] - base, pitch) for row in loads}
    assert sorted(given) == list(range(32))
    got = [{} for _ in range(4)]  # by the manual: matrix m's word w of row r goes to lane 4 r + w
    for lane, (row, byte) in given.items():
        for word in range(segment // 4):
            got[lane // 8][4 * (lane % 8) + word] = (row, byte // 4 + word)
    rows_15 = [row for row in trace_of("15_tensor_core", N, N) if row["warp"] == 0]
    loads = chosen(rows_15, "shared", "load")
    first = min(row["line"] for row in loads)
    assert got == first_requests([row for row in loads if row["line"] == first], 4, 240)
    body = [
        text(LEFT, 20, "One ldmatrix of warp 0: a fragment of A, 16 rows x 32 slices", BOLD),
        text(LEFT, 42, "a box at the left: 16 bytes of a row of the tile; at the right: a word"),
        text(LEFT, TOP - 34, "whose address", BOLD),
        text(LEFT, TOP - 16, "lanes 0 to 7: matrix 0, ...", 'font-size="11"'),
    ]
    for lane, (row, byte) in given.items():
        at = (LEFT + wide * (byte // segment), TOP + CELL * row)
        body += [
            rect(at[0] + 1, at[1] + 1, wide - 2, CELL - 2, fill(COLOURS[lane // 8])),
            text(at[0] + wide / 2, at[1] + 17, f"lane {lane}", MIDDLE, fill("white"),
                 'font-size="11"'),
        ]
    x = LEFT + 11 * CELL
    body.append(arrow(LEFT + 8 * CELL + 12, TOP + 8 * CELL, x - 12, TOP + 8 * CELL))
    body += draw_map(x, "whose register", "matrix i goes to register i", 16, 8, got)
    names = [(COLOURS[i], f"matrix {i}, register {i}") for i in range(len(COLOURS))]
    body += legend(LEFT, TOP + 16 * CELL + 28, names[:2])
    body += legend(LEFT, TOP + 16 * CELL + 48, names[2:])
    wide, high = x + 8 * CELL + LEFT, TOP + 16 * CELL + 62
    return svg(wide, high, "Addresses and registers of ldmatrix", body)


def pictures():
    yield "fragments_13.svg", draw_fragments(
        "13_double_tensor", 4 * (32 + 4), 4 * (64 + 8),
        "numbers: lanes; k goes from left to right in A, and down in B", "16 rows, 8 k", "8 k, 8 columns",
    )
    slices = "16 rows, 8 words of each", "8 columns of B, 8 words of each"
    yield "fragments_15.svg", draw_fragments(
        "15_tensor_core", 240, 240, "numbers: lanes; a word is four slices along k", *slices
    )
    yield "ldmatrix_16.svg", draw_ldmatrix()
