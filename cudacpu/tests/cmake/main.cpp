/* main.cpp - a C++ file of a CUDA project. */
#include "kernels.h"
#include <cstdio>
#include <cuda_runtime.h>
#ifdef __CUDACC__
#error "a C++ file is not compiled as CUDA"
#endif
int main() {
    int *p, last = 0;
    cudaMalloc(&p, 32 * sizeof *p);
    fill_on_device(p, 32);
    cudaMemcpy(&last, p + 31, sizeof last, cudaMemcpyDeviceToHost);
    cudaFree(p);
    std::printf("%d\n", last);
    return last != 62;
}
