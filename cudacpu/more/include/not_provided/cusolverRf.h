/* cusolverRf.h - not provided, said at compile time. */
#error "cudacpu does not provide cuSOLVER: use LAPACK on the host, or nvcc and a GPU"
