"""Steps 16 and 17: when a stage is copied and when it is multiplied, from their traces; where the
copies of steps 17 and 18 begin and end, from theirs."""
from figures.banks import CELL as ROW
from figures.banks import COLOURS, draw_cell, draw_grid
from figures.drawing import BOLD, END, MIDDLE, REQUEST, WARP
from figures.drawing import arrow, fill, legend, rect, rule, svg, text
from figures.traces import chosen, trace_of

N, BK, STAGES, CELL, LEFT, HIGH = 512, 64, 3, 40, 108, 24
SMALL = 'font-size="11"'
STAGE_17 = 3 * (128 + 64) * BK  # bytes


def intervals(rows, kind, stage):
    """{stage: between which barriers it is written, or read}; stage(row) says which."""
    found = {}
    for row in chosen(rows, "shared", kind):
        found.setdefault(stage(row), set()).add(row["barriers"])
    return {number: sorted(own) for number, own in found.items()}


def bar(x, y, first, end, colour, words):
    """From the interval first to the one before end."""
    wide = (end - first) * CELL
    return [
        rect(x + first * CELL + 1, y + 2, wide - 2, HIGH - 4, fill(colour)),
        text(x + first * CELL + wide / 2, y + 16, words, MIDDLE, fill("white"), SMALL),
    ]


def columns(y, high, count):
    return [rule(LEFT + i * CELL, y - 3, LEFT + i * CELL, y + high, 0.6) for i in range(count + 1)]


