# expect 100: 14/14 tiles
# full
/CUDA_CHECK(cudaEventRecord(start, 0))/i\    float of_nothing = 0;\n    CUDA_CHECK(cudaEventRecord(start, 0));\n    CUDA_CHECK(cudaEventRecord(stop, 0));\n    CUDA_CHECK(cudaDeviceSynchronize());\n    CUDA_CHECK(cudaEventElapsedTime(&of_nothing, start, stop));
s/CUDA_CHECK(cudaEventSynchronize(stop))/CUDA_CHECK(cudaDeviceSynchronize())/
s/return milliseconds;/return milliseconds - of_nothing;/
