"""hidden.py - the hidden tests of lab 5: shapes drawn from the seed."""
from lab import Sound
from tests import cases, method


def tests(rng, tile):
    def size(most):  # no multiple of the tile
        x = rng.randrange(1, most)
        return x + (x % tile == 0)

    def shapes():
        drawn = [tuple(size(5 * tile + 4) for _ in range(3)) for _ in range(3)]
        one_more = tuple(tile * rng.randint(1, 3) + 1 for _ in range(3))  # than whole tiles
        return [tuple(tile + size(tile + 2) for _ in range(3)), one_more] + drawn  # the first is observed

    return [Sound(f"product {i}, drawn shapes", 5, cases(shapes(), i), method(i)) for i in range(1, 9)]
