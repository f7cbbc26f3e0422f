"""A wave of tiles of C in two orders, by the rules of steps 22 and 23: what it needs of A and B."""
import re

from figures.drawing import BOLD, REQUEST, WARP, legend, panel, svg, text

N, CELL = 8192, 4  # CELL: pixels of a tile
RULES = {
    "22_persistent/matmult.cu": ("consume(&pipe, o, i % down * TILE, i / down * TILE);",),
    "23_tile_order/tile_order.h": (
        "first = i / (GROUP * across) * GROUP, /* row of the group */ "
        "height = min(GROUP, down - first), j = i - first * across;",
        "return make_uint2(j / height, first + j % height);",
    ),
}


def read(path):
    with open(path, encoding="utf-8") as file:
        source = " ".join(file.read().split())
    for rule in RULES.get(path, ()):
        assert rule in source, f"{path}: no longer has {rule}"
    return source


def constant(path, name):
    return int(re.search(rf"\b{name} = (\d+)", read(path)).group(1))


def sms():
    return int(re.search(r"(\d+) SMs", read("docs/results/device_gpu.txt")).group(1))


def down_columns(i, side):
    return i % side, i // side


def in_groups(i, side, group):
    first = i // (group * side) * group
    height, j = min(group, side - first), i - first * side
    return first + j % height, j // height


def draw_order():
    tile, slices = (constant(f"14_int8_slices/{file}", name) for file, name in
                    (("sliced_call.h", "TILE"), ("slices.h", "SLICES")))
    group, wave, side = constant("23_tile_order/tile_order.h", "GROUP"), sms(), N // tile
    read("22_persistent/matmult.cu")
    body = [
        text(12, 20, f"The first wave, {wave} of {side} x {side} tiles of C, n = {N}", BOLD),
        *legend(12, 42, ((REQUEST, "computed at the same time"),
                         (WARP, "rows of A, columns of B"))),
    ]
    orders = (
        ("22: down the columns", lambda i: down_columns(i, side)),
        (f"23: groups of {group} rows of tiles", lambda i: in_groups(i, side, group)),
    )
    top, field = 78, side * CELL
    for number, (name, place) in enumerate(orders):
        left = 12 + number * (field + 74)
        tiles = [place(i) for i in range(wave)]
        rows, columns = {row for row, _ in tiles}, {column for _, column in tiles}
        c = {row * side + column for row, column in tiles}
        body += panel(left + 20, top + 20, side, side, ((c, REQUEST),), "", CELL)
        body += panel(left, top + 20, 3, side, (({3 * row + i for row in rows for i in range(3)},
                                                 WARP),), "", CELL)
        body += panel(left + 20, top, side, 3, (({side * i + column for i in range(3)
                                                  for column in columns}, WARP),), "", CELL)
        need = (len(rows) + len(columns)) * tile * N * slices / 1e6
        body += [
            text(left, top - 10, name),
            text(left, top + field + 42,
                 f"{len(rows)} + {len(columns)} rows and columns of tiles:"),
            text(left, top + field + 60, f"{need:.0f} MB of slices"),
        ]
    return svg(24 + 2 * field + 74 + 20, top + field + 72, "A wave of tiles in two orders", body)


def pictures():
    yield "tile_order_23.svg", draw_order()
