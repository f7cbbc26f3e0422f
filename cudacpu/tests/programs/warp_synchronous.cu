/* warp_synchronous.cu - a reduction and a scan of before 2017: the last warp needs no barrier,
 * since its lanes execute every instruction together. Right with CUDACPU_WARP=lockstep.
 *
 * Covers: a reduction and a scan without `__syncwarp()`: right with CUDACPU_WARP=lockstep, else
 * said. */
#include <stdio.h>

__device__ void reduce_warp(volatile int *values, unsigned t) {
    values[t] += values[t + 32];
    values[t] += values[t + 16]; /* said */
    values[t] += values[t + 8];
    values[t] += values[t + 4];
    values[t] += values[t + 2];
    values[t] += values[t + 1];
}
__global__ void reduce(const int *in, int *out) {
    extern __shared__ int values[];
    const unsigned t = threadIdx.x;
    values[t] = in[t];
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 32; s /= 2) {
        if (t < s)
            values[t] += values[t + s];
        __syncthreads();
    }
    if (t < 32)
        reduce_warp(values, t);
    if (t == 0)
        *out = values[0];
}
__global__ void scan(int *p) {
    __shared__ volatile int values[32];
    const int t = (int)threadIdx.x;
    values[t] = p[t];
    for (int k = 1; k < 32; k *= 2)
        if (t >= k)
            values[t] = values[t] + values[t - k];
    p[t] = values[t];
}
/* A sum that a register carries from one step to the next. */
__global__ void carry(int *p) {
    __shared__ volatile int values[64];
    const int t = (int)threadIdx.x;
    int mine = p[t];
    values[t] = mine;
    values[t + 32] = 0;
    __syncwarp();
    if (t < 16) {
        mine += values[t + 16];
        values[t] = mine;
    }
    if (t < 8) {
        mine += values[t + 8];
        values[t] = mine; /* said */
    }
    if (t < 4) {
        mine += values[t + 4];
        values[t] = mine;
    }
    if (t < 2) {
        mine += values[t + 2];
        values[t] = mine;
    }
    if (t < 1) {
        mine += values[t + 1];
        values[t] = mine;
    }
    p[t] = values[t];
}
/* With what the cards since Volta need, nothing is said. */
__global__ void synchronised(int *p) {
    __shared__ volatile int values[64];
    const int t = (int)threadIdx.x;
    values[t] = p[t];
    values[t + 32] = 0;
    __syncthreads();
    values[t] = values[t] + values[t + 32];
    __syncwarp();
    for (int k = 16; k; k /= 2) {
        const int other = values[t + k];
        __syncwarp();
        values[t] = values[t] + other;
        __syncwarp();
    }
    p[t] = values[0];
}

int main() {
    int *p;
    cudaMallocManaged(&p, 257 * sizeof *p);
    for (int i = 0; i < 256; i++)
        p[i] = i;
    synchronised<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    const bool first = p[5] == 496;
    for (int i = 0; i < 256; i++)
        p[i] = i;
    reduce<<<1, 256, 256 * sizeof *p>>>(p, p + 256);
    cudaDeviceSynchronize();
    scan<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    const bool second = p[31] == 496;
    for (int i = 0; i < 32; i++)
        p[i] = i;
    carry<<<1, 32>>>(p);
    cudaDeviceSynchronize();
    puts(first && second && p[0] == 496 && p[256] == 32640 ? "ok" : "wrong");
    cudaFree(p);
    return 0;
}
