/* cusparse_v2.h - not provided, said at compile time. */
#error "cudacpu does not provide cuSPARSE: use a sparse library on the host, or nvcc and a GPU"
