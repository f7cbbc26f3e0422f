# expect 100: 6/6 CUDA: no race, no access outside, the launch is checked
# full
s/^    CUDA_CHECK(cudaGetLastError());/    cudaError_t error = cudaGetLastError();\n    if (error != cudaSuccess)\n        printf("launch: %s\\n", cudaGetErrorString(error));/
