"""lab5: the tests that a student does not see."""
from lab import Case, Faults


def tests(rng, tile):
    def size():
        return rng.choice([tile - 1, tile + 1, rng.randint(2 * tile + 1, 3 * tile - 1)])

    return [Faults(f"product {i}, another shape", 5, [Case(size(), size(), size(), variant=str(i))]) for i in range(1, 9)]
