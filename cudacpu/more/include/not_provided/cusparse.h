/* cusparse.h - not provided, said at compile time. */
#error "cudacpu does not provide cuSPARSE: write the product as a kernel, or use nvcc and a GPU"
