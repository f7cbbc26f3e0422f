# expect 68: multiply_tiled's times are not those of its kernel: cudaMalloc or cudaFree is in them
# gpu 100: 9/9 global memory
# full
/CUDA_CHECK(cudaEventRecord(start, 0))/a\    double *more;\n    CUDA_CHECK(cudaMalloc(&more, bytes_c));\n    CUDA_CHECK(cudaFree(more));
