"""Steps 19 and 20: the phases of the stages' barriers, and the 64-byte swizzle of 8 rows. What is
read, and where, is taken from or held against the trace of step 19."""
from figures.banks import CELL, COLOURS, draw_cell, draw_grid
from figures.drawing import BOLD, MIDDLE, REQUEST, WARP, fill, legend, rect, rule, svg, text
from figures.traces import chosen, trace_of

STEP, N = "19_bulk_copy", 512
STAGES, BM, BN, BK, SLICES = 3, 128, 64, 64, 3
STAGE = SLICES * (BM + BN) * BK
SEGMENT, LINE, ROWS = 16, 128, 8


def loads_of_step():
    return chosen(trace_of(STEP, N, N), "shared", "load")


def tiles_read(loads):
    """{(stage, interval between barriers)} in which the stage is read."""
    base = min(row["offset"] for row in loads)
    return {((row["offset"] - base) // STAGE, row["barriers"]) for row in loads}


def draw_phases(loads):
    read = sorted(tiles_read(loads), key=lambda own: own[1])
    first = read[0][1]
    assert read == [(k % STAGES, first + k) for k in range(N // BK)], "another order of stages"
    wide, high, left, y = 120, 58, 76, 92
    body = [
        text(12, 20, f"The stages of block 0 and the phases of their barriers, n = {N}", BOLD),
        text(12, 40, "columns: from one barrier of the block to the next (not a measure of time)"),
    ]
    body += legend(12, 64, ((REQUEST, "copied, at the latest until then"), (WARP, "multiplied")))
    for interval in range(first + N // BK + 1):
        x = left + wide * (interval - 1)
        if interval >= 1:
            body.append(rule(x, y - 6, x, y + STAGES * high, 0.6))
    for stage in range(STAGES):
        top = y + stage * high
        body += [text(12, top + 15, f"stage {stage}"), text(12, top + 38, f"full[{stage}]")]
        begin = 1
        for phase, (_, interval) in enumerate(own for own in read if own[0] == stage):
            tile = interval - first
            start = max(1, interval - STAGES + 1)
            x, end = left + wide * (start - 1), left + wide * (interval - 1)
            for from_x, to_x, colour in ((x, end, REQUEST), (end, end + wide, WARP)):
                body += [
                    rect(from_x + 1, top, to_x - from_x - 2, 20, fill(colour)),
                    text((from_x + to_x) / 2, top + 15, f"tile {tile}", MIDDLE, fill("white")),
                ]
            x = left + wide * (begin - 1)
            body += [
                rect(x + 1, top + 24, end - x - 2, 20, 'fill="none" stroke="#767d88"'),
                text((x + end) / 2, top + 39, f"phase {phase}, parity {phase % 2}", MIDDLE),
            ]
            begin = interval
    right = left + wide * (first + N // BK - 1)
    return svg(right + 12, y + STAGES * high + 4, "The phases of the barriers of step 19", body)


def place(row, segment, swizzled):
    """The byte of a segment among 8 rows."""
    return row * BK + SEGMENT * (segment ^ row // 2 % 4 if swizzled else segment)


def check_swizzle(loads):
    """ldmatrix reads the first 8 rows where this picture has them."""
    own = [row for row in loads if row["warp"] == 0]
    first = min((row["barriers"], row["line"], row["request"]) for row in own)
    seen = {
        row["lane"]: row["offset"]
        for row in own
        if (row["barriers"], row["line"], row["request"]) == first
    }
    expected = [place(v, 0, True) for v in range(ROWS)]
    assert [seen[v] - seen[0] for v in range(ROWS)] == expected, "another swizzle"


def draw_swizzle():
    wide, left, y = 64, 60, 70
    body = [
        text(12, 20, "Where 8 rows of a slice lie, 64 bytes of each", BOLD),
        text(12, 42, "columns: four banks, 16 bytes; a cell: row, segment; a colour: a core matrix"),
    ]
    for name, swizzled in (("plain", False), ("swizzled: segment XOR row / 2 % 4", True)):
        lines = ROWS * BK // LINE
        columns = {
            place(v, 0, swizzled) % LINE // SEGMENT for v in range(ROWS)
        }
        times = ROWS // len(columns)
        count = f"{times} wavefront{'s' if times > 1 else ''}"
        body.append(text(12, y, f"{name}: a core matrix is read in {count}"))
        y += 8
        body += draw_grid(left, y, lines, LINE // SEGMENT, wide)
        for line in range(lines):
            body.append(text(12, y + CELL * line + 16, f"+{line * LINE}"))
        for v in range(ROWS):
            for s in range(BK // SEGMENT):
                byte = place(v, s, swizzled)
                x = left + wide * (byte % LINE // SEGMENT)
                body += draw_cell(x, y + CELL * (byte // LINE), wide, COLOURS[s], f"{v}, {s}")
        y += CELL * lines + 34
    return svg(left + wide * 8 + 12, y - 18, "The 64-byte swizzle of 8 rows", body)


def pictures():
    loads = loads_of_step()
    check_swizzle(loads)
    yield "phases_19.svg", draw_phases(loads)
    yield "swizzle_20.svg", draw_swizzle()
