/* expect 100: tiles are used */
/* full */
/* Host code pads A and B to whole tiles, so that the kernel needs no bounds. */
#include "cuda_check.h"
#include <vector>
static __global__ void kernel(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int n, int k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y,
        column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (int start = 0; start < k; start += TILE) {
        tile_a[y][x] = a[row * k + start + x];
        tile_b[y][x] = b[(start + y) * n + column];
        __syncthreads();
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
static int whole(int x) { return (x + TILE - 1) / TILE * TILE; }
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    int M = whole(m), N = whole(n), K = whole(k);
    std::vector<ELEMENT> pa(M * K), pb(K * N), pc(M * N);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < k; j++)
            pa[i * K + j] = a[i * k + j];
    for (int i = 0; i < k; i++)
        for (int j = 0; j < n; j++)
            pb[i * N + j] = b[i * n + j];
    ELEMENT *da, *db, *dc;
    CUDA_CHECK(cudaMalloc(&da, pa.size() * sizeof(ELEMENT)));
    CUDA_CHECK(cudaMalloc(&db, pb.size() * sizeof(ELEMENT)));
    CUDA_CHECK(cudaMalloc(&dc, pc.size() * sizeof(ELEMENT)));
    CUDA_CHECK(cudaMemcpy(da, pa.data(), pa.size() * sizeof(ELEMENT), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(db, pb.data(), pb.size() * sizeof(ELEMENT), cudaMemcpyHostToDevice));
    kernel<<<dim3(N / TILE, M / TILE), dim3(TILE, TILE)>>>(da, db, dc, N, K);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(pc.data(), dc, pc.size() * sizeof(ELEMENT), cudaMemcpyDeviceToHost));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            c[i * n + j] = pc[i * N + j];
    CUDA_CHECK(cudaFree(da));
    CUDA_CHECK(cudaFree(db));
    CUDA_CHECK(cudaFree(dc));
}
