"""Steps 13 and 15: which lane of a warp holds what of A and B, and which sums, from their traces."""
from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, fill, legend, rect, svg, text
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


def pictures():
    yield "fragments_13.svg", draw_fragments(
        "13_double_tensor", 4 * (32 + 4), 4 * (64 + 8),
        "numbers: lanes; k goes from left to right in A, and down in B", "16 rows, 8 k", "8 k, 8 columns",
    )
    slices = "16 rows, 8 words of each", "8 columns of B, 8 words of each"
    yield "fragments_15.svg", draw_fragments(
        "15_tensor_core", 240, 240, "numbers: lanes; a word is four slices along k", *slices
    )
