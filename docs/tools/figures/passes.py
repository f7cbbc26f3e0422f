"""Step 67: which slices its two passes copy and multiply, and the way of a strip: by lines of the
source, which are looked for there; how many strips took which way is from docs/results."""
import re

import results
from figures.drawing import BLOCK, BOLD, END, MIDDLE, REQUEST, WARP
from figures.drawing import arrow, box, fill, legend, rect, stroke, svg, text

SOURCE, DATA = "67_second_pass/matmult.cu", "docs/results/magnitudes_outliers.csv"
LINES = (
    "for (int e = 0; d + e < (pass == 1 ? SLICES : 1); e++)",
    "*flag = !again ? 0 : pass == 1 ? (int)SECOND : (int)IN_DOUBLE;",
    "start_bulk_copy(s->a, a, TILE_BYTES, full);",  # in pipeline.h, both passes
)
SLICES, CELL = 3, 40
NOTE = re.compile(r"(\d+) strips of 16 x 128 elements were computed in double")
SECOND = re.compile(r"(\d+) strips were held against")


def check_source():
    found = ""
    for path in (SOURCE, "common/pipeline.h"):
        with open(path, encoding="utf-8") as file:
            found += file.read()
    for line in LINES:
        assert line in found, f"{SOURCE}: no longer has {line}"


def strips(operands, outlier, factor):
    """(strips that took the second pass, and double) of step 67 at n = 8192."""
    (note,) = [
        row["note"]
        for row in results.rows(DATA)
        if (row["step"], row["operands"], row["outlier"], row["factor"])
        == ("67_second_pass", operands, outlier, factor)
    ]
    return tuple(int((part.search(note) or [0, 0])[1]) for part in (SECOND, NOTE))


def draw_pass(x, y, number, name):
    """The pairs of slices that a pass multiplies."""
    body, pairs = [text(x, y, name, BOLD)], 0
    sign = "|" if number == 2 else ""
    for d in range(SLICES):
        body.append(text(x + 30, y + 62 + d * CELL, f"{sign}x0{sign}" if not d else f"x{d}", END))
        at = x + 36 + CELL / 2 + d * CELL
        body.append(text(at, y + 28, f"{sign}y0{sign}" if not d else f"y{d}", MIDDLE))
        for e in range(SLICES):
            cell = (x + 36 + e * CELL, y + 36 + d * CELL, CELL - 3, CELL - 3)
            multiplied = d + e < (SLICES if number == 1 else 1)
            pairs += multiplied
            body.append(rect(*cell, fill(WARP) if multiplied else stroke(BLOCK)))
    for line, words in enumerate((f"copied: {2 * SLICES} slices", f"products: {pairs}")):
        body.append(text(x, y + 182 + 18 * line, words))
    return body


def draw_passes():
    check_source()
    body = [text(12, 20, "67_second_pass: what a pass multiplies, and the way of a strip", BOLD)]
    body += legend(12, 42, ((WARP, "pairs of slices that are multiplied"), (REQUEST, "a flag")))
    body += draw_pass(12, 74, 1, "first pass") + draw_pass(212, 74, 2, "second pass")
    x, wide = 412, 150
    for number, words in enumerate(("first pass", "second pass", "double_kernel")):
        body += box(x, 66 + 74 * number, wide, 36, words, (WARP, WARP, BLOCK)[number])
        if number < 2:
            flag = ("SECOND", "IN_DOUBLE")[number]
            middle = x + wide / 2
            body.append(arrow(middle, 66 + 74 * number + 38, middle, 66 + 74 * number + 72))
            body.append(rect(middle + 12, 66 + 74 * number + 48, 12, 12, fill(REQUEST)))
            body.append(text(middle + 29, 66 + 74 * number + 59, flag))
            at = 84 + 74 * number
            body.append(arrow(x + wide + 4, at, x + wide + 40, at))
            body.append(text(x + wide + 46, at + 4, "its elements are good"))
    y = 284
    body.append(text(412, y - 12, "strips of 32768 at n = 8192:"))
    for line, (name, *case) in enumerate((
        ("uniform", "uniform", "none", "1"),
        ("an outlier in A", "uniform", "element of A", "1000"),
        ("standard normal", "normal", "none", "1"),
    )):
        second, double = strips(*case)
        words = f"{name}: {second} to the second pass, {double} to double"
        body.append(text(412, y + 8 + 18 * line, words))
    return svg(824, y + 56, "The passes of step 67 and the way of a strip", body)


def pictures():
    yield "passes_67.svg", draw_passes()
