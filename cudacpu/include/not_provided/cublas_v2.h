/* cublas_v2.h - not provided, said at compile time. */
#error "cudacpu does not provide cublas_v2.h: this program needs nvcc and a GPU"
