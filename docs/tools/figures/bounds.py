"""The error bound of an element, as the steps from 25 on compute it."""
import math

from figures.arithmetic import slices_of


class Vector:
    """A row of A or a column of B, scaled and cut, with the lengths of vector_info."""

    def __init__(self, values):
        largest = max(abs(value) for value in values)
        cut = [slices_of(value, largest) for value in values]
        self.scale = cut[0][4]
        self.exact = [value * self.scale for value in values]
        self.whole = [row[0] for row in cut]
        self.slices = [[row[1 + d] for row in cut] for d in range(3)]
        x0, x1, x2 = (math.hypot(*x) for x in self.slices)
        self.rounding = math.dist(self.exact, self.whole)
        self.all = 65536 * x0 + 256 * x1 + x2 + self.rounding
        self.middle, self.low = 16 * x1 + x2 / 32, 16 * x2
        self.rest = 256 * x1 + x2 + self.rounding


def dot(x, y):
    return sum(map(int.__mul__, x, y))


def judge(left, right):
    """(what six products make, their error's bound), in the scale of X Y."""
    dropped = sum(
        256 ** (4 - d - e) * dot(left.slices[d], right.slices[e]) for d, e in ((1, 2), (2, 1), (2, 2))
    )
    rounding = left.rounding * right.all + left.all * right.rounding
    products = left.middle * right.low + left.low * right.middle
    return dot(left.whole, right.whole) - dropped, rounding + products
