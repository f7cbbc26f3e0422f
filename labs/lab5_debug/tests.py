"""tests.py - the visible tests of lab 5."""
import re

from lab import Case, Sound, Text

TITLE = "Find the fault"
FILES = ["student.cu", "answers.md"]
LETTERS = ("m", "n", "k")
TYPE = "int"
TYPES = ["int", "float", "double"]
TILE = 16
LEAST_TILE = 2  # a tile of 1 has no edge: most of the faults are none there
HARDER = (2, 3, 7, 8)


def cases(shapes, product):
    return [Case(m, n, k, stride=(k + 1, n + 2, n + 3), variant=str(product)) for m, n, k in shapes]


TILED = (2, 3, 6, 7, 8)


def method(product):
    """Tiles stay tiles, one launch stays one launch, and a product starts its own kernel."""
    def check(counts, case, tile):
        name = f"kernel{product}"
        if counts["kernel"] != name:
            return (f"product {product} starts {counts['kernel']} and not {name}: keep the method, "
                    "and change what is wrong with it")
        if counts["launches"] != 2:  # it is called twice
            return f"two calls start {counts['launches']} kernels: one launch stays one launch"
        loads, size = counts["global"]["load"]["words"], 1 + (case_bytes(counts, case) == 8)
        whole = [-(-x // tile) * tile for x in (case.m, case.n, case.k)]
        most = 2 * size * (whole[0] * whole[2] * whole[1] + whole[2] * whole[1] * whole[0]) // tile
        if product in TILED and counts["shared"]["load"]["words"] == 0:
            return "nothing is read from shared memory: tiles stay tiles"
        if product in TILED and loads > most:
            return (f"{loads} words are loaded from global memory in two calls; with tiles they are "
                    f"{most} at most: tiles stay tiles")
    return check


def case_bytes(counts, case):
    """Of an element: C is written once in each of two calls."""
    return 4 * counts["global"]["store"]["words"] // (2 * case.m * case.n)


# "1.", "1)", "**1.**", "- 1:", "## Product 1"
NUMBER = re.compile(r"^[\s>#*_-]*(?:(?:product|kernel)\s*([1-8])\b|([1-8])(?:[.):](?!\d)|\*\*))", re.I | re.M)


def sentences(text):
    """Are there at least five different words after each of the numbers 1 to 8, and not the same ones twice?"""
    part = re.split(r"^#+\s*questions\b", text, flags=re.I | re.M)[0]
    numbers, words = list(NUMBER.finditer(part)), {}
    for number, after in zip(numbers, [*numbers[1:], None]):
        i = int(number[1] or number[2])
        words.setdefault(i, []).extend(re.findall(r"\w+", part[number.end():after and after.start()].lower()))
    missing = [str(i) for i in range(1, 9) if len(set(words.get(i, []))) < 5]
    if missing:
        return "answers.md has no sentence yet for " + ", ".join(missing)
    same = [str(i) for i in range(1, 9) if list(words.values()).count(words[i]) > 1]
    return "answers.md says the same of " + ", ".join(same) if same else None


def tests(rng, tile):
    t = tile
    shapes = [(2 * t + 1, t + 1, 2 * t + 8), (1, 1, 1), (t, t, t), (2 * t, 3 * t, t),
              (7, 3 * t + 5, t + 1),
              (t + 3, 5, t), (2 * t, t, t + 3)]  # small k alone, and whole tiles alone, are not what is right
    products = [Sound(f"product {i}", 8 if i in HARDER else 7, cases(shapes, i), method(i), True)
                for i in range(1, 9)]
    return products + [Text("a sentence for each product", 0, "answers.md", sentences)]
