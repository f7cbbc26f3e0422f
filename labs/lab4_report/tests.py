"""tests.py - the visible tests of lab 4."""
from lab import Case, Faults, Program, Results, Traffic

TITLE = "A report on the matrix product in double"
FILES = ["student.cu"]
TYPE = "double"
TILE = 16
LINK = ["labs/lab4_report/lab4.cu"]
BLOCKS = (8, 16, 32)


def product(m, n, k, variant, block=0, kind="random"):
    """A is m x n, B is n x k, as in this lab's document."""
    return Case(m, k, n, variant=variant, parameter=block, kind=kind)


def refused(name, points, args, value=""):
    """One line that has the value and both limits, and exit status 2."""
    return Program("sizes: " + name, points, args, 2, r"\A(?=.*\b128\b)(?=.*\b2048\b)(?=.*%s).*\n?\Z" % value,
                   "one line with " + (value + ", " if value else "") + "128 and 2048")


def check_tiles(counts, case, tile):
    words = counts["global"]["load"]["words"]
    expected = 2 * 2 * case.m * case.n * case.k // case.parameter  # a double is two words
    if words > expected:
        return f"{words} words are loaded from global memory; with tiles they are 2 m n k / {case.parameter} doubles, {expected} words"
    return None


def tests(rng, tile):
    return [
        Program("sizes: three in the range", 4, [130, 128, 201], 0, r"A \(130 x 128\)[\s\S]*B \(128 x 201\)[\s\S]*C \(130 x 201\)",
                "the sizes of A, B and C"),
        refused("too few", 3, [200, 200]),
        refused("127", 3, [200, 127, 200], "127"),
        refused("130x", 3, [200, 200, "130x"], "130x"),
        Results("serial", 4, [product(1, 1, 1, "serial"), product(33, 47, 20, "serial")]),
        Results("global memory", 9, [product(32, 32, 32, "global", 16)] +
                [product(33, 20, 47, "global", block) for block in BLOCKS]),
        Results("tiles", 14, [product(32, 32, 32, "tiled", 16)] + [product(33, 20, 47, "tiled", block) for block in BLOCKS]),
        Results("whole rows and columns", 9, [product(32, 32, 32, "rows", 16), product(33, 20, 47, "rows", 8),
                                              product(20, 400, 33, "rows", 16)]),
        Faults("no race, no access outside", 7, [product(17, 20, 33, variant, 16) for variant in ("global", "tiled", "rows")]),
        Traffic("tiles: a load serves a whole tile", 4, product(64, 32, 32, "tiled", 16), check_tiles),
    ]
