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
    __shared__ int sa[TS][TS], sb[TS][TS];
    const int tx = threadIdx.x, ty = threadIdx.y, wide = (n + TS - 1) / TS,
              high = (m + TS - 1) / TS;
    for (int tile = blockIdx.x; tile < wide * high; tile += gridDim.x) {
        const int r = tile / wide * TS + ty, q = tile % wide * TS + tx;
        unsigned acc = 0u;
        for (int t = 0; t < p; t += TS) {
            __syncthreads();
            sa[ty][tx] = r < m && t + tx < p ? a[r * p + t + tx] : 0;
            sb[ty][tx] = q < n && t + ty < p ? b[(t + ty) * n + q] : 0;
            __syncthreads();
            for (int i = 0; i < TS; i++)
                acc += (unsigned)sa[ty][i] * (unsigned)sb[i][tx];
        }
        if (r < m && q < n)
            c[r * n + q] = (int)acc;
    }
}

static void start(int *a, int *b, int *c, int m, int p, int n, int t) {
    dim3 blk(t, t), grd(3);
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
