"""Step 08: real floats on their way through three tiles of a blocked sum."""
import random

from figures.arithmetic import single
from figures.drawing import (
    BOLD,
    INK,
    REQUEST,
    WARP,
    arrow,
    box,
    fill,
    path,
    rect,
    stroke,
    svg,
    text,
)

TILE, N, FIRST, SHOWN = 16, 1000, 40, 3
LEFT, WIDE, APART = 12, 230, 272


def sum_in_tiles(products, keep_carry):
    """(sum before, partial sum, sum after, carry) of each tile. A product of two floats is exact in
    double, so an fmaf is its sum with the partial sum, rounded to float."""
    total, partial, steps = 0.0, 0.0, []
    for start in range(0, len(products), TILE):
        for product in products[start : start + TILE]:
            partial = single(partial + product)
        after = single(total + partial)
        carry = single(partial - single(after - total)) if keep_carry else 0.0
        steps.append((total, partial, after, carry))
        total, partial = after, carry
    return steps


def draw_tile(x, number, step):
    """One tile: products, their sum, what the large sum takes of it, what is left."""
    _, partial, after, carry = step
    top = 92
    body = [
        text(x, 64, f"tile {number}"),
        rect(x, top - 18, 12, 14, fill(REQUEST)),
    ]
    body += [rect(x + 22 + 13 * i, top - 18, 11, 14, fill(WARP)) for i in range(TILE)]
    body += box(x, top + 16, WIDE, 28, f"partial {partial:.9g}", WARP)
    body += box(x + 76, top + 72, WIDE - 76, 28, f"lost {carry:.3g}", REQUEST)
    body += box(x, top + 128, WIDE, 28, f"sum {after:.9g}", INK)
    body += [
        arrow(x + WIDE / 2, top - 2, x + WIDE / 2, top + 14),
        arrow(x + 38, top + 46, x + 38, top + 126),
        arrow(x + 150, top + 126, x + 150, top + 102),
    ]
    return body


def draw_blocked_sum():
    chance = random.Random(8)
    pairs = [(single(chance.random()), single(chance.random())) for _ in range(N)]
    products = [a * b for a, b in pairs]
    steps = sum_in_tiles(products, True)
    body = [text(LEFT, 20, "Three tiles of a blocked sum of 1000 products, in real floats", BOLD)]
    body.append(
        text(
            LEFT,
            40,
            "blue: 16 products, added by one fmaf each; orange: what the sum had no room for "
            "begins the next partial sum",
        )
    )
    for number in range(SHOWN):
        x = LEFT + number * APART
        body += draw_tile(x, FIRST + number, steps[FIRST + number])
        if number + 1 < SHOWN:
            body.append(arrow(x + WIDE + 2, 234, x + APART - 2, 234))
            up = f"M{x + WIDE + 2} 178h20V81"
            body += [path(up, stroke(REQUEST, 1.5)), arrow(x + WIDE + 22, 81, x + APART - 2, 81)]
    exact = sum(products)
    plain = 0.0
    for product in products:
        plain = single(plain + product)
    results = (
        ("one plain sum", plain),
        ("partial sums, nothing kept", sum_in_tiles(products, False)[-1][2]),
        ("partial sums, the loss kept", steps[-1][2]),
    )
    line = "; ".join(f"{name}: {abs(value / exact - 1):.1e}" for name, value in results)
    body += [
        text(LEFT, 284, f"Relative error after all {N} products:"),
        text(LEFT, 304, line),
    ]
    return svg(
        LEFT + SHOWN * APART - 30,
        320,
        "What each tile adds to a blocked sum, and what is lost",
        body,
    )


def pictures():
    yield "blocked_sum_08.svg", draw_blocked_sum()
