/* cublasXt.h - not provided, said at compile time. */
#error "cudacpu does not provide cuBLASXt: use cublas_v2.h, or nvcc and a GPU"
