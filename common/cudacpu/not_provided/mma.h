/* mma.h - not provided, said at compile time. */
#error "cudacpu does not provide mma.h: this program needs nvcc and a GPU"
