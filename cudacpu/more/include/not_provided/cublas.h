/* cublas.h - not provided, said at compile time. */
#error "cudacpu does not provide cuBLAS without handles: use cublas_v2.h"
