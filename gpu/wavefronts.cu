/* wavefronts.cu - loads and stores of shared memory, of 4, 8 and 16 bytes a lane, at random
 * addresses where some lanes want the same: by which rule does the hardware count wavefronts?
 * Each is one request of one warp. ncu_kernels.py runs it with ncu and with inspect.
 *
 *     wavefronts PATTERN   (0 to 5) */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 8192, DRAWS = 4 };

/* Lane i loads element at[i] of shared memory; none where that is negative. */
template <class T> static __global__ void load(const int *at, T *out) {
    __shared__ T tile[BYTES / sizeof(T)];
    const int lane = threadIdx.x, mine = at[lane];
    const T own = out[lane];
    for (int i = lane; i < (int)(BYTES / sizeof(T)); i += 32)
        tile[i] = own;
    __syncthreads();
    if (mine >= 0)
        out[lane] = tile[mine];
}

/* Lane i stores it. */
template <class T> static __global__ void store(const int *at, T *out) {
    __shared__ T tile[BYTES / sizeof(T)];
    const int lane = threadIdx.x, mine = at[lane];
    const T own = out[lane];
    tile[lane] = own;
    __syncthreads();
    if (mine >= 0)
        tile[mine] = own;
    __syncthreads();
    out[lane] = tile[lane];
}

static int draw(int below) {
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)below);
}

static void choose_elements(int pattern, int below, int at[32]) {
    int any[32];
    for (int i = 0; i < 32; i++)
        any[i] = draw(below);
    const int inactive = draw(32);
    for (int i = 0; i < 32; i++)
        switch (pattern) {
        case 0: /* each its own */
            at[i] = any[i];
            break;
        case 1: /* neighbours the same */
            at[i] = any[i / 2];
            break;
        case 2: /* those two apart */
            at[i] = any[i & ~2];
            break;
        case 3: /* neighbours in one half of the warp, those two apart in the other */
            at[i] = i < 16 ? any[i / 2] : any[i & ~2];
            break;
        case 4: /* neighbours; one lane is not active */
            at[i] = i == inactive ? -1 : any[i / 2];
            break;
        default: /* those four apart */
            at[i] = any[i & ~4];
        }
}

template <class T> static void try_pattern(int pattern, int *device_at, void *out) {
    const int elements = BYTES / sizeof(T);
    int at[32];
    for (int i = 0; i < DRAWS; i++) {
        choose_elements(pattern, i % 2 ? elements : 256 / (int)sizeof(T), at);
        cudaMemcpy(device_at, at, sizeof at, cudaMemcpyHostToDevice);
        load<T><<<1, 32>>>(device_at, (T *)out);
        store<T><<<1, 32>>>(device_at, (T *)out);
    }
}

int main(int argc, char **argv) {
    int *device_at;
    void *out;
    const int pattern = argc > 1 ? atoi(argv[1]) : 0;
    cudaMalloc(&device_at, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(float4));
    cudaMemset(out, 0, 32 * sizeof(float4));
    try_pattern<float>(pattern, device_at, out);
    try_pattern<float2>(pattern, device_at, out);
    try_pattern<float4>(pattern, device_at, out);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(device_at);
    cudaFree(out);
    return 0;
}
