"""hidden.py - the hidden tests of lab 0: drawn sizes, 4 of the 10 points of each task."""
from tests import task


def tests(rng, tile):
    def blocks():
        return (256 * rng.randint(3, 12),)

    def some():
        return (8 * rng.randint(100, 500) + rng.randint(1, 7),)

    def one_past():  # a sector: what copies two or four at a time has no sector twice
        return (8 * rng.randint(100, 500) + 1,)

    def one_more():  # than whole blocks have
        return (256 * rng.randint(3, 12) + 1,)

    def many():  # rounds for each thread: more than a visible size has
        return (rng.randint(20481, 40000),)

    def shape(most):
        return rng.randint(2, most), rng.randint(2, most)

    def eights(most):  # rows that begin with a sector
        return rng.randint(9, most), 8 * rng.randint(4, most // 8)

    drawn = [
        [blocks(), blocks()],
        [one_past(), some(), one_more()],
        [one_past(), some(), some(), many()],
        [eights(80), shape(100), shape(100)],
        [blocks(), blocks()],
        [(rng.randint(130, 400), 8 * rng.randint(20, 40)), shape(300), shape(300)],
        [(rng.randint(3, 6), 8 * rng.randint(40, 200)), shape(20), shape(700)],
        [(32 * rng.randint(1, 3), 32 * rng.randint(1, 3)), shape(90), shape(90)],
        [some(), some(), many()],
        [one_past(), some(), (256 * rng.randint(3, 8),)],
    ]
    return [task(number, 4, sizes) for number, sizes in enumerate(drawn, 1)]
