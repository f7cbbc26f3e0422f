/* alone.cu - a program without a file that is C++: CMake links it by its rule for CUDA. */
#include <stdio.h>

static __global__ void store(int *p) { *p = 62; }

int main() {
    int *p, value;
    cudaMalloc(&p, sizeof *p);
    store<<<1, 1>>>(p);
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost);
    printf("%d\n", value);
    return cudaFree(p) != cudaSuccess;
}
