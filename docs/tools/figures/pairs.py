"""Step 69: which pairs of tiles the second pass computes for an outlier, and which cluster each
one falls to. The order of the pairs is the source's, and is looked for there."""
import re

from figures.drawing import BOLD, INK, REQUEST, WARP, fill, legend, rect, rule, stroke
from figures.drawing import svg, text
from figures.hardware import H200

N, ROW, COLUMN = 8192, 3000, 3000  # of the outlier
WIDE, HIGH = 4, 8  # pixels of a pair: two tiles, one above the other
SOURCE = "69_wanted_tiles/matmult.cu"
ORDER = (  # of the pairs, and who takes which
    "const unsigned row = pair % down * CLUSTER * TILE;",
    "&marked.flags[pair / down * (p.n / STRIP) + row / STRIP];",
    "for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {",
)


def constants():
    with open(SOURCE, encoding="utf-8") as file:
        source = file.read()
    assert all(line in source for line in ORDER), f"{SOURCE}: another order of the pairs"
    values = {}
    for path in ("common/sliced_product.h", "common/clusters.h"):
        with open(path, encoding="utf-8") as file:
            values.update((name, int(n)) for name, n in re.findall(r"\b(\w+) = (\d+)", file.read()))
    return values["TILE"], values["CLUSTER"]


def draw_pairs_of(x, y, name, pairs, down, across, clusters):
    """C with these pairs, and below it the clusters, each with its pairs, one above the other."""
    body = [text(x, y - 10, name)]
    body.append(rect(x, y, across * WIDE, down * HIGH, stroke(INK)))
    for i in range(8, down, 8):
        body.append(rule(x, y + i * HIGH, x + across * WIDE, y + i * HIGH, 0.2))
    for i in range(8, across, 8):
        body.append(rule(x + i * WIDE, y, x + i * WIDE, y + down * HIGH, 0.2))
    bottom, own = y + down * HIGH + 62, {}
    for pair in pairs:
        at = own.setdefault(pair % clusters, [])
        colour = (WARP, REQUEST)[len(at)]
        at.append(pair)
        body.append(rect(x + pair // down * WIDE, y + pair % down * HIGH, WIDE - 1, HIGH - 1,
                         fill(colour)))
        body.append(rect(x + pair % clusters * WIDE, bottom - len(at) * 11, WIDE - 1, 10,
                         fill(colour)))
    rounds = max(map(len, own.values()))
    body.append(rule(x, bottom, x + clusters * WIDE, bottom, 0.8))
    words = f"{len(pairs)} pairs on {len(own)} of {clusters} clusters:"
    body.append(text(x, bottom - 34, f"{words} {rounds} round{'s' if rounds > 1 else ''}"))
    return body, bottom


def draw_pairs():
    tile, cluster = constants()
    down, across, clusters = N // tile // cluster, N // tile, H200["SMs"] // cluster
    every = range(down * across)
    of_row = [pair for pair in every if pair % down == ROW // tile // cluster]
    of_column = [pair for pair in every if pair // down == COLUMN // tile]
    body = [
        text(12, 20, f"Pairs of tiles of C that the second pass computes, n = {N}", BOLD),
        text(12, 40, "pairs are numbered down the columns; "
             f"cluster i takes pairs i, i + {clusters}, and so on"),
    ]
    body += legend(12, 62, ((WARP, "a cluster's first pair"), (REQUEST, "its second pair")))
    for x, name, pairs in (
        (12, f"outliers in row {ROW} of A", of_row),
        (320, f"outliers in column {COLUMN} of B", of_column),
    ):
        own, bottom = draw_pairs_of(x, 96, name, pairs, down, across, clusters)
        body += own
    words = f"without asking: {len(every)} pairs, {-(-len(every) // clusters)} rounds"
    body.append(text(12, bottom + 24, words))
    wide = 320 + clusters * WIDE + 12
    return svg(wide, bottom + 36, "Pairs of tiles that the second pass computes", body)


def pictures():
    yield "pairs_69.svg", draw_pairs()
