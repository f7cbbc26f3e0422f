"""Step 66: the error bounds of a row of C beside what they are held against. The operands are drawn
here, the arithmetic is the step's."""
import math
import random
import re

from figures.arithmetic import single
from figures.bounds import ALLOWED, Vector, dot, judge
from figures.drawing import BLOCK, BOLD, END, REQUEST, WARP, circle, fill, legend, rect, rule
from figures.drawing import svg, text

N, COLUMNS, STEP = 300, 24, "66_magnitudes/matmult.cu"
LEFT, WIDE, HIGH, LOW, TOP = 70, 14, 170, -8.5, -5.5  # pixels; powers of ten of |A| |B|


def rounding_of_bound():
    """What the source takes from the lower bound for its own rounding."""
    with open(STEP, encoding="utf-8") as file:
        return float(re.search(r"least = ([\d.]+)f \* 0x1p32f", file.read()).group(1))


def lower_bound(left, right, part):
    products = dot(map(abs, left.slices[0]), map(abs, right.slices[0]))
    return part * 65536**2 * products - left.rest * right.all - left.all * right.rest


def draw_row(x, y, name, value, part):
    """One row of A and COLUMNS columns of B."""
    left, *columns = (Vector([single(value()) for _ in range(N)]) for _ in range(1 + COLUMNS))
    place = lambda share: y + HIGH * (TOP - math.log10(max(share, 10**LOW))) / (TOP - LOW)
    body, counts = [text(x, y - 12, name, BOLD)], [0, 0]
    for power in range(math.ceil(LOW), math.floor(TOP) + 1):
        body.append(rule(x, place(10.0**power), x + COLUMNS * WIDE, place(10.0**power)))
        if x == LEFT:
            body.append(text(x - 8, place(10.0**power) + 4, f"1e{power}", END))
    for j, right in enumerate(columns):
        made, bound = judge(left, right)
        least = lower_bound(left, right, part)
        magnitude = math.fsum(abs(a * b) for a, b in zip(left.exact, right.exact))
        assert least <= magnitude, "not a lower bound"
        allowed = ALLOWED * abs(made), ALLOWED * least
        counts = [count + (bound <= most) for count, most in zip(counts, allowed)]
        middle = x + WIDE * j + WIDE / 2
        body.append(rect(middle - 7, place(bound / magnitude) - 1.5, 14, 3, fill(REQUEST)))
        body.append(circle(middle, place(allowed[0] / magnitude), 3.5, fill(BLOCK)))
        body.append(circle(middle, place(allowed[1] / magnitude), 3.5, fill(WARP)))
    bottom = y + HIGH
    body.append(text(x, bottom + 20, f"good by the element: {counts[0]} of {COLUMNS}"))
    body.append(text(x, bottom + 38, f"good by the lower bound: {counts[1]} of {COLUMNS}"))
    return body


def draw_magnitudes():
    draw, part = random.Random(26), rounding_of_bound()
    allowed = f"{1e6 * ALLOWED:g}e-6"
    words = f"Error bounds of {COLUMNS} elements of a row, as parts of |A| |B|, n = {N}"
    body = [text(12, 20, words, BOLD)]
    body += legend(12, 42, (
        (REQUEST, "error bound"), (BLOCK, f"{allowed} of |element|"),
        (WARP, f"{allowed} of the lower bound of |A| |B|"),
    ))
    body += draw_row(LEFT, 86, "between -1 and 1", lambda: draw.uniform(-1, 1), part)
    right = LEFT + COLUMNS * WIDE + 24
    body += draw_row(right, 86, "standard normal", lambda: draw.gauss(0, 1), part)
    wide = right + COLUMNS * WIDE + 12
    return svg(wide, 86 + HIGH + 50, "What the error bounds of step 66 are held against", body)


def pictures():
    yield "magnitudes_66.svg", draw_magnitudes()
