"""Real floats, bit by bit: an addition of Kahan's sum, a product by 8-bit slices."""
import math
import struct

from figures.drawing import (
    BLOCK,
    BOLD,
    DASHED,
    INK,
    MIDDLE,
    REQUEST,
    WARP,
    fill,
    legend,
    rect,
    stroke,
    svg,
    text,
)


def single(value):
    """Rounded to float."""
    return struct.unpack("f", struct.pack("f", value))[0]


def draw_kahan():
    """One step of Kahan's sum, bit under bit."""
    total, term = single(250.123), single(0.2918273)
    after = single(total + term)
    lost = single(single(after - total) - term)
    high, low, cell, left, top = 7, -25, 18, 170, 66
    kept = 2.0**-16  # the last bit of total, and of after
    body = [
        text(12, 20, "One addition of Kahan's sum: each column is a bit", BOLD),
        text(12, 40, "orange: bits of the term that the sum has no room for"),
    ]
    for weight in (high, 0, -8, -16, -24):
        body.append(
            text(
                left + (high - weight) * cell + cell / 2,
                top - 8,
                f'2<tspan dy="-4" font-size="9">{weight}</tspan>',
                MIDDLE,
            )
        )
    for number, (name, value) in enumerate(
        (("sum", total), ("term", term), ("next", after), ("compensation", lost))
    ):
        y = top + 26 * number
        body.append(text(12, y + 14, name + (" (negative)" if value < 0 else "")))
        bits = int(abs(value) * 2**-low)
        assert bits == abs(value) * 2**-low, "a bit that has no column"
        last = max(2.0 ** (math.frexp(value)[1] - 24), 2.0**low)
        for weight in range(high, low - 1, -1):
            if not last <= 2.0**weight <= abs(value):
                continue
            x, beyond = left + (high - weight) * cell, 2.0**weight < kept
            body += [
                rect(x, y, cell - 2, 19, stroke(REQUEST, 2) if beyond else stroke(BLOCK)),
                text(
                    x + cell / 2 - 1,
                    y + 14,
                    bits >> (weight - low) & 1,
                    MIDDLE,
                    'font-family="monospace"',
                ),
            ]
    y = top + 26 * 4 + 18
    body += [
        text(
            12,
            y,
            f"sum {total:.9g}, term {term:.9g}, next {after:.9g}; "
            f"not rounded it would be {total + term:.12g}.",
        ),
        text(
            12,
            y + 20,
            f"compensation (next - sum) - term = {lost:.6g}: subtracted from the next term.",
        ),
    ]
    return svg(
        left + (high - low + 1) * cell + 12,
        y + 34,
        "What an addition loses, and where it goes",
        body,
    )


def slices_of(value, largest):
    """(X, its three slices, scale) as step 14 has them for an element of a row or a column."""
    fraction, exponent = math.frexp(largest)
    scale = math.ldexp(math.floor(127 / fraction), 16 - exponent)
    whole = round(value * scale)
    low = (whole + 128) % 256 - 128
    middle = ((whole - low) // 256 + 128) % 256 - 128
    return whole, ((whole - low) // 256 - middle) // 256, middle, low, scale


def sum_of(name, value, scale, whole, slices):
    return (
        f"{name} = {value:.9g}, times {scale:.9g} and rounded: {name.upper()} = {whole} = "
        f"65536 x {slices[0]} + 256 x ({slices[1]}) + ({slices[2]})"
    )


def draw_slices():
    """One product of two floats in slices: the six that are made, the three that are not."""
    x, y, largest_x, largest_y = (
        single(0.7314159),
        single(0.2718281),
        single(0.9987),
        single(0.9913),
    )
    whole_x, *slices_x, scale_x = slices_of(x, largest_x)
    whole_y, *slices_y, scale_y = slices_of(y, largest_y)
    for whole, slices in ((whole_x, slices_x), (whole_y, slices_y)):
        assert whole == 65536 * slices[0] + 256 * slices[1] + slices[2] and all(
            -128 <= s <= 127 for s in slices
        )
    colours, cell, left, top = (WARP, REQUEST, BLOCK), 110, 96, 118
    body = [
        text(12, 20, "A product of two floats from six products of 8-bit slices", BOLD),
        text(12, 42, sum_of("x", x, scale_x, whole_x, slices_x)),
        text(12, 62, sum_of("y", y, scale_y, whole_y, slices_y)),
    ]
    sums = [0, 0, 0]
    for p in range(3):
        body += [
            text(left + p * cell + cell / 2, top - 10, f"y{p} = {slices_y[p]}", MIDDLE),
            text(12, top + p * 50 + 30, f"x{p} = {slices_x[p]}"),
        ]
        for q in range(3):
            made = p + q < 3
            if made:
                sums[p + q] += slices_x[p] * slices_y[q]
            paint = fill(colours[p + q]) if made else f"{stroke(INK)} {DASHED}"
            place = (left + q * cell + 2, top + p * 50 + 2)
            body += [
                rect(*place, cell - 4, 46, 'rx="4"', paint),
                text(
                    left + q * cell + cell / 2,
                    top + p * 50 + 30,
                    slices_x[p] * slices_y[q],
                    MIDDLE,
                    *[fill("white")] * made,
                ),
            ]
    x_text = left + 3 * cell + 24
    for number in range(3):
        entry = colours[number], f"accumulator {number}: {sums[number]}"
        body += legend(x_text, top + 22 * number + 11, (entry,))
    total = 65536 * sums[0] + 256 * sums[1] + sums[2]
    result, exact = 65536 * total / scale_x / scale_y, x * y
    body += [
        text(x_text, top + 82, "dashed: left out"),
        text(
            12,
            top + 176,
            f"65536 x accumulator 0 + 256 x accumulator 1 + accumulator 2 = {total};  "
            f"X Y / 65536 = {whole_x * whole_y / 65536:.1f}",
        ),
        text(
            12,
            top + 198,
            f"Back in the scale of x y: {result:.10g}. In double: {exact:.10g}. "
            f"Relative difference {abs(result / exact - 1):.1e}.",
        ),
    ]
    return svg(
        740, top + 214, "The slices of two floats and the six products that are made of them", body
    )


def pictures():
    yield "kahan_bits.svg", draw_kahan()
    yield "slices_14.svg", draw_slices()
