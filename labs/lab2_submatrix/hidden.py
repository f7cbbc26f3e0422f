"""lab2: the tests that a student does not see."""
from lab import Case, Faults, Results
from tests import padded


def tests(rng, tile):
    def any_size():
        return rng.choice([rng.randint(1, 5), tile - 1, tile, tile + 1, rng.randint(2 * tile + 1, 5 * tile)])

    def some(variant, count):
        return [padded(any_size(), any_size(), any_size(), variant) for _ in range(count)]

    rows, columns, terms = (rng.randint(2 * tile + 1, 4 * tile - 1) for _ in range(3))
    return [
        Results("1: any block of any matrix", 8, [padded(m, any_size(), m, "copy", "identity") for m in (any_size(), rows)]),
        Results("2: plain, other shapes", 8, some("plain", 3) + [padded(rows, columns, terms, "plain")]),
        Results("3: tiled, other shapes", 12, some("tiled", 3) + [padded(rows, columns, terms, "tiled", "permutation"),
                                                                  padded(terms, rows, columns, "tiled", "uniform")]),
        Faults("3: no fault in another shape", 6, [padded(rows, columns, terms, "tiled")]),
        Results("5: pinned and pageable memory", 6, [padded(rows, columns, terms, "pinned"), padded(columns, rows, terms, "pageable")]),
    ]
