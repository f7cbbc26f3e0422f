"""hidden.py - the hidden tests of lab 2: shapes drawn from the seed."""
from lab import Faults, Results, Traffic
from tests import padded, reads, stays_without_tiles, uses_tiles


def tests(rng, tile):
    def size(tiles):  # this many tiles and a piece of one more
        return tiles * tile + rng.randrange(1, max(2, tile))

    def some(variant):
        return [padded(*(size(rng.randrange(most)) for most in (3, 3, 4)), variant)
                for _ in range(3)]

    m, n, k = size(1), size(2), size(3)
    return [
        Results("1, 4: blocks of drawn matrices", 8,
                [padded(m, n, m, "copy", "identity"), padded(n, m, n, "copy", "identity")]),
        Results("2, 4: plain, drawn shapes", 6, some("plain") + [padded(m, n, k, "plain", "uniform")],
                [(padded(tile + 1, tile, tile, "plain"), stays_without_tiles)]),
        Results("3, 4: tiled, drawn shapes", 10,
                some("tiled") + [padded(m, n, k, "tiled", "permutation"),
                                 padded(m, n, k, "tiled", "uniform")],
                [(padded(tile + 1, tile, tile, "tiled"), uses_tiles)]),
        Faults("3: no fault at a drawn shape", 5, [padded(m, n, k, "tiled")]),
        Traffic("3: reads with tiles at a drawn shape", 5, padded(m, n, k, "tiled"), reads),
        Results("5: pinned and pageable memory", 6,
                [padded(m, n, k, "pinned"), padded(n, m, k, "pageable")]),
    ]
