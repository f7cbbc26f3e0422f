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

template <int TS> __global__ void mm(const int *a, const int *b, int *c, int m, int p, int n) {
    __shared__ int sa[TS][TS + 1], sb[TS][TS + 1];
    const int tx = threadIdx.x, ty = threadIdx.y, q = blockIdx.x * TS + tx, r0 = blockIdx.y * TS;
    int acc[2] = {0, 0};
    for (int t = 0; t < p; t += TS) {
        for (int h = 0; h < 2; h++) {
            int y = ty + h * TS / 2;
            sa[y][tx] = r0 + y < m && t + tx < p ? a[(r0 + y) * p + t + tx] : 0;
            sb[y][tx] = q < n && t + y < p ? b[(t + y) * n + q] : 0;
        }
        __syncthreads();
        for (int i = 0; i < TS; i++) {
            acc[0] += sa[ty][i] * sb[i][tx];
            acc[1] += sa[ty + TS / 2][i] * sb[i][tx];
        }
        __syncthreads();
    }
    for (int h = 0; h < 2; h++) {
        int r = r0 + ty + h * TS / 2;
        if (r < m && q < n)
            c[r * n + q] = acc[h];
    }
}

static void start(int *a, int *b, int *c, int m, int p, int n, int t) {
    dim3 blk(t, t / 2), grd((n + t - 1) / t, (m + t - 1) / t);
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
