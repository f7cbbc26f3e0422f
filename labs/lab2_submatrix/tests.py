"""tests.py - the visible tests of lab 2."""
from lab import Case, Faults, Results, Traffic

TITLE = "Views of a matrix, tiles, pinned memory"
FILES = ["student.cu"]
LETTERS = ("m", "n", "k")
TYPE = "float"
TYPES = ["float", "double"]
TILE = 16
PADDING = True


def padded(m, n, k, variant, kind="random"):
    """Rows with gaps of different widths between them."""
    return Case(m, n, k, stride=(k + 3, n + 5, n + 7), variant=variant, kind=kind,
                host=variant in ("pinned", "pageable"))


def words(case, times_a, times_b):
    return case.m * case.k * times_a + case.k * case.n * times_b


def words_of_tiles(case, tile):
    return words(case, -(-case.n // tile), -(-case.m // tile))


def reads(counts, case, tile):
    """Words loaded from global memory, against the formula of this variant."""
    times_a, times_b = case.n, case.m
    if case.variant == "tiled":
        times_a, times_b = -(-case.n // tile), -(-case.m // tile)
    loaded, stored = counts["global"]["load"]["words"], counts["global"]["store"]["words"]
    size = stored // (case.m * case.n)  # of an element, in words: C is written once
    if size > 2:
        return f"{stored} words are stored for the {case.m * case.n} elements of C: each is written once"
    expected = size * words(case, times_a, times_b)
    if loaded != expected:
        return (f"{loaded} words are loaded from global memory; it takes {expected}: "
                f"each element of A {times_a} times, each of B {times_b} times")


def uses_tiles(counts, case, tile):
    if counts["shared"]["load"]["words"] == 0:
        return "nothing is read from shared memory: the kernel does not use tiles"
    loaded, without = counts["global"]["load"]["words"], words(case, case.n, case.m)
    if loaded >= without > 2 * words_of_tiles(case, tile):
        return f"{loaded} words are loaded from global memory, as many as without tiles"


def stays_without_tiles(counts, case, tile):
    if counts["shared"]["load"]["words"] > 0:
        return "shared memory is read: plain_kernel is the one without tiles"


def tests(rng, tile):
    t = tile
    less = max(1, t - 1)
    return [
        Results("1, 4: blocks of any matrix", 10,
                [padded(t, t, t, "copy", "identity"),
                 padded(2 * t, 3 * t, 2 * t, "copy", "identity"),
                 padded(t + 1, t + less, t + 1, "copy", "identity")]),
        Results("2, 4: plain, any shape", 8, [padded(1, 1, 1, "plain"), padded(t, t, t, "plain"),
                                              padded(80, 80, 200, "plain"), padded(t + 1, t + 1, t + 8, "plain"),
                                              padded(2 * t + 1, t + 1, 40, "plain")],
                [(padded(t + 1, t, t, "plain"), stays_without_tiles)]),
        Results("3, 4: tiled, any shape", 12, [padded(1, 1, 1, "tiled"), padded(t, t, t, "tiled"),
                                               padded(80, 80, 2000, "tiled"),
                                               padded(t + 1, t + 1, t + 8, "tiled"),
                                               padded(2 * t + 1, t + 1, 3 * t + 8, "tiled"),
                                               padded(less, t + 1, less, "tiled")],
                [(padded(t + 1, t, t, "tiled"), uses_tiles)]),
        Faults("3: no fault", 5, [padded(2 * t + 1, t + 1, 3 * t + 8, "tiled")]),
        Traffic("2: reads without tiles", 5, padded(2 * t + 1, t + 3, 40, "plain"), reads),
        Traffic("3: reads with tiles", 10, padded(2 * t + 1, t + 3, 3 * t + 8, "tiled"), reads,
                [(32 if t != 32 else 16, "double", padded(33, 19, 40, "tiled", "uniform"))]),
        Results("5: pinned memory", 5, [padded(2 * t + 1, t + 1, 3 * t + 8, "pinned")]),
        Results("5: pageable memory", 5, [padded(2 * t + 1, t + 1, 3 * t + 8, "pageable")]),
    ]
