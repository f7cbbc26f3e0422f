/* cuda_bf16.h - not provided, said at compile time. */
#error "cudacpu does not provide cuda_bf16.h: this program needs nvcc and a GPU"
