"""lab.py - the words in which a lab's tests are written.

A lab's tests.py (visible) and hidden.py (not in a handout) have

    TITLE = "..."    FILES = ["student.cu"]    TYPE = "int"    TILE = 32       (tests.py only)
    def tests(rng, tile): return [Results(...), ...]

rng is a random.Random from the seed, tile the tile size that the teacher chose. The points of both
files add up to 100.
tests.py may also have
    TYPES       other element types that the teacher may choose; TYPE is the default
    LEAST_TILE  1 without it
    DEFINES     more macros for the compiler, such as names that older handouts used: ["-Dold=new"]
    LIBS        flags for the linker
    LINK        trusted sources linked to the student's, from the root: "common/timing.c"
    OBSERVED    trusted sources around a file of the student's, for inspect; left out where they do
                not compile
    STUB        a trusted source in the place of a .cu file that does not compile, or lacks what is called
    APART       variants of cases that need no .cu file: they are graded even then
    READ        folders of the system that the student's process may read besides /usr
    LETTERS     what the lab calls M, N and K of a Case in its messages: ("M", "N", "P")
    PADDING     True: kernels must not write between the rows of a matrix on the device
    WITH        files of the root that a handout needs
    RESULTS     the source of its own results, where they are no products (result.h)
    PARTS       True: each file is graded alone, by the tests that name it as their file
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
    most, as step 06 keeps), "large" (integers whose sums need all digits of the type). show: print the corner of so many rows and columns beside the right
    one. host: host code computes it, or OpenCL; else host code has tokens in place of the inputs."""
    m: int
    n: int
    k: int
    stride: Optional[tuple] = None  # of A, B and C, in elements; None: dense
    variant: str = ""
    parameter: int = 0
    kind: str = "random"
    show: int = 0
    host: bool = False
    title: str = ""  # what messages call it; without it its shape


@dataclass
class Test:
    name: str
    points: int


@dataclass
class Results(Test):
    """Right in every case, or no points. method: [(case, check)] as a Traffic test has them, which
    must be kept too: they say whether it was computed as the task wants it."""
    cases: list
    method: list = field(default_factory=list)


@dataclass
class Faults(Test):
    """inspect finds no fault in these cases, and the results are right. checked: cases whose
    launches are made to fail, which the call must notice."""
    cases: list
    checked: list = field(default_factory=list)
    of: str = ""  # a variant that must have a right case, where these are of another one


@dataclass
class Sound(Test):
    """Right in every case, and inspect finds no fault in the first. method: check(counts, case,
    tile) of that one. checked: a launch that fails must be noticed there."""
    cases: list
    method: Optional[Callable] = None
    checked: bool = False


@dataclass
class Task(Test):
    """Of a lab with PARTS: right in every case, no fault in the first, and that one counts at most
    what needs(case) says (stairs.py has the names of the counts). why: what to do where more is
    counted. names: what the task calls an array of call.cu."""
    file: str
    cases: list
    needs: Callable
    why: str = ""
    names: dict = field(default_factory=dict)


@dataclass
class Text(Test):
    """A file that is handed in, for a person to read: check(text) returns None or a sentence."""
    file: str
    check: Callable


@dataclass
class Traffic(Test):
    """check(counts, case, tile) returns None or a sentence; counts is inspect's JSON. The result
    must be right, too. others: [(tile, type, case)]: the same holds when the file is compiled with
    another tile and type (None: the same)."""
    case: Case
    check: Callable
    others: list = field(default_factory=list)


@dataclass
class Program(Test):
    """The student's own main() with these arguments: its exit status and a regular expression that
    its output (stderr alone, or both streams) must contain. status None: any but 0. launches: it
    must launch a kernel, and run the trusted source in LINK that calls lab_program_ran(). more: other
    arguments with which it must do the same."""
    args: list
    status: Optional[int] = 0
    pattern: str = ""
    wanted: str = ""  # the pattern in words, for the message
    on_stderr: bool = False
    launches: bool = False
    more: list = field(default_factory=list)


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
