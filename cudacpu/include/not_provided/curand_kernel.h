/* curand_kernel.h - not provided, said at compile time. */
#error "cudacpu does not provide curand_kernel.h: this program needs nvcc and a GPU"
