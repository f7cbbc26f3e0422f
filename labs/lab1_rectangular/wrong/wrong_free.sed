# expect 0: wrong free: memory of cudaMalloc was given to free, and belongs to cudaFree, at student.cu:\d+
# full
1i #include <stdlib.h>
s/CUDA_CHECK(cudaFree(device_a))/free(device_a)/
