"""tests.py - the visible tests of lab 4."""
from lab import Case, Faults, Program, Results, Traffic

TITLE = "A report on the matrix product in double"
FILES = ["student.cu"]
LETTERS = ("m", "k", "n")
TYPE = "double"
TILE = 16
LINK = ["labs/lab4_report/lab4.cu"]
BLOCKS = (8, 16, 32)


def product(m, n, k, variant, block=0, kind="random"):
    """A is m x n, B is n x k, as in this lab's document."""
    return Case(m, k, n, variant=variant, parameter=block, kind=kind, host=variant == "serial" or variant.startswith("timed"))


def refused(name, points, args, value="", more=()):
    """One line that has the value and both limits, and exit status 2. more: other arguments like these."""
    return Program("sizes: " + name, points, args, 2,
                   r"\A(?=.*\b128\b)(?=.*\b2048\b)(?=.*%s).*\n?\Z" % value,
                   "one line with " + (value.replace("\\", "") + ", " if value else "") + "128 and 2048",
                   on_stderr=True, more=list(more))


def check_blocks(counts, case):
    block = case.parameter
    if counts["threads"] != counts["blocks"] * block * block:
        return (f"{counts['blocks']} blocks have {counts['threads']} threads together; "
                f"blocks of {block} x {block} were asked for")
    return None


def check_global(counts, case, tile):
    return check_blocks(counts, case)


def loaded(counts, expected):
    """The words that a product loads. Of several launches that do the same, to warm up or for a mean
    time, those of one."""
    of_a_launch = counts["loaded_by_a_launch"]
    if of_a_launch["fewest"] == of_a_launch["most"] == expected:
        return expected
    return counts["global"]["load"]["words"]


def check_rows(counts, case, tile):
    """A block of strip x strip elements loads whole rows and columns once."""
    if counts["shared"]["load"]["words"] == 0:
        return "nothing is read from shared memory: the kernel does not use whole rows and columns"
    strip = min(case.parameter, 48 * 1024 // (2 * 8 * case.k))  # strip_for
    expected = 2 * case.k * (case.m * -(-case.n // strip) + case.n * -(-case.m // strip))
    words, all_words = loaded(counts, expected), counts["global"]["load"]["words"]
    if words != expected:
        return (f"{words} words are loaded from global memory; a block of {strip} rows and "
                f"as many columns loads each of them once, {expected} words together")
    if 8 * counts["global"]["load"]["requests"] > all_words:
        return (f"{all_words} words are loaded in {counts['global']['load']['requests']} requests: few threads of a "
                "block load, and the others wait; all of them load, each other elements")
    return check_blocks(counts, case)


def check_tiles(counts, case, tile):
    expected = 2 * 2 * case.m * case.n * case.k // case.parameter  # a double is two words
    words = loaded(counts, expected)
    if counts["shared"]["load"]["words"] == 0:
        return "nothing is read from shared memory: the kernel does not use tiles"
    if words != expected:
        return (f"{words} words are loaded from global memory; with tiles they are "
                f"2 m n k / {case.parameter} doubles, {expected} words")
    return check_blocks(counts, case)


def methods(variant, check):
    """Each block's size, at a multiple of it: loads are exact there. Of long rows fewer fit."""
    cases = [product(64, 32, 32, variant, block) for block in BLOCKS]
    if variant == "rows":
        cases.append(product(14, 400, 15, variant, 16))
    return [(case, check) for case in cases]


def timed(variant):
    """Two products, whose times call.cu compares."""
    return product(2, 2, 2, "timed " + variant, 16)


def tests(rng, tile):
    return [
        Program("sizes: three in the range", 4, [130, 128, 201], 0,
                r"A \(130 x 128\)[\s\S]*B \(128 x 201\)[\s\S]*C \(130 x 201\)",
                "the sizes of A, B and C", launches=True),
        refused("too few", 3, [200, 200], more=[[]]),
        refused("127", 3, [200, 127, 200], "127"),
        refused("130x", 3, [200, 200, "130x"], "130x"),
        Results("serial", 4, [product(1, 1, 1, "serial"), product(33, 47, 20, "serial")]),
        Results("global memory", 9, [product(32, 32, 32, "global", 16)] +
                [product(33, 20, 47, "global", block) for block in BLOCKS] + [timed("global")],
                methods("global", check_global)),
        Results("tiles", 14, [product(32, 32, 32, "tiled", 16)] +
                [product(33, 20, 47, "tiled", block) for block in BLOCKS] + [timed("tiled")],
                methods("tiled", check_tiles)),
        Results("whole rows and columns", 9,
                [product(32, 32, 32, "rows", 16), product(33, 20, 47, "rows", 8),
                 product(20, 400, 33, "rows", 16), timed("rows")], methods("rows", check_rows)),
        Faults("no race, no access outside, launches are checked", 7,
               [product(17, 20, 33, variant, 16) for variant in ("global", "tiled", "rows")],
               [product(32, 16, 32, variant, 16) for variant in ("global", "tiled", "rows")]),
        Traffic("tiles: a load serves a whole tile", 4, product(64, 32, 32, "tiled", 16),
                check_tiles),
    ]
