# expect 68: multiply_global's times are not those of its kernel: copies are in them
# gpu 100: 9/9 global memory
# full
/CUDA_CHECK(cudaEventRecord(stop, 0))/i\    CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost));
