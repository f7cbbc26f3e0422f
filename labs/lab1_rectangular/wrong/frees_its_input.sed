# expect 0: wrong free: a matrix of the caller.s was given to free, at student.cu:\d+
# full
s/^    CUDA_CHECK(cudaFree(device_c));/    CUDA_CHECK(cudaFree(device_c));\
    free((void *)a);/
