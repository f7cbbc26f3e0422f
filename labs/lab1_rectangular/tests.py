"""tests.py - the visible tests of lab 1."""
from lab import Case, Faults, Results, Traffic

TITLE = "Rectangular integer product with tiles"
FILES = ["student.cu"]
TYPE = "int"
TYPES = ["int", "float"]
TILE = 32


def words(case, tile):
    """What a tiled kernel loads: A once for each column of tiles, B once for each row of tiles."""
    return case.m * case.k * -(-case.n // tile) + case.k * case.n * -(-case.m // tile)


def tiled(counts, case, tile):
    loads, expected = counts["global"]["load"]["words"], words(case, tile)
    if counts["shared"]["load"]["words"] == 0:
        return "nothing is read from shared memory: the kernel does not use tiles"
    if loads > 1.1 * expected:
        return (f"{loads} words are loaded from global memory; "
                f"with tiles of {tile} x {tile} it takes {expected}")


def tests(rng, tile):
    t = tile
    return [
        Results("one tile", 5, [Case(t, t, t)] * 2),
        Results("whole tiles", 5, [Case(2 * t, 3 * t, t), Case(t, 2 * t, 4 * t)]),
        Results("any shape", 15, [Case(1, 1, 1), Case(t + 1, t - 1 or 1, t + 8),
                                  Case(t, t, 2 * t + 1), Case(t + 5, t, t), Case(t, t + 3, t),
                                  Case(7, 101, 53)]),
        Results("document A: 200 x 500 x 400", 5,
                [Case(200, 500, 400, kind="sum", show=5), Case(200, 500, 400)]),
        Faults("no race, no access outside", 15, [Case(t + 1, t // 2 + 1, t + 8)]),
        Traffic("tiles are used", 15, Case(2 * t, 2 * t + 2, 2 * t), tiled),
    ]
