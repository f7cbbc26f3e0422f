"""hidden.py - the hidden tests of lab 1: shapes drawn from the seed, and inputs that show swapped indices."""
from lab import Case, Faults, Results, Traffic
from tests import tiled


def tests(rng, tile):
    def shape():  # no two alike, none a multiple of the tile
        return [x + (x % tile == 0) for x in rng.sample(range(2, 5 * tile + 8), 3)]

    k_off_tile = 2 * tile + rng.randrange(1, max(2, tile))
    return [
        Results("drawn shapes", 20, [Case(*shape()) for _ in range(4)] + [Case(3 * tile, 2 * tile, k_off_tile)]),
        Results("drawn shapes, identity and permutation", 5, [Case(*shape(), kind="identity"), Case(*shape(), kind="permutation")]),
        Faults("no fault at a drawn shape", 10, [Case(*(1 + x // 3 for x in shape()))]),
        Traffic("tiles are used at a drawn shape", 5, Case(2 * tile + rng.randrange(tile), 3 * tile, 2 * tile), tiled),
    ]
