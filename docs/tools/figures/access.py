"""Who reads what in steps 02 to 07, and where rows begin: drawn from traces."""
import collections

from figures.drawing import (
    BLOCK,
    BOLD,
    DASHED,
    INK,
    REQUEST,
    WARP,
    fill,
    legend,
    panel,
    path,
    rect,
    rule,
    stroke,
    svg,
    text,
)
from figures.fonts import width
from figures.traces import chosen, first_request, trace_of, words

SIDE, CELL, BANKS = 48, 5, 32  # a matrix on the device has SIDE rows and columns here
PICTURES = {
    "02_naive_cuda": SIDE,
    "04_row_shared": SIDE,
    "06_tiled": SIDE,
    "07_padded_noif": 40,
}  # with n


def count(n, one):
    return f"{n} {one}" + ("" if n == 1 else "s")


def asked(rows, shared=False):
    """The request in words."""
    line = f"{count(len({row['lane'] for row in rows}), 'lane')}, {count(len(words(rows)), 'word')}"
    return (
        line
        if shared
        else line + f", {count(len({row['address'] // 32 for row in rows}), 'sector')}"
    )


def layers(rows):
    """Of a panel: the block, its warp 0, that warp's first request."""
    return (
        (words(rows), BLOCK),
        (words(row for row in rows if row["warp"] == 0), WARP),
        (words(first_request(rows)), REQUEST),
    )


def draw_access(step, n):
    """The words of A, B and C that block 0 asks for, and those of its shared memory."""
    rows = trace_of(step, n, SIDE)
    left, top, side = 12, 84, SIDE * CELL
    body = [text(left, 20, f"{step}, n = {n}: what block 0 reads and writes", BOLD)]
    body += legend(
        left,
        44,
        (
            (REQUEST, "one request of warp 0, its first"),
            (WARP, "all of warp 0"),
            (BLOCK, "all of block 0"),
        ),
    )
    parts = []
    for memory, kind in (("device_a", "load"), ("device_b", "load"), ("device_c", "store")):
        own = chosen(rows, memory, kind)
        parts.append(
            (
                memory,
                kind,
                own,
                f"the request: {asked(first_request(own))}",
                f"the block: {count(len(own), 'word')}, {len(words(own))} different",
            )
        )
    apart = int(
        max(
            side + 24,
            *(width(caption) + 16 for *_, request, block in parts for caption in (request, block)),
        )
    )
    for number, (memory, kind, own, request, block) in enumerate(parts):
        x = left + number * apart
        body += panel(
            x,
            top,
            SIDE,
            SIDE,
            layers(own),
            f"{memory[-1].upper()}, {'read' if kind == 'load' else 'written'}",
            CELL,
        )
        if n < SIDE:  # the border of zeros
            border = f"M{x} {top + n * CELL}h{n * CELL}v{-n * CELL}"
            body.append(path(border, stroke(INK, 2), DASHED))
        body += [text(x, top + side + 18, request), text(x, top + side + 36, block)]
    loaded = sum(len(own) for _, kind, own, *_ in parts if kind == "load")
    made = sum(len(own) for _, kind, own, *_ in parts if kind == "store")
    y = top + side + 62
    if n < SIDE:
        body.append(text(left, y, f"dashed: the {n} x {n} matrix; outside of it, zeros"))
        y += 20
    body.append(
        text(
            left,
            y,
            f"Read from global memory for each element of C: {loaded / made:g} words.",
            BOLD,
        )
    )
    shared = [row for row in rows if row["memory"] == "shared"]
    if shared:
        y = draw_shared(body, shared, left, y + 40)
    return svg(
        left + 3 * apart,
        y + 14,
        f"{step}: what block 0 and its warp 0 read and write, n = {n}",
        body,
    )


def draw_shared(body, shared, left, y):
    """What is written to shared memory and read there; returns where the picture ends."""
    base = min(row["offset"] for row in shared)
    for row in shared:
        row["offset"] -= base
    high = max(words(shared)) // BANKS + 1
    for number, kind in enumerate(("store", "load")):
        own = chosen(shared, "shared", kind)
        x = left + number * (BANKS * CELL + 220)
        body += panel(
            x,
            y,
            BANKS,
            high,
            layers(own),
            f"shared memory, {BANKS} banks wide, {'read' if kind == 'load' else 'written'}",
            CELL,
        )
        body.append(
            text(x, y + high * CELL + 18, f"the requests: {asked(first_request(own), True)}")
        )
    return y + high * CELL + 18


def draw_alignment():
    """What warp 0 asks for of the first rows of B, against the borders of sectors and lines."""
    n, rows_shown, byte, left, top, high = 40, 8, 1.5, 12, 92, 16
    body = [
        text(
            left,
            20,
            f"Warp 0 reads 32 neighbours of B, row after row; n = {n}, rows of {4 * n} bytes",
            BOLD,
        ),
        text(
            left,
            40,
            "thin: sectors of 32 bytes; thick: cache lines of 128 bytes, "
            "from the line in which the request begins",
        ),
    ]
    for number, step in enumerate(("04_row_shared", "05_pitched")):
        own = [row for row in chosen(trace_of(step, n, n), "device_b", "load") if row["warp"] == 0]
        requests = collections.defaultdict(list)
        for row in own:
            if row["lane"] < 32 and row["request"] < n:
                requests[row["request"]].append(row["address"])
        x, lines = left + number * 430, 0
        body.append(
            text(x, top - 14, f"{step}: a row begins every {own[0]['pitch'] or 4 * n} bytes")
        )
        for k in range(rows_shown):
            low, end = min(requests[k]), max(requests[k]) + 4
            start = low // 128 * 128
            lines += (end - 1) // 128 - low // 128 + 1
            place = (x + (low - start) * byte, top + k * high + 3)
            body.append(rect(*place, (end - low) * byte, high - 6, fill(REQUEST)))
        for sector in range(9):
            at, thick = x + 32 * sector * byte, sector % 4 == 0
            body.append(
                rule(
                    at,
                    top - 4,
                    at,
                    top + rows_shown * high + 4,
                    0.9 if thick else 0.45,
                    2 if thick else 1,
                )
            )
        body.append(
            text(
                x, top + rows_shown * high + 24, f"{lines / rows_shown:.2f} lines for each request"
            )
        )
    return svg(
        left * 2 + 430 + 400,
        top + rows_shown * high + 40,
        "Requests of a warp against sectors and lines, without and with a pitch",
        body,
    )


def pictures():
    yield from ((f"access_{step}.svg", draw_access(step, n)) for step, n in PICTURES.items())
    yield "access_05_pitched.svg", draw_alignment()
