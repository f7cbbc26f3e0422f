"""hidden.py - the hidden tests of lab 3."""
from lab import Faults, Results
from tests import cuda, opencl


def tests(rng, tile):
    def shape(most):
        return rng.randint(2, most), rng.randint(2, most), rng.choice([35, 67, 131])
    return [
        Results("CUDA: drawn shapes", 14,
                [cuda(*shape(150), size) for size in (8, 16, 32)] + [cuda(1, 200, 5, tile)]),
        Faults("CUDA: no fault, a drawn shape", 8, [cuda(*shape(40), 8)]),
        Results("the same integers by both: CUDA", 9,
                [cuda(*shape(150), size) for size in (8, 32)] + [cuda(200, 1, 5, 32)]),
        Results("the same integers by both: OpenCL", 9,
                [opencl(*shape(150), size) for size in (8, 32)] + [opencl(200, 1, 5, 32)]),
    ]
