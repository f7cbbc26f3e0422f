"""hidden.py - the hidden tests of lab 1: drawn shapes, and inputs that show swapped indices."""
from lab import Case, Faults, Results, Traffic
from tests import tiled


def tests(rng, tile):
    def shape():  # no two alike, none a multiple of the tile
        return [x + (x % tile == 0) for x in rng.sample(range(2, 5 * tile + 8), 3)]

    off = rng.randrange(1, max(2, tile))  # what the last tile holds
    m, n, _ = shape()
    return [
        Results("drawn shapes", 15,
                [Case(*shape()) for _ in range(4)] + [Case(3 * tile, 2 * tile, 2 * tile + off)]),
        Results("drawn shapes, identity and permutation", 5,
                [Case(*shape(), kind="identity"), Case(*shape(), kind="permutation")]),
        Faults("no fault at a drawn shape", 10, [Case(1 + m // 3, 1 + n // 3, tile + off)]),
        Traffic("tiles are used at a drawn shape", 10,
                Case(2 * tile + off, 3 * tile - 1, 2 * tile), tiled,
                [(8 if tile != 8 else 16, None, Case(rng.randint(20, 60), 33, 40))]),
    ]
