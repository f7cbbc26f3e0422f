/* curand.h - not provided, said at compile time. */
#error "cudacpu does not provide curand.h: this program needs nvcc and a GPU"
