"""tests.py - the visible tests of lab 5."""
import re

from lab import Case, Sound, Text

TITLE = "Find the fault"
FILES = ["student.cu", "answers.md"]
TYPE = "int"
TYPES = ["int", "float", "double"]
TILE = 16
LEAST_TILE = 2  # a tile of 1 has no edge: most of the faults are none there
HARDER = (2, 3, 7, 8)


def cases(shapes, product):
    return [Case(m, n, k, stride=(k + 1, n + 2, n + 3), variant=str(product)) for m, n, k in shapes]


def sentences(text):
    """Are there at least five words after each of the numbers 1 to 8?"""
    part = re.split(r"^## ", text, flags=re.M)[0]
    found = dict(re.findall(r"^(\d)\.(.*(?:\n(?!\d\.).*)*)", part, flags=re.M))
    missing = [str(i) for i in range(1, 9) if len(found.get(str(i), "").split()) < 5]
    return "answers.md has no sentence yet for " + ", ".join(missing) if missing else None


def tests(rng, tile):
    t = tile
    shapes = [(2 * t + 1, t + 1, 2 * t + 8), (1, 1, 1), (t, t, t), (2 * t, 3 * t, t),
              (7, 3 * t + 5, t + 1)]
    products = [Sound(f"product {i}", 8 if i in HARDER else 7, cases(shapes, i))
                for i in range(1, 9)]
    return products + [Text("a sentence for each product", 0, "answers.md", sentences)]
