# expect 0: cudaFree was given a pointer that was freed before, at student.cu:\d+
s/^    CUDA_CHECK(cudaFree(device_c));/    cudaFree(device_c); CUDA_CHECK(cudaFree(device_c));/
