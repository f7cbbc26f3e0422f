"""hidden.py - the hidden tests of lab 6."""
from lab import Results, Speed
from tests import FIRST, REFERENCE, STEPS, TIMED, square


def tests(rng, tile):
    def gaps():
        return tuple(rng.choice([0, 1, 5, 32]) for _ in range(3))
    first = FIRST + [Results("drawn n and leading dimensions", 0, [square(rng.randint(2, 200), gaps(), kind)
                                                                   for kind in ("positive", "random", "permutation", "identity")])]
    return [Speed("time, another n and other leading dimensions", 40, square(TIMED + rng.randint(-30, 30), (5, 0, 11)),
                  REFERENCE, STEPS, first)]
