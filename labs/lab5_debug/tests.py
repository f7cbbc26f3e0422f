"""lab5: the tests that a student sees."""
from lab import Case, Faults

TITLE = "Find the fault"
FILES = ["student.cu", "answers.md"]
TYPE = "int"
TILE = 16
HARDER = (2, 3, 7, 8)


def tests(rng, tile):
    return [Faults(f"product {i}", 8 if i in HARDER else 7, [Case(2 * tile + 1, tile + 1, 2 * tile + 8, variant=str(i))]) for i in range(1, 9)]
