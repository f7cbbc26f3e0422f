"""Waves: the blocks of a launch, as many at a time as the SMs have room for; the last one is not full."""
import math

from figures.drawing import BOLD, END, INK, WARP, fill, rect, stroke, svg, text
from figures.tile_order import constant, read, sms

HIGH, UNIT = 30, 34  # of a wave; UNIT: pixels of its time
WARPS = 64  # that an SM of compute capability 9.0 has room for


def launches():
    """(name, blocks, blocks on an SM at a time)"""
    threads = constant("02_naive_cuda/matmult.cu", "THREADS")
    assert "(THREADS, 2) /* two blocks on an SM */" in read("12_async_copy/matmult.cu")
    tiles = math.ceil(8192 / constant("12_async_copy/matmult.cu", "BM"))
    return (
        ("133 blocks, one on an SM", 133, 1),
        ("02, n = 1000", math.ceil(1000 / threads) * 1000, WARPS * 32 // threads),
        ("12, n = 8192", tiles * tiles, 2),
    )


def draw_waves():
    left, y = 186, 64
    body = [
        text(12, 20, f"The blocks of a launch on {sms()} SMs, wave after wave; time goes to the right", BOLD),
        text(12, 42, "filled: the part of the places in which a block runs"),
    ]
    for name, blocks, resident in launches():
        places = sms() * resident
        waves = math.ceil(blocks / places)
        for wave in range(waves):
            part = min(1, blocks / places - wave)
            x = left + wave * UNIT
            body.append(rect(x, y, UNIT - 2, HIGH, stroke(INK), 'stroke-opacity="0.6"'))
            body.append(rect(x, round(y + HIGH * (1 - part), 1), UNIT - 2, round(HIGH * part, 1), fill(WARP)))
        body.append(text(left - 10, y + 20, name, END))
        words = f"{blocks} blocks / {places} places = {blocks / places:.2f}: the time of {waves} waves"
        body.append(text(left, y + HIGH + 17, words))
        y += HIGH + 42
    return svg(left + 16 * UNIT + 16, y - 10, "Waves of blocks, the last one not full", body)


def pictures():
    yield "waves.svg", draw_waves()
