"""lab2: the tests that a student sees."""
from lab import Case, Faults, Results, Traffic

TITLE = "Views of a matrix, tiles, pinned memory"
FILES = ["student.cu"]
TYPE = "float"
TILE = 16


def padded(m, n, k, variant, kind="random"):
    """Rows with gaps of different widths between them."""
    return Case(m, n, k, stride=(k + 3, n + 5, n + 7), variant=variant, kind=kind)


def reads(counts, case, tile):
    """Words of A and B that the formula of this variant loads; an element at a time or a tile at a time."""
    times_a, times_b = case.n, case.m
    if case.variant == "tiled":
        times_a, times_b = -(-case.n // tile), -(-case.m // tile)
    expected = case.m * case.k * times_a + case.k * case.n * times_b
    loaded = counts["global"]["load"]["words"]
    if loaded == expected:
        return None
    return (f"{loaded} words loaded from global memory, {expected} expected: "
            f"each element of A {times_a} times, each of B {times_b} times")


def tests(rng, tile):
    t = tile
    return [
        Results("1: get, set, block_of", 10, [padded(t, t, t, "copy", "identity"), padded(2 * t, 3 * t, 2 * t, "copy", "identity"),
                                              padded(t + 1, 2 * t - 1, t + 1, "copy", "identity")]),
        Results("2: plain, any shape", 10, [padded(1, 1, 1, "plain"), padded(t, t, t, "plain"), padded(80, 80, 200, "plain"),
                                            padded(2 * t + 1, t + 1, 40, "plain")]),
        Results("3: tiled, any shape", 15, [padded(1, 1, 1, "tiled"), padded(t, t, t, "tiled"), padded(80, 80, 2000, "tiled"),
                                            padded(2 * t + 1, t + 1, 2 * t + 8, "tiled"), padded(t - 1, t + 1, t - 1, "tiled")]),
        Faults("3: no fault", 5, [padded(2 * t + 1, t + 1, 2 * t + 8, "tiled")]),
        Traffic("2: reads without tiles", 5, padded(2 * t + 1, t + 3, 40, "plain"), reads),
        Traffic("3: reads with tiles", 5, padded(2 * t + 1, t + 3, 40, "tiled"), reads),
        Results("5: pinned memory", 5, [padded(33, 17, 40, "pinned")]),
        Results("5: pageable memory", 5, [padded(33, 17, 40, "pageable")]),
    ]
