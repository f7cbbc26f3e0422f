"""What is under way between two barriers in steps 11 and 12, drawn from their traces."""
from figures.drawing import BOLD, MIDDLE, REQUEST, WARP, fill, legend, rect, rule, svg, text
from figures.traces import GRAIN, chosen, stages, trace_of

N, CELL, LEFT, HIGH = 128, 26, 200, 20


def intervals(rows, memory, kind, stage=None):
    """Between which barriers rows ask for that memory, or for a stage of it."""
    return sorted(
        {
            row["barriers"]
            for row in chosen(rows, memory, kind)
            if stage is None or row["offset"] // GRAIN in stage
        }
    )


def entries_11(rows):
    (tiles,) = stages(rows)
    return (
        ("global memory to registers", intervals(rows, "device_a", "load"), REQUEST),
        ("registers to the tiles", intervals(rows, "shared", "store", tiles), REQUEST),
        ("the tiles are multiplied", intervals(rows, "shared", "load", tiles), WARP),
    )


def entries_12(rows):
    for number, stage in enumerate(stages(rows)):
        yield f"copied to stage {number}", intervals(rows, "shared", "store", stage), REQUEST
        yield f"stage {number} is multiplied", intervals(rows, "shared", "load", stage), WARP


def draw_step(body, y, step, entries, order):
    """order(own, colour): the intervals among which the pairs of tiles are numbered.
    Returns where the next step begins."""
    body.append(text(12, y + 12, step, BOLD))
    y += 24
    for number, (name, own, colour) in enumerate(entries):
        body.append(text(12, y + HIGH * number + 14, name))
        for i in own:
            body += [
                rect(LEFT + i * CELL + 1, y + HIGH * number + 1, CELL - 2, HIGH - 3, fill(colour)),
                text(
                    LEFT + i * CELL + CELL / 2,
                    y + HIGH * number + 14,
                    order(own, colour).index(i),
                    fill("white"),
                    MIDDLE,
                    'font-size="12"',
                ),
            ]
    for i in range(max(max(own) for _, own, _ in entries) + 2):
        body.append(rule(LEFT + i * CELL, y - 3, LEFT + i * CELL, y + HIGH * len(entries) + 2, 0.6))
    return y + HIGH * len(entries) + 22


def draw_pipeline():
    body = [
        text(12, 20, f"What block 0 does between two barriers, n = {N}", BOLD),
        text(
            12,
            40,
            "columns: from one barrier to the next (not a measure of time); "
            "numbers: which pair of tiles",
        ),
    ]
    body += legend(12, 62, ((REQUEST, "loaded, or written to shared memory"), (WARP, "multiplied")))
    y = draw_step(
        body,
        84,
        "11_occupancy",
        entries_11(trace_of("11_occupancy", N, N)),
        lambda own, _: own,
    )
    entries = list(entries_12(trace_of("12_async_copy", N, N)))
    pairs = {
        colour: sorted(i for _, own, c in entries if c == colour for i in own)
        for colour in (REQUEST, WARP)
    }
    y = draw_step(body, y, "12_async_copy", entries, lambda _, colour: pairs[colour])
    return svg(
        LEFT + 17 * CELL + 24, y, "What is under way between two barriers in steps 11 and 12", body
    )


def pictures():
    yield "pipeline_12.svg", draw_pipeline()
