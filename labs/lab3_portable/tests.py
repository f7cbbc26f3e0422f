"""tests.py - the visible tests of lab 3."""
import os
import subprocess

from lab import Case, Faults, Results, Traffic


def opencl_is_here():
    """Whether a program with OpenCL compiles and links."""
    try:
        return subprocess.run([os.environ.get("CC") or "gcc", "-x", "c", "-", "-lOpenCL", "-o", "/dev/null"], text=True,
                              input="#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0); }\n",
                              capture_output=True).returncode == 0
    except OSError:
        return False


TITLE = "One tile kernel in CUDA and in OpenCL"
FILES = ["student.cu", "student.cl"]
TYPE = "int"
TILE = 16
HERE = opencl_is_here()
LINK = ["labs/lab3_portable/opencl.c" if HERE else "labs/lab3_portable/no_opencl.c"]
OBSERVED = ["labs/lab3_portable/cl_as_cuda.cuh"]
LIBS = ["-lOpenCL"] if HERE else []
READ = ["/etc/OpenCL", "/sys/devices/system"]  # which OpenCL libraries there are; PoCL asks for processors and memory
SECONDS = 20  # PoCL compiles a kernel in about one


def cuda(m, n, k, tile):
    return Case(m, n, k, variant="cuda", parameter=tile)


def opencl(m, n, k, tile):
    return Case(m, n, k, variant="opencl", parameter=tile)


def both(m, n, k, tile):
    return Case(m, n, k, variant="both", parameter=tile)


def check_tiles(counts, case, tile):
    words, expected = counts["global"]["load"]["words"], 2 * case.m * case.n * case.k // case.parameter
    if words != expected:
        return f"{words} words are loaded from global memory; with this tile they are 2 m n p / {case.parameter} = {expected}"
    return None


def tests(rng, tile):
    return [
        Results("CUDA: multiples of the tile", 8, [cuda(tile, tile, tile, tile), cuda(3 * tile, tile, 2 * tile, tile)]),
        Results("CUDA: any shape", 13, [cuda(1, 1, 1, tile), cuda(33, 31, 40, tile), cuda(100, 17, 61, tile)]),
        Faults("CUDA: no race, no access outside", 6, [cuda(33, 17, 40, tile)]),
        Traffic("CUDA: another tile at compile time", 6, cuda(64, 32, 32, 32), check_tiles),
        Results("OpenCL: multiples of the tile", 8, [opencl(tile, tile, tile, tile), opencl(3 * tile, tile, 2 * tile, tile)]),
        Results("OpenCL: any shape", 13, [opencl(1, 1, 1, tile), opencl(33, 31, 40, tile), opencl(100, 17, 61, tile)]),
        Faults("OpenCL: no race, no access outside", 6, [Case(33, 17, 40, variant="observed", parameter=tile)]),
    ]
