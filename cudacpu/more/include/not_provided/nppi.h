/* nppi.h - not provided, said at compile time. */
#error "cudacpu does not provide NPP: write it as a kernel, or use nvcc and a GPU"
