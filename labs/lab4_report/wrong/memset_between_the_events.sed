# expect 68: multiply_tiled's times are not those of its kernel: cudaMemset is in them
# gpu 100: 9/9 global memory
/CUDA_CHECK(cudaEventRecord(start, 0))/a\    CUDA_CHECK(cudaMemset(device_c, 0, bytes_c));
