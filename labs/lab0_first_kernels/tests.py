"""tests.py - the visible tests of lab 0: a task for each file, 6 of its 10 points."""
from lab import Case, Task

TITLE = "First kernels"
PARTS = True
TYPE = "int"
RESULTS = "labs/lab0_first_kernels/right.c"
NAMES = ["index", "guard", "copy", "2d_index", "shared", "barrier", "reduction", "transpose",
         "histogram", "stencil"]
FILES = [f"task{number:02}_{name}.cu" for number, name in enumerate(NAMES, 1)]
SECONDS = 3
BINS = 19


def array(task):
    """A case of a task with x and y of n elements."""
    return lambda n: Case(1, n, 1, variant=str(task), title=f"n = {n}")


def table(rows, columns):
    return Case(rows, columns, 1, variant="4", title=f"y of {rows} x {columns}")


def row_times_matrix(k, columns):
    return Case(1, columns, k, variant="6", title=f"B of {k} x {columns}")


def sums(rows, columns):
    return Case(rows, 1, columns, variant="7", title=f"x of {rows} x {columns}")


def transposed(rows, columns):
    return Case(columns, rows, columns, variant="8", title=f"x of {rows} x {columns}")


def counts(n):
    return Case(1, BINS, n, variant="9", title=f"n = {n}")


def parts(size, whole):
    """How many parts of a size the whole has, an incomplete one included."""
    return -(-whole // size)


def each_once(case):
    """x and y: each sector once."""
    return {"sectors loaded": parts(8, case.n), "sectors stored": parts(8, case.n)}


def in_rounds(case):
    """The same of a loop whose incomplete round need not be the last: inspect takes what a lane does
    first for the others' first, too."""
    return {name: (needed, needed + parts(1024, case.n)) for name, needed in each_once(case).items()}


def of_table(case):  # a warp has 2 rows of 16: one sector of a, two of b; another shape may load twice that
    loaded = parts(2, case.m) * (parts(16, case.n) + parts(8, case.n))
    return {"sectors loaded": (loaded, 2 * loaded), "sectors stored": case.m * parts(8, case.n)}


def of_row(case):
    return {"sectors loaded": case.k * parts(8, case.n) + parts(128, case.n) * parts(8, case.k)}


def of_sums(case):
    return {"sectors loaded": case.m * parts(8, case.k), "sectors stored": case.m,
            "bank conflicts": 0, "turns of shared memory": 240 * case.m}


def of_transpose(case):
    sectors = case.m * case.n // 8
    return {"sectors loaded": sectors, "sectors stored": sectors, "bank conflicts": 0}


def of_counts(case):
    return {"atomic additions in global memory": 4 * BINS}


def of_stencil(case):
    return {"words loaded": case.n + 2 * parts(256, case.n), "sectors stored": parts(8, case.n)}


SHARED = "words read from shared memory"
SIDE_BY_SIDE = "each element once, and what the threads of a warp use at one time side by side"
TASKS = [  # (what each counts against, what to do where more is counted, how a size becomes a case)
    (each_once, SIDE_BY_SIDE, array(1)),
    (lambda case: each_once(case) | {"words stored": case.n},
     "threads beyond n touch nothing; " + SIDE_BY_SIDE, array(2)),
    (in_rounds, SIDE_BY_SIDE, array(3)),
    (of_table, "threads with neighbouring threadIdx.x should write neighbours in a row", table),
    (lambda case: each_once(case) | {SHARED: 256 * case.n},
     "an element should come from global memory once, for all threads of its block", array(5)),
    (lambda case: of_row(case) | {SHARED: case.k * case.n}, "a comes through shared memory",
     row_times_matrix),
    (of_sums, "threads that are neighbours should add neighbours, in each step half as many as before", sums),
    (of_transpose, "rows are read and written as rows; a column of the tile needs 32 banks", transposed),
    (of_counts, "a block counts in shared memory first", counts),
    (of_stencil, "an element should come from global memory once, the halo apart", array(10)),
]
# The first is the one that is observed.
SIZES = [
    [(1024,), (256,), (2560,)],
    [(1000,), (1,), (255,), (256,), (257,)],
    [(10000,), (1,), (1024,), (1025,), (3000,)],
    [(40, 56), (1, 1), (16, 16), (17, 15), (3, 100)],
    [(1024,), (256,), (2048,)],
    [(300, 200), (1, 1), (128, 128), (129, 257), (40, 130)],
    [(5, 1000), (1, 1), (3, 256), (4, 257), (2, 100)],
    [(96, 64), (1, 1), (32, 32), (33, 31), (50, 70)],
    [(5000,), (1,), (19,), (1025,)],
    [(1000,), (1,), (255,), (256,), (257,)],
]


def task(number, points, sizes):
    needs, why, case = TASKS[number - 1]
    names = {4: {}, 6: {}, 7: {"a": "x"}, 9: {"a": "x", "y": "counts"}}.get(number, {"b": "x"})
    return Task(f"task {number}: {NAMES[number - 1].replace('2d_', '2-D ')}", points, FILES[number - 1],
                [case(*size) for size in sizes], needs, why, names)


def tests(rng, tile):
    return [task(number, 6, sizes) for number, sizes in enumerate(SIZES, 1)]
