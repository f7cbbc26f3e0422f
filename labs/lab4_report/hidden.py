"""hidden.py - the hidden tests of lab 4."""
from lab import Faults, Results
from tests import BLOCKS, check_rows, check_tiles, methods, product, refused


def tests(rng, tile):
    def drawn(variant, block):
        return product(rng.randint(1, 150), rng.choice([1, 2, 67, 131, 150]), rng.randint(1, 150),
                       variant, block, "uniform")
    return [
        refused("too many", 2, [128, 128, 128, 128]),
        refused("above the range", 2, [128, 128, 2049], "2049"),
        refused("2^32 + 128", 2, [4294967424, 128, 128], "4294967424"),
        refused("not a number", 2, [128, "many", 128], "many"),
        refused("0x80", 1, [128, "0x80", 128], "0x80"),
        refused("+128", 1, [128, 128, "+128"], r"\+128"),
        Results("serial, drawn sizes", 2, [drawn("serial", 0) for _ in range(2)]),
        Results("global memory, drawn sizes", 7,
                [drawn("global", block) for block in BLOCKS] + [product(1, 5, 200, "global", 16)]),
        Results("tiles, drawn sizes", 9,
                [drawn("tiled", block) for block in BLOCKS] + [product(200, 1, 1, "tiled", 16)],
                methods("tiled", check_tiles)),
        Results("whole rows and columns, drawn sizes", 7,
                [drawn("rows", block) for block in BLOCKS] + [product(3, 2048, 5, "rows", 16)],
                methods("rows", check_rows)),
        Faults("no fault, drawn sizes", 5,
               [product(rng.randint(9, 40), rng.randint(2, 20), rng.randint(9, 40), variant, 8)
                for variant in ("tiled", "rows")]),
    ]
