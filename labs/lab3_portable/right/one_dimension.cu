/* expect 100: 6/6 CUDA: another tile */
/* full */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define OK(x)                                                                                      \
    do {                                                                                           \
        cudaError_t e = x;                                                                         \
        if (e != cudaSuccess) {                                                                    \
            printf("%s\n", cudaGetErrorString(e));                                                 \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

template <int TS>
__global__ void __launch_bounds__(TS *TS) mm(const int *__restrict__ a, const int *__restrict__ b,
                                             int *__restrict__ c, int m, int p, int n) {
    __shared__ int sa[TS * TS], sb[TS * TS];
    const int id = threadIdx.x, tx = id % TS, ty = id / TS;
    const int across = (n + TS - 1) / TS;
    const int r = blockIdx.x / across * TS + ty, q = blockIdx.x % across * TS + tx;
    long long acc = 0;
    for (int t = 0; t < p; t += TS) {
        sa[id] = 0;
        sb[id] = 0;
        if (r < m && t + tx < p)
            sa[id] = a[(size_t)r * p + t + tx];
        if (q < n && t + ty < p)
            sb[id] = b[(size_t)(t + ty) * n + q];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < TS; i++)
            acc += (long long)sa[ty * TS + i] * sb[i * TS + tx];
        __syncthreads();
    }
    if (r < m && q < n)
        c[(size_t)r * n + q] = (int)acc;
}

static void start(int *a, int *b, int *c, int m, int p, int n, int t) {
    int blk = t * t, grd = ((n + t - 1) / t) * ((m + t - 1) / t);
    switch (t) {
    case 8:
        mm<8><<<grd, blk>>>(a, b, c, m, p, n);
        break;
    case 16:
        mm<16><<<grd, blk>>>(a, b, c, m, p, n);
        break;
    case 32:
        mm<32><<<grd, blk>>>(a, b, c, m, p, n);
        break;
    }
    OK(cudaPeekAtLastError());
    OK(cudaDeviceSynchronize());
}

extern "C" void multiply(const int *a, const int *b, int *c, int m, int p, int n, int tile) {
    int *da, *db, *dc;
    size_t sa = sizeof(int) * m * p, sb = sizeof(int) * p * n, sc = sizeof(int) * m * n;
    OK(cudaMalloc((void **)&da, sa));
    OK(cudaMalloc((void **)&db, sb));
    OK(cudaMalloc((void **)&dc, sc));
    OK(cudaMemcpy(da, a, sa, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(db, b, sb, cudaMemcpyHostToDevice));
    start(da, db, dc, m, p, n, tile);
    OK(cudaMemcpy(c, dc, sc, cudaMemcpyDeviceToHost));
    OK(cudaFree(da));
    OK(cudaFree(db));
    OK(cudaFree(dc));
}
