# expect 0: wrote into the gap between two rows of C
# C goes to the device and back, its gaps too.
s/^    double start = wall_seconds();/&\
    float *whole;\
    CUDA_CHECK(cudaMalloc(\&whole, rows * ldc * sizeof(float)));\
    CUDA_CHECK(cudaMemcpy(whole, c, rows * ldc * sizeof(float), cudaMemcpyHostToDevice));/
s/^    CUDA_CHECK(cudaEventDestroy(sent));/&\
    CUDA_CHECK(cudaMemcpy2D(whole, ldc * sizeof(float), device_c, pitch, row_bytes, rows, cudaMemcpyDeviceToDevice));\
    CUDA_CHECK(cudaMemcpy(c, whole, rows * ldc * sizeof(float), cudaMemcpyDeviceToHost));\
    CUDA_CHECK(cudaFree(whole));/
