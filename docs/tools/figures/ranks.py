"""Steps 35 and 36: what four ranks have, send and multiply, held against what inspect counts."""
import functools
import re

from figures.drawing import BLOCK, BOLD, INK, MIDDLE, REQUEST, WARP, fill, legend, rect, stroke
from figures.drawing import svg, text
from figures.launches import launches_of
from runs import Runs

FLOATS, SLICES = "35_sharded", "36_many_gpus"
N, RANKS, FLOAT = 512, 4, 4
FINDINGS = 1044  # bytes that go to the host with C
COLUMNS = 8  # of B, in a block of slice_columns_kernel
DEVICE = re.compile(r"^device (\d)" + r"\s+(\d+)" * 4, re.M)
PARTNER = (
    "(r->number + i) % r->count"  # whose slices a rank gets in round i, and multiplies with then
)


@functools.cache
def inspect_ranks(step):
    """The chapter shows the output of the same command, which need not be run twice."""
    command = f"CUDACPU_DEVICES={RANKS} CUDACPU_MULTIPROCESSORS=8 ./{step}/inspect -n {N}"
    status, lines = Runs().output_of(command)
    assert status == 0, f"'{command}' ends with status {status}: {lines[-1]}"
    return "\n".join(lines)


def bytes_of(words):
    """[(from the host, to the host, from devices, to devices)] of each rank."""
    found = [tuple(map(int, numbers[1:])) for numbers in DEVICE.findall(words)]
    assert len(found) == RANKS and len(set(found)) == 1, "ranks are not alike"
    return found


def draw_shards():
    words = inspect_ranks(FLOATS)
    counted = bytes_of(words)
    share = N * N * FLOAT // RANKS
    blocks = next(count for name, count, _ in launches_of(words) if name == "slice_columns_kernel")
    size, gap, wide, top = 80, 8, 204, 76
    part = size / RANKS
    body = [text(12, 20, f"{FLOATS}: what each of {RANKS} ranks has, n = {N}", BOLD)]
    body += legend(
        12,
        44,
        (
            (REQUEST, "from the host"),
            (WARP, "from the other ranks"),
            (BLOCK, "computed, to the host"),
        ),
    )
    for rank, (up, down, received, _) in enumerate(counted):
        assert (up, received) == (2 * share, (RANKS - 1) * share) and down == share + FINDINGS
        x = 12 + wide * rank
        at_b = (x + size + gap, top)
        body.append(text(x, top + 14, f"rank {rank}"))
        for other in range(RANKS):
            colour = REQUEST if other == rank else WARP
            body.append(rect(at_b[0] + other * part, at_b[1], part - 1, size, fill(colour)))
        body.append(rect(*at_b, size, size, stroke(INK)))
        y = top + size + gap
        for name, left, colour in (("A", x, REQUEST), ("C", at_b[0], BLOCK)):
            body.append(rect(left, y + rank * part, size, part - 1, fill(colour)))
            body.append(rect(left, y, size, size, stroke(INK)))
            body.append(text(left + size / 2, y + size + 16, name, MIDDLE))
        body.append(text(at_b[0] + size + 6, top + 14, "B"))
        for line, entry in enumerate(
            (f"up: {up} bytes", f"received: {received} bytes", f"slices {blocks * COLUMNS} columns of B")
        ):
            body.append(text(x, y + size + 42 + 18 * line, entry))
    y = top + 2 * size + gap + 100
    draw_needs(body, y)
    return svg(12 + wide * RANKS, y + 150, "The shards of four ranks", body)


def draw_needs(body, y):
    """What one of 16 ranks needs of A and B: for rows of C, and for a square of it."""
    many, side, size, gap = 16, 4, 80, 8
    body.append(text(12, y + 12, f"What one of {many} ranks needs of A and B for its part of C", BOLD))
    y += 30
    for x, name, high, wide in (
        (12, f"1D, rows of C: {many + 1}/{many} n²", size / many, size),
        (420, f"2D, a square of C: {2 * side}/{many} n²", size / side, size / side),
    ):
        body.append(text(x, y + 12, name))
        top = y + 24
        fields = (("A", high, size), ("B", size, wide), ("C", high, wide))
        for i, (matrix, down, right) in enumerate(fields):
            left = x + (size + 28) * i
            colour = BLOCK if matrix == "C" else WARP
            body += [
                rect(left, top, right, down, fill(colour)),
                rect(left, top, size, size, stroke(INK)),
                text(left + size + 6, top + 14, matrix),
            ]


def draw_rounds():
    with open(f"{SLICES}/matmult.cu", encoding="utf-8") as file:
        assert file.read().count(PARTNER) == 2, "another order of rounds"
    words = inspect_ranks(SLICES)
    products = int(re.search(r"^matmult_kernel.*: (\d+) launches", words, re.M)[1])
    assert products == RANKS * RANKS, "not a product for each rank's columns"
    received = bytes_of(words)[0][2]
    floats = bytes_of(inspect_ranks(FLOATS))[0][2]
    cell, high, wide, left, top = 32, 24, 176, 72, 112
    body = [
        text(
            12,
            20,
            f"{SLICES}: the slices of B that each of {RANKS} ranks has, by rank that made them",
            BOLD,
        )
    ]
    body += legend(
        12,
        44,
        ((REQUEST, "multiplied now"), (WARP, "arriving meanwhile"), (BLOCK, "multiplied before")),
    )
    for i in range(RANKS):
        x = left + wide * i
        body.append(
            text(x, top - 34, f"product {i + 1}" + (f", round {i + 1}" if i + 1 < RANKS else ""))
        )
        for part in range(RANKS):
            body.append(text(x + cell * (part + 0.5), top - 12, str(part), MIDDLE))
    for rank in range(RANKS):
        y = top + (high + 12) * rank
        body.append(text(12, y + 17, f"rank {rank}"))
        for i in range(RANKS):
            now, then = (rank + i) % RANKS, (rank + i + 1) % RANKS
            before = {(rank + earlier) % RANKS for earlier in range(i)}
            for part in range(RANKS):
                colour = (
                    REQUEST
                    if part == now
                    else BLOCK
                    if part in before
                    else WARP
                    if part == then
                    else None
                )
                place = (left + wide * i + cell * part, y, cell - 2, high)
                body.append(rect(*place, fill(colour) if colour else stroke(INK)))
    y = top + (high + 12) * RANKS + 16
    body.append(
        text(
            12,
            y,
            f"n = {N}: a rank receives {received} bytes, {received // (RANKS - 1)} in each round;"
            f" in step 35, as floats: {floats}.",
        )
    )
    return svg(left + wide * RANKS, y + 14, "Rounds in which slices go from rank to rank", body)


def pictures():
    yield "shards_35.svg", draw_shards()
    yield "rounds_36.svg", draw_rounds()
