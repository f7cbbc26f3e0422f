/* expect 100: tiles are used */
/* A graph of nodes copies, multiplies and copies back, in memory of a pool. */
#include "cuda_check.h"
#ifndef TILE
#define TILE 32
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif

static __global__ void multiplyKernel(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n,
                                      int k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (int start = 0; start < k; start += TILE) {
        tile_a[y][x] = row < m && start + x < k ? a[(size_t)row * k + start + x] : 0;
        tile_b[y][x] = start + y < k && column < n ? b[(size_t)(start + y) * n + column] : 0;
        __syncthreads(); /* the tiles are complete */
        for (int i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads(); /* nobody needs them any more */
    }
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}

extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    size_t bytes_a = (size_t)m * k * sizeof(ELEMENT), bytes_b = (size_t)k * n * sizeof(ELEMENT),
           bytes_c = (size_t)m * n * sizeof(ELEMENT);
    ELEMENT *x, *y, *z;
    cudaStream_t s;
    CUDA_CHECK(cudaStreamCreate(&s));
    CUDA_CHECK(cudaMallocAsync((void **)&x, bytes_a, s));
    CUDA_CHECK(cudaMallocAsync((void **)&y, bytes_b, s));
    CUDA_CHECK(cudaMallocAsync((void **)&z, bytes_c, s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t n1, n2, n3, n4;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(
        cudaGraphAddMemcpyNode1D(&n1, graph, NULL, 0, x, a, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaGraphAddMemcpyNode1D(&n2, graph, NULL, 0, y, b, bytes_b, cudaMemcpyHostToDevice));
    void *args[] = {&x, &y, &z, &m, &n, &k};
    cudaKernelNodeParams kp = {};
    kp.func = (void *)multiplyKernel;
    kp.gridDim = dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    kp.blockDim = dim3(TILE, TILE);
    kp.kernelParams = args;
    cudaGraphNode_t before[] = {n1, n2};
    CUDA_CHECK(cudaGraphAddKernelNode(&n3, graph, before, 2, &kp));
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&n4, graph, &n3, 1, c, z, bytes_c, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(exec, s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
    CUDA_CHECK(cudaFreeAsync(x, s));
    CUDA_CHECK(cudaFreeAsync(y, s));
    CUDA_CHECK(cudaFreeAsync(z, s));
    CUDA_CHECK(cudaStreamSynchronize(s));
    CUDA_CHECK(cudaStreamDestroy(s));
}