def draw_stages():
    body = [
        text(12, 20, f"Block 0 between two barriers, n = {N}: {N // BK} tiles along k", BOLD),
        text(12, 40, "columns: from one barrier to the next (not a measure of time); "
             "numbers: tiles"),
    ]
    body += legend(12, 62, ((REQUEST, "copied, or on its way"), (WARP, "multiplied")))
    rows, y = trace_of("16_warp_tiles", N, N), 92
    copied = intervals(rows, "store", lambda row: 0)[0]
    multiplied = intervals(rows, "load", lambda row: 0)[0]
    assert len(copied) == len(multiplied) == N // BK
    body.append(text(12, y, "16_warp_tiles: one stage", BOLD))
    y += 12
    body += columns(y, HIGH, multiplied[-1] + 1) + [text(12, y + 16, "the stage")]
    for tile in range(N // BK):
        body += bar(LEFT, y, copied[tile], copied[tile] + 1, REQUEST, f"{tile}")
        body += bar(LEFT, y, multiplied[tile], multiplied[tile] + 1, WARP, f"{tile}")
    rows, y = trace_of("17_stages", N, N), y + HIGH + 36
    base = min(row["offset"] for row in chosen(rows, "shared", "store"))
    stage_of = lambda row: (row["offset"] - base) // STAGE_17
    started = intervals(rows, "store", stage_of)
    read = intervals(rows, "load", stage_of)
    assert len(read) == STAGES, "another number of stages"
    body.append(text(12, y, f"17_stages: {STAGES} stages, two of them on their way", BOLD))
    y += 12
    last = max(max(own) for own in read.values())
    body += columns(y, STAGES * HIGH, last + 1)
    for stage in range(STAGES):
        top = y + stage * HIGH
        body.append(text(12, top + 16, f"stage {stage}"))
        assert len(started[stage]) == len(read[stage])
        for turn, (start, use) in enumerate(zip(started[stage], read[stage])):
            tile = turn * STAGES + stage
            assert use == tile + 1, "another order of the tiles"
            body += bar(LEFT, top, start, use, REQUEST, f"{tile}")
            body += bar(LEFT, top, use, use + 1, WARP, f"{tile}")
    wide = LEFT + 16 * CELL + 12
    return svg(wide, y + STAGES * HIGH + 12, "What is under way in steps 16 and 17", body)


SEGMENT, LINE, WIDE = 16, 128, 48  # bytes, bytes, pixels of a segment


def first_copy(step):
    """[(byte read, byte written)] by the lanes of the first copy of warp 0 of block 0, both from
    its first byte on; and what the lanes' first ldmatrix reads, from its lane 0 on."""
    rows = [row for row in trace_of(step, N, N) if row["warp"] == 0]
    copies = [row for row in chosen(rows, "shared", "store") if row["barriers"] == 0]
    line = min(row["line"] for row in copies)
    ends = []
    for memory, kind in (("", "load"), ("shared", "store")):
        own = [row for row in rows if row["kind"] == kind and row["line"] == line]
        own = [row for row in own if (row["memory"] == "shared") == (memory == "shared")][:32]
        assert [row["lane"] for row in own] == list(range(32)), "another order of the trace"
        ends.append([row["offset"] - own[0]["offset"] for row in own])
    own = chosen(rows, "shared", "load")[:32]
    return list(zip(*ends)), [row["offset"] - own[0]["offset"] for row in own]


def draw_lines(x, y, high, wide, names, held):
    """Lines of memory: names at their left; held: {(line, segment): (row, segment of it)}."""
    body = draw_grid(x, y, high, wide, WIDE)
    for line, name in enumerate(names):
        body.append(text(x - 6, y + ROW * line + 16, name, END, SMALL))
    for (line, place), (row, segment) in sorted(held.items()):
        at = (x + WIDE * place, y + ROW * line)
        body += draw_cell(*at, WIDE, COLOURS[segment], f"{row}, {segment}")
    return body


def draw_copies():
    (rows, read), (packed, read_18) = first_copy("17_stages"), first_copy("18_packed_tiles")
    distance = 3 * N  # bytes from a row's x0 to the next one's, between which are x1 and x2
    content = {to: divmod(start, distance) for start, to in rows}
    content = {to: (row, byte // SEGMENT) for to, (row, byte) in content.items()}
    assert sorted(content) == [SEGMENT * i for i in range(32)] and read == read_18
    assert all(start == to for start, to in packed), "step 18 does not copy byte for byte"
    count, lines = 32 * SEGMENT // BK, 32 * SEGMENT // LINE
    stage = {(to // LINE, to % LINE // SEGMENT): what for to, what in content.items()}
    left, right, y = 70, 356, 106
    body = [
        text(12, 20, "Where the 32 lanes of warp 0 copy from and to, 16 bytes each, "
             "with one instruction", BOLD),
        text(12, 40, "a cell: row, segment of 16 slices; beside it: bytes from the first one"),
    ]
    body += legend(12, 62, [(COLOURS[i], f"segment {i}") for i in range(BK // SEGMENT)])
    body.append(text(12, y - 12, f"17_stages: device memory, n = {N}", BOLD))
    body.append(text(right, y - 12, "stage: the copy swizzles", BOLD))
    plain = {what: what for what in content.values()}
    names = [f"+{row * distance}" for row in range(count)]
    body += draw_lines(left, y, count, BK // SEGMENT, names, plain)
    names = [f"+{line * LINE}" for line in range(lines)]
    body += draw_lines(right, y, lines, LINE // SEGMENT, names, stage)
    body.append(arrow(left + 4 * WIDE + 10, y + 48, right - 46, y + 48))
    y += ROW * count + 46
    body.append(text(12, y - 12, "18_packed_tiles: device memory, a packed tile; "
                     "the stage is the same, byte for byte", BOLD))
    body += draw_lines(left, y, lines, LINE // SEGMENT, names, stage)
    middle = left + 8 * WIDE
    body.append(arrow(middle + 12, y + 48, middle + 76, y + 48))
    body.append(text(middle + 88, y + 44, "stage: byte i of the tile"))
    body.append(text(middle + 88, y + 62, "goes to byte i"))
    return svg(right + 8 * WIDE + 12, y + ROW * lines + 12, "Copies of steps 17 and 18", body)


def pictures():
    yield "stages_17.svg", draw_stages()
    yield "copies_18.svg", draw_copies()
