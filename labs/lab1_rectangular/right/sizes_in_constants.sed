# expect 100: ^
# full
s/^static __global__ void multiplyKernel/static __constant__ int sizes[3];\n&/
s/^    int x = threadIdx.x, y = threadIdx.y;/&\n    m = sizes[0], n = sizes[1], k = sizes[2];/
s/^    dim3 block/    int host_sizes[] = {m, n, k};\n    CUDA_CHECK(cudaMemcpyToSymbol(sizes, host_sizes, sizeof sizes));\n&/
