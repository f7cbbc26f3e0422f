/* cuda_fp16.h - not provided, said at compile time. */
#error "cudacpu does not provide cuda_fp16.h: this program needs nvcc and a GPU"
