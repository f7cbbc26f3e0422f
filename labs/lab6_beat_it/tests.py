"""tests.py - the visible tests of lab 6."""
import lab
from lab import Case, Faults, Results, Speed

TITLE = "Beat step 06"
FILES = ["student.cu"]
TYPE = "float"
LINK = ["common/timing.c"]
# Names in the headers of older handouts: submissions written with them count the same.
DEFINES = ["-Dmatmult_time=matmult_result", "-Dkernel_timer_start=start_kernel_timer",
           "-Dkernel_timer_stop=stop_kernel_timer"]
REFERENCE = "06_tiled/matmult.cu"
WITH = [REFERENCE]

# (time relative to the reference's, share of the points). On a GPU the copies are a large part of a
# call's time.
STEPS = [(1 / 1.3, 0.25), (1 / 2, 0.6), (1 / 3, 1)]
if lab.BACKEND == "gpu":
    STEPS = [(1 / 1.1, 0.25), (1 / 1.2, 0.6), (1 / 1.3, 1)]
TIMED = 5000 if lab.BACKEND == "gpu" else 400


def square(n, gaps=(0, 0, 0), kind="positive"):
    return Case(n, n, n, stride=tuple(n + gap for gap in gaps), kind=kind)


WIDE = (1, 2, 2050)  # whole pages in each gap between C's rows: gap.c
FIRST = [
    Results("any n, any leading dimension", 0, [square(n) for n in (1, 2, 15, 16, 17, 33, 100)] +
            [square(33, (4, 9, 2)), square(50, (0, 14, 78), "permutation"), square(31, WIDE)]),
    Results("the error at n = 700", 0, [square(700)]),
    Faults("no fault", 0, [square(70, WIDE)]),
]


def tests(rng, tile):
    return [Speed("time", 60, square(TIMED), REFERENCE, STEPS, FIRST)]
