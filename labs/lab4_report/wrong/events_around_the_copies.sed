# expect 68: multiply_global's times are not those of its kernel: copies are in them
# gpu 100: 9/9 global memory
/CUDA_CHECK(cudaEventRecord(start, 0))/d
/float milliseconds = 0;/d
/cudaEvent_t start, stop;/d
/cudaEventCreate(&start)/d
/CUDA_CHECK(cudaMemcpy(device_a, a/i\    float milliseconds = 0;\n    cudaEvent_t start, stop;\n    CUDA_CHECK(cudaEventCreate(\&start));\n    CUDA_CHECK(cudaEventRecord(start, 0));
