"""Step 20: the fields of wgmma's matrix descriptor, with the values that the step's source gives."""
import re

from figures.drawing import BLOCK, BOLD, MIDDLE, REQUEST, WARP, fill, rect, rule, svg, text

BIT, LEFT, TOP, HIGH = 11, 12, 62, 26  # pixels
SMALL = 'font-size="11"'
FIELDS = (  # first bit, last bit, colour, name, value
    (0, 13, WARP, "address / 16", "of the first row's slices"),
    (16, 29, BLOCK, "leading offset / 16", "0: unused here"),
    (32, 45, REQUEST, "stride offset / 16", "{stride}: 8 rows, {bytes} bytes"),
    (49, 51, BLOCK, "base", "0"),
    (62, 63, REQUEST, "mode", "{mode}: 64 bytes"),
)


def values():
    with open("20_wgmma/wgmma.h", encoding="utf-8") as file:
        source = " ".join(file.read().split())
    assert "return address | stride << 32 | swizzle_64_bytes << 62;" in source, "other fields"
    assert "__cvta_generic_to_shared(slices) / 16," in source, "another address"
    with open("17_stages/swizzle.h", encoding="utf-8") as file:
        bk = int(re.search(r"BK = (\d+)", file.read()).group(1))
    rows = int(re.search(r"stride = (\d+) \* BK / 16,", source).group(1))
    mode = int(re.search(r"swizzle_64_bytes = (\d+);", source).group(1))
    return {"stride": rows * bk // 16, "bytes": rows * bk, "mode": mode}


def draw_descriptor():
    known, right = values(), LEFT + 64 * BIT
    body = [
        text(LEFT, 20, "The 64 bits of a matrix descriptor, bit 0 at the left", BOLD),
        rect(LEFT, TOP, 64 * BIT, HIGH, 'fill="none" stroke="#767d88"'),
    ]
    body += [rule(LEFT + BIT * i, TOP, LEFT + BIT * i, TOP + 4, 0.6) for i in range(1, 64)]
    for first, last, colour, name, value in FIELDS:
        x, wide = LEFT + BIT * first, BIT * (last - first + 1)
        middle = min(x + wide / 2, right - 46)
        body += [
            rect(x + 1, TOP + 1, wide - 2, HIGH - 2, fill(colour)),
            text(min(x + wide / 2, right - 24), TOP - 8, f"{first} to {last}", MIDDLE, SMALL),
            text(middle, TOP + HIGH + 18, name, MIDDLE),
            text(middle, TOP + HIGH + 36, value.format(**known), MIDDLE, SMALL),
        ]
    return svg(2 * LEFT + 64 * BIT, TOP + HIGH + 46, "The fields of a matrix descriptor", body)


def pictures():
    yield "descriptor_20.svg", draw_descriptor()
