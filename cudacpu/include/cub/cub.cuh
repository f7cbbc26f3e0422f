/* cub.cuh - not provided, said at compile time. */
#error "cudacpu does not provide CUB: write the reduction or scan as a kernel with warp \
functions, or use nvcc and a GPU"
