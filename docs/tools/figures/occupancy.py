"""How the blocks of steps 09 to 11 share the registers and the shared memory of an SM: from what ptxas
says of the kernels, and from what an H200 says of itself."""
import math
import re

from figures.drawing import BOLD, DASHED, INK, MIDDLE, REQUEST, WARP
from figures.drawing import fill, legend, rect, stroke, svg, text
from figures.hardware import H200, SAID

COMPILED = "docs/results/registers.txt"
THREADS = 256  # of a block in all three
WARP_REGISTERS = 8  # a warp gets registers for each lane in steps of these: CUDA guide
RESERVED = 1024  # bytes of shared memory that the system takes for each block: CUDA guide
TM, TN = 8, 8  # of the large tile
DYNAMIC = {"11_occupancy": TM * TN * THREADS * 4}  # bytes: a float for each sum
WIDE, HIGH, LEFT = 560, 26, 150


def compiled(step):
    """(registers of a thread, bytes of static shared memory) of the step's kernel of the largest tile."""
    with open(COMPILED, encoding="utf-8") as file:
        part = file.read().split(f"# {step}\n")[1].split("#")[0]
    return max(
        (tuple(map(int, numbers)) for numbers in re.findall(r"Used (\d+) .* (\d+) bytes smem", part)),
        key=lambda pair: pair[1],
    )


def needs(step):
    """(registers, bytes of shared memory) that a block of the step takes."""
    registers, static = compiled(step)
    registers = math.ceil(registers / WARP_REGISTERS) * WARP_REGISTERS
    return registers * THREADS, static + DYNAMIC.get(step, 0) + RESERVED


def draw_bar(x, y, each, blocks, all_of_it):
    """A bar for each block, each with its share where there is room, else all shares behind them."""
    wide = WIDE * each / all_of_it
    body = [rect(x, y, WIDE, HIGH - 4, stroke(INK), DASHED)]
    for i in range(blocks):
        body.append(rect(x + wide * i + 1, y + 1, wide - 2, HIGH - 6, fill((WARP, REQUEST)[i % 2])))
        if wide > 60:
            centre = (x + wide * (i + 0.5), y + 16)
            body.append(text(*centre, f"{each:,}", MIDDLE, fill("white"), 'font-size="11"'))
    if wide <= 60:
        words = f"{each:,} each" if blocks > 1 else f"{each:,}"
        body.append(text(x + wide * blocks + 6, y + 16, words, 'font-size="11"'))
    return body


def draw_occupancy():
    shared = SAID["bytes of shared memory in an SM"]
    body = [
        text(12, 20, "What the blocks on one SM of an H200 take", BOLD),
        text(
            12,
            42,
            f"a frame is all that the SM has: {H200['registers']:,} registers, "
            f"{shared:,} bytes of shared memory",
        ),
    ]
    body += legend(12, 66, ((WARP, "one block"), (REQUEST, "the next")))
    y = 100
    for step in ("09_register_tiled", "10_vectorized", "11_occupancy"):
        registers, own = needs(step)
        blocks = min(H200["registers"] // registers, shared // own)
        warps = blocks * THREADS // 32
        body += [
            text(12, y, step, BOLD),
            text(
                LEFT,
                y,
                f"{blocks} block{'s' if blocks > 1 else ''}, {warps} warps of 64: "
                f"{warps // 4} for each of the four schedulers",
            ),
            text(12, y + 26, "registers"),
            *draw_bar(LEFT, y + 10, registers, blocks, H200["registers"]),
            text(12, y + 26 + HIGH, "shared memory"),
            *draw_bar(LEFT, y + 10 + HIGH, own, blocks, shared),
        ]
        y += 10 + 2 * HIGH + 26
    return svg(LEFT + WIDE + 12, y - 10, "Registers and shared memory of an SM, by blocks", body)


def pictures():
    yield "occupancy_11.svg", draw_occupancy()
