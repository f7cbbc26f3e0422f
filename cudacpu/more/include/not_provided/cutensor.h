/* cutensor.h - not provided, said at compile time. */
#error "cudacpu does not provide cuTENSOR: write it as a kernel, or use nvcc and a GPU"
