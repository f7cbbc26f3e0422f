"""lab.py - the words in which a lab's tests are written.

A lab's tests.py (visible) and hidden.py (not in a handout) have

    TITLE = "..."               FILES = ["student.cu"]      TYPE = "int"      TILE = 32         (tests.py only)
    def tests(rng, tile): return [Results(...), ...]

rng is a random.Random from the seed, tile the tile size that the teacher chose. The points of both files add up to 100.
tests.py may also have
    TYPES       other element types that the teacher may choose; TYPE is the default
    LEAST_TILE  1 without it
    DEFINES     more macros for the compiler, such as names that older handouts used: ["-Dold=new"]
    LIBS        flags for the linker
    LINK        trusted sources linked to the student's, from the root: "common/timing.c"
    OBSERVED    trusted sources around a file of the student's, for inspect; left out where they do not compile
    READ        folders of the system that the student's process may read besides /usr
    WITH        files of the root that a handout needs
    SECONDS     the limit of one test, 5 without it
    MEGABYTES   the limit of memory, 2048 without it
Without TILE no macro has that name.
"""
from dataclasses import dataclass, field
from typing import Callable, Optional

BACKEND = "cpu"  # or "gpu": what the tests run on; set before they are read


@dataclass
class Case:
    """C (m x n) = A (m x k) B (k x n). kind: how the inputs are made: "random" (integers from -9 to
    9), "identity" and "permutation" (A is one), "sum" (a[i][j] = i + j in both), "uniform" (reals
    from -1 to 1, with a tolerance), "positive" (floats from 0 to 1, and a relative error of 1e-6 at
    most, as step 06 keeps). show: print the corner of so many rows and columns beside the right
    one."""
    m: int
    n: int
    k: int
    stride: Optional[tuple] = None  # of A, B and C, in elements; None: dense
    variant: str = ""
    parameter: int = 0
    kind: str = "random"
    show: int = 0


@dataclass
class Test:
    name: str
    points: int


@dataclass
class Results(Test):
    """Right in every case, or no points."""
    cases: list


@dataclass
class Faults(Test):
    """inspect finds no fault in these cases, and the results are right."""
    cases: list


@dataclass
class Sound(Test):
    """Right in every case, and inspect finds no fault in the first."""
    cases: list


@dataclass
class Text(Test):
    """A file that is handed in, for a person to read: check(text) returns None or a sentence."""
    file: str
    check: Callable


@dataclass
class Traffic(Test):
    """check(counts, case, tile) returns None or a sentence; counts is inspect's JSON. The result must
    be right, too."""
    case: Case
    check: Callable


@dataclass
class Program(Test):
    """The student's own main() with these arguments: its exit status and a regular expression that its output
    (both streams) must contain. status None: any but 0."""
    args: list
    status: Optional[int] = 0
    pattern: str = ""
    wanted: str = ""  # the pattern in words, for the message


@dataclass
class Speed(Test):
    """The shortest time relative to that of the reference, a file of the lab's folder or of the
    root. steps: (ratio, share of the points), the best share whose ratio is kept counts. Each
    measurement has fresh inputs; each must be right. first: tests that must pass before any time
    counts; their own points do not."""
    case: Case
    reference: str
    steps: list = field(default_factory=lambda: [(1.0, 1.0)])
    first: list = field(default_factory=list)
