"""tests.py - the visible tests of lab 1."""
from lab import Case, Faults, Results, Traffic

TITLE = "Rectangular integer product with tiles"
FILES = ["student.cu"]
TYPE = "int"
TYPES = ["int", "float"]
TILE = 32


def words(m, n, k, tile):
    """What a tiled kernel loads: A once for each column of tiles, B once for each row of tiles."""
    return m * k * -(-n // tile) + k * n * -(-m // tile)


def tiled(counts, case, tile):
    loads, expected = counts["global"]["load"]["words"], words(case.m, case.n, case.k, tile)
    whole = [-(-size // tile) * tile for size in (case.m, case.n, case.k)]
    if counts["shared"]["load"]["words"] == 0:
        return "nothing is read from shared memory: the kernel does not use tiles"
    if not expected <= loads <= words(*whole, tile):  # a matrix may be padded to whole tiles
        return (f"{loads} words are loaded from global memory; "
                f"with tiles of {tile} x {tile} it takes {expected}")
    for kernel in counts.get("kernels", [counts]):
        stored = kernel["global"]["store"]["words"]
        if stored > whole[0] * whole[1]:
            return (f"{stored} words are stored for the {case.m * case.n} elements of C: "
                    "each thread writes its own once, after the last phase")


def tests(rng, tile):
    t = tile
    return [
        Results("one tile", 5, [Case(t, t, t)] * 2),
        Results("whole tiles", 5, [Case(2 * t, 3 * t, t), Case(t, 2 * t, 4 * t)]),
        Results("any shape", 15, [Case(1, 1, 1), Case(t + 1, t - 1 or 1, t + 8),
                                  Case(t, t, 2 * t + 1), Case(t + 5, t, t), Case(t, t + 3, t),
                                  Case(7, 101, 53), Case(33, 21, 50, kind="large")]),
        Results("document A: 200 x 500 x 400", 5,
                [Case(200, 500, 400, kind="sum", show=5), Case(200, 500, 400)]),
        Faults("no race, no access outside, the launch is checked", 15,
               [Case(t + 1, t // 2 + 1, t + 8)], checked=[Case(t, t, t)]),
        Traffic("tiles are used", 15, Case(2 * t, 2 * t + 2, 2 * t), tiled,
                [(16 if t != 16 else 8, "float", Case(33, 40, 48, kind="uniform"))]),
    ]
