"""tests.py - the visible tests of lab 3."""
import os
import subprocess

from lab import Case, Faults, Results, Traffic


def opencl_is_here():
    """Whether a program with OpenCL compiles and links."""
    try:
        compiler = os.environ.get("CC") or "gcc"
        program = "#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0); }\n"
        return subprocess.run([compiler, "-x", "c", "-", "-lOpenCL", "-o", "/dev/null"], text=True,
                              input=program, capture_output=True).returncode == 0
    except OSError:
        return False


TITLE = "One tile kernel in CUDA and in OpenCL"
FILES = ["student.cu", "student.cl"]
LETTERS = ("M", "N", "P")
TYPE = "int"
TILE = 16
HERE = opencl_is_here()
LINK = ["labs/lab3_portable/opencl.c" if HERE else "labs/lab3_portable/no_opencl.c"]
STUB, APART = "labs/lab3_portable/stub.cu", ["opencl", "observed"]
OBSERVED = ["labs/lab3_portable/cl_as_cuda.cuh"]
LIBS = ["-lOpenCL"] if HERE else []
# Which OpenCL libraries there are; PoCL asks for processors and memory.
READ = ["/etc/OpenCL", "/sys/devices/system"]
SECONDS = 20  # PoCL compiles a kernel in about one


def cuda(m, n, k, tile):
    return Case(m, n, k, variant="cuda", parameter=tile)


def opencl(m, n, k, tile):
    return Case(m, n, k, variant="opencl", parameter=tile, host=True)


def observed(m, n, k, tile):
    """student.cl, read as CUDA."""
    return Case(m, n, k, variant="observed", parameter=tile)


def check_tiles(counts, case, tile):
    words = counts["global"]["load"]["words"]
    expected = 2 * case.m * case.n * case.k // case.parameter
    if words != expected or uses_tiles(counts, case, tile):
        return uses_tiles(counts, case, tile) or (f"{words} words are loaded from global memory; "
                f"with this tile they are 2 m n p / {case.parameter} = {expected}")
    return None


def uses_tiles(counts, case, tile):
    if counts["shared"]["load"]["words"] == 0:
        return "nothing is read from shared memory: the kernel does not use tiles"
    words, without = counts["global"]["load"]["words"], 2 * case.m * case.n * case.k
    if words >= without > 2 * without // case.parameter:
        return f"{words} words are loaded from global memory, as many as without tiles"


def tests(rng, tile):
    return [
        Results("CUDA: multiples of the tile", 8,
                [cuda(tile, tile, tile, tile), cuda(3 * tile, tile, 2 * tile, tile)],
                [(cuda(2 * tile, tile, tile, tile), uses_tiles)]),
        Results("CUDA: any shape", 13,
                [cuda(1, 1, 1, tile), cuda(33, 31, 40, tile), cuda(100, 17, 61, tile),
                 Case(20, 30, 100, variant="cuda", parameter=tile, kind="large")]),
        Faults("CUDA: no race, no access outside, the launch is checked", 6,
               [cuda(33, 17, 40, tile)], checked=[cuda(tile, tile, tile, tile)]),
        Traffic("CUDA: another tile at compile time", 6, cuda(64, 32, 32, 32), check_tiles),
        Results("OpenCL: multiples of the tile", 8,
                [opencl(tile, tile, tile, tile), opencl(3 * tile, tile, 2 * tile, tile)],
                [(observed(2 * tile, tile, tile, tile), check_tiles)]),
        Results("OpenCL: any shape", 13,
                [opencl(1, 1, 1, tile), opencl(33, 31, 40, tile), opencl(100, 17, 61, tile),
                 Case(20, 30, 100, variant="opencl", parameter=tile, kind="large", host=True)],
                [(observed(2 * tile, tile, tile, tile), check_tiles)]),
        Faults("OpenCL: no race, no access outside", 6,
               [observed(33, 17, 40, tile)], of="opencl" if HERE else ""),
    ]
