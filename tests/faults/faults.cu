/* faults.cu - faults of kernels and of host code, chosen by number: each must become a sentence (the suite checks which). */
#include <stdio.h>
#include <stdlib.h>
__global__ void past(char *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        p[i] = 1;
}
__global__ void far(float *p) {
    p[threadIdx.x + 1000] = 1;
}
__global__ void differ(float *p) {
    if (threadIdx.x < 4)
        __syncthreads();
    else
        __syncthreads();
    p[threadIdx.x] = 1;
}
int main(int c, char **v) {
    int w = atoi(v[1]), n = c > 2 ? atoi(v[2]) : 100;
    char *p; float *q;
    cudaMalloc(&p, n); cudaMalloc(&q, 4000);
    if (w == 0) past<<<n / 64 + 1, 64>>>(p, n);
    if (w == 1) far<<<2, 32>>>(q);
    if (w == 2) differ<<<2, 32>>>(q);
    if (w == 3)
        q[3] = 1;
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return cudaGetLastError() != cudaSuccess;
}
