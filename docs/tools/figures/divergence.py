"""Divergence: the lanes of a warp over time, as bench/sm/divergence.cu times them on an H200."""
import results
from figures.drawing import BLOCK, BOLD, INK, REQUEST, WARP, fill, legend, rect, stroke, svg, text

LANES, HIGH = 32, 4  # HIGH: pixels of a lane
WIDE = 160  # pixels of a millisecond
COLOURS = (WARP, REQUEST, BLOCK, INK)
RULES = (
    "unsigned side = threadIdx.x / unit % WAYS;",
    "if (threadIdx.x % 32 < lanes)",
)


def times():
    """{(who, ways, lanes): ms}"""
    return {
        (row["who"], int(row["ways"]), int(row["lanes"])): float(row["ms"])
        for row in results.rows("docs/results/sm.csv", "divergence")
    }


def draw_lanes(x, y, ms, sides, works):
    """A warp from x on: side after side, and in each the lanes that works(lane, side) names."""
    wide, body = ms * WIDE, []
    body.append(rect(x, y, wide, LANES * HIGH, stroke(INK), 'stroke-opacity="0.6"'))
    for side in range(sides):
        for lane in range(LANES):
            if works(lane, side):
                place = (round(x + wide * side / sides, 1), y + lane * HIGH, round(wide / sides, 1), HIGH)
                body.append(rect(*place, fill(COLOURS[side % len(COLOURS)])))
    return body


def draw_divergence():
    with open("bench/sm/divergence.cu", encoding="utf-8") as file:
        source = file.read()
    assert all(rule in source for rule in RULES), "bench/sm/divergence.cu: another rule"
    known, left, top = times(), 46, 74
    body = [
        text(12, 20, "The 32 lanes of one warp; time goes to the right, as measured", BOLD),
        *legend(12, 42, [(colour, f"side {i}") for i, colour in enumerate(COLOURS)]),
        text(330, 42, "(further sides in the same colours; empty: the lane waits)"),
        text(12, top + 14, "lane"), text(12, top + 30, "0"), text(12, top + LANES * HIGH, "31"),
    ]
    whole, x = LANES * HIGH, left
    panels = (
        ("all agree", known["by lane", 1, 32], 1, lambda lane, side: True),
        ("2 sides", known["by lane", 2, 32], 2, lambda lane, side: lane % 2 == side),
        ("4 sides", known["by lane", 4, 32], 4, lambda lane, side: lane % 4 == side),
        ("1 lane works", known["some lanes", 1, 1], 1, lambda lane, side: lane == 0),
        ("8 sides", known["by lane", 8, 32], 8, lambda lane, side: lane % 8 == side),
        ("8 sides, whole warps: this warp", known["by warp", 8, 32], 1, lambda lane, side: True),
    )
    y, right = top, 0
    for number, (name, ms, sides, works) in enumerate(panels):
        if number == 4:
            x, y = left, y + whole + 66
        body += draw_lanes(x, y, ms, sides, works)
        body += [text(x, y - 8, name), text(x, y + whole + 17, f"{ms:.2f} ms")]
        right = max(right, x + ms * WIDE)
        x += ms * WIDE + 68
    return svg(right + 190, y + whole + 30, "Lanes of a warp that take different sides of an if", body)


def pictures():
    yield "divergence.svg", draw_divergence()
