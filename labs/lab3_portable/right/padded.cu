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

template <int TS> __global__ void mm(const int *a, const int *b, int *c, int, int p, int n) {
    __shared__ int sa[TS][TS], sb[TS][TS];
    const int tx = threadIdx.x, ty = threadIdx.y, r = blockIdx.y * TS + ty,
              q = blockIdx.x * TS + tx;
    int acc = 0;
    for (int t = 0; t < p; t += TS) {
        sa[ty][tx] = a[r * p + t + tx];
        sb[ty][tx] = b[(t + ty) * n + q];
        __syncthreads();
        for (int i = 0; i < TS; i++)
            acc += sa[ty][i] * sb[i][tx];
        __syncthreads();
    }
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

static int up(int x, int t) { return (x + t - 1) / t * t; }
extern "C" void multiply(const int *a, const int *b, int *c, int m, int p, int n, int tile) {
    int M = up(m, tile), P = up(p, tile), N = up(n, tile), *da, *db, *dc;
    OK(cudaMalloc(&da, sizeof(int) * M * P));
    OK(cudaMalloc(&db, sizeof(int) * P * N));
    OK(cudaMalloc(&dc, sizeof(int) * M * N));
    OK(cudaMemset(da, 0, sizeof(int) * M * P));
    OK(cudaMemset(db, 0, sizeof(int) * P * N));
    OK(cudaMemcpy2D(da, P * 4, a, p * 4, p * 4, m, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(db, N * 4, b, n * 4, n * 4, p, cudaMemcpyHostToDevice));
    start(da, db, dc, M, P, N, tile);
    OK(cudaMemcpy2D(c, n * 4, dc, N * 4, n * 4, m, cudaMemcpyDeviceToHost));
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
}
