/* expect 100: 6/6 CUDA: another tile */
/* full */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define OK(x)                                                                                      \
    do {                                                                                           \
        cudaError_t e = x;                                                                         \
        if (e != cudaSuccess) {                                                                    \
            printf("%s\n", cudaGetErrorString(e));                                                 \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)

template <int TS> __global__ void mm(const int *a, const int *b, int *c, int m, int p, int n) {
    __shared__ int sa[TS][TS];
    __shared__ int sb[TS][TS];
    int r = blockIdx.y * TS + threadIdx.y, q = blockIdx.x * TS + threadIdx.x, acc = 0;
    for (int t = 0; t < (p + TS - 1) / TS; ++t) {
        int ak = t * TS + threadIdx.x, bk = t * TS + threadIdx.y;
        if (r < m && ak < p)
            sa[threadIdx.y][threadIdx.x] = a[r * p + ak];
        else
            sa[threadIdx.y][threadIdx.x] = 0;
        if (bk < p && q < n)
            sb[threadIdx.y][threadIdx.x] = b[bk * n + q];
        else
            sb[threadIdx.y][threadIdx.x] = 0;
        __syncthreads();
        for (int i = 0; i < TS; ++i)
            acc += sa[threadIdx.y][i] * sb[i][threadIdx.x];
        __syncthreads();
    }
    if (r < m && q < n)
        c[r * n + q] = acc;
}

static void start(int *a, int *b, int *c, int m, int p, int n, int t) {
    dim3 blk(t, t), grd((n + t - 1) / t, (m + t - 1) / t);
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
    OK(cudaMallocManaged(&da, 4 * m * p));
    OK(cudaMallocManaged(&db, 4 * p * n));
    OK(cudaMallocManaged(&dc, 4 * m * n));
    memcpy(da, a, 4 * m * p);
    memcpy(db, b, 4 * p * n);
    start(da, db, dc, m, p, n, tile);
    memcpy(c, dc, 4 * m * n);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
