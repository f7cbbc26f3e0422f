/* cublasLt.h - not provided, said at compile time. */
#error "cudacpu does not provide cuBLASLt: use cublasGemmEx of cublas_v2.h, or nvcc and a GPU"
