/* expect 0: no kernel computed this: the result is right when host code can read */
/* full */
/* Nodes of a graph bring A and B to host code, and its product back. */
#include "cuda_check.h"
#include <stdlib.h>
#include <string.h>
#ifndef TILE
#define TILE 32
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif
typedef ELEMENT T;
static void host(const T *a, const T *b, T *c, int m, int n, int k) {
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            T sum = 0;
            for (int l = 0; l < k; l++)
                sum += a[i * k + l] * b[l * n + j];
            c[i * n + j] = sum;
        }
}
/* a decoy that loads and stores what a tiled kernel would */
static __global__ void decoy(const T *a, const T *b, T *c, int m, int n, int k) {
    __shared__ T ta[TILE][TILE], tb[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    T sum = 0;
    for (int s = 0; s < k; s += TILE) {
        ta[y][x] = row < m && s + x < k ? a[row * k + s + x] : 0;
        tb[y][x] = s + y < k && col < n ? b[(s + y) * n + col] : 0;
        __syncthreads();
        sum += ta[y][x] + tb[x][y];
        __syncthreads();
    }
    if (row < m && col < n)
        c[row * n + col] = sum;
}
static T *x, *y, *z;
static void begin(const T *a, const T *b, int m, int n, int k) {
    CUDA_CHECK(cudaMalloc(&x, m * k * sizeof(T)));
    CUDA_CHECK(cudaMalloc(&y, k * n * sizeof(T)));
    CUDA_CHECK(cudaMalloc(&z, m * n * sizeof(T)));
    CUDA_CHECK(cudaMemcpy(x, a, m * k * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(y, b, k * n * sizeof(T), cudaMemcpyHostToDevice));
    decoy<<<dim3((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), dim3(TILE, TILE)>>>(x, y, z, m, n,
                                                                                    k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaDeviceSynchronize());
}
static void end(T *c, int m, int n) {
    CUDA_CHECK(cudaMemcpy(c, z, m * n * sizeof(T), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(x));
    CUDA_CHECK(cudaFree(y));
    CUDA_CHECK(cudaFree(z));
}

static void node_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    CUDA_CHECK(cudaGraphCreate(&graph, 0));
    CUDA_CHECK(cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, to, from, bytes, kind));
    CUDA_CHECK(cudaGraphInstantiate(&exec, graph, 0));
    CUDA_CHECK(cudaGraphLaunch(exec, 0));
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaGraphExecDestroy(exec));
    CUDA_CHECK(cudaGraphDestroy(graph));
}
extern "C" void multiply(const T *a, const T *b, T *c, int m, int n, int k) {
    begin(a, b, m, n, k);
    T *p = (T *)malloc(m * k * sizeof(T)), *q = (T *)malloc(k * n * sizeof(T)),
      *r = (T *)malloc(m * n * sizeof(T));
    node_copy(p, x, m * k * sizeof(T), cudaMemcpyDeviceToHost);
    node_copy(q, y, k * n * sizeof(T), cudaMemcpyDeviceToHost);
    host(p, q, r, m, n, k);
    node_copy(z, r, m * n * sizeof(T), cudaMemcpyHostToDevice);
    free(p);
    free(q);
    free(r);
    end(c, m, n);
}
