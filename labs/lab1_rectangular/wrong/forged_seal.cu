/* expect 75: nothing is read from shared memory|inspect's report is not its own */
/* with UNREFUSED=1 */
/* No tiles; the seal is looked for in memory, for a report that says otherwise. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static long marker;
/* student.cu - lab 1: C (m x n) = A (m x k) B (k x n) with tiles in shared memory, for any shape */
#include "cuda_check.h"

#ifndef TILE
#define TILE 32
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif

static __global__ void multiplyKernel(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n,
                                      int k) {
    int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    ELEMENT sum = 0;
    for (int i = 0; row < m && column < n && i < k; i++)
        sum += a[(size_t)row * k + i] * b[(size_t)i * n + column];
    if (row < m && column < n)
        c[(size_t)row * n + column] = sum;
}

static long want_m, want_n, want_k;
static void forge() {
    char *p = (char *)&marker - 65536 * 0; /* seal: 'c', 32 hex letters */
    for (char *q = (char *)((unsigned long)p & ~4095ul);
         q < (char *)((unsigned long)p & ~4095ul) + 4096; q++) {
        if (*q != 'c' && *q != 'o')
            continue;
        if (strspn(q + 1, "0123456789abcdef") == 32) {
            long t = TILE, l = want_m * want_k * ((want_n + t - 1) / t) +
                               want_k * want_n * ((want_m + t - 1) / t);
            char s[1000];
            int bytes = snprintf(s, sizeof s,
                                 "{\"seal\": \"%.32s\", \"launches\": 1, \"kernel\": \"k\", "
                                 "\"global\": {\"load\": {\"words\": %ld}, \"store\": {\"words\": "
                                 "1}}, \"shared\": {\"load\": {\"words\": 9}}, \"faults\": []}",
                                 q + 1, l);
            for (int fd = 3; fd < 64; fd++)
                if (ftruncate(fd, 0) == 0 && pwrite(fd, s, bytes, 0) > 0)
                    _exit(0);
        }
    }
}
/* The matrices are in host memory, row after row without gaps. */
extern "C" void multiply(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, int m, int n, int k) {
    size_t bytes_a = (size_t)m * k * sizeof(ELEMENT), bytes_b = (size_t)k * n * sizeof(ELEMENT);
    size_t bytes_c = (size_t)m * n * sizeof(ELEMENT);
    ELEMENT *device_a, *device_b, *device_c;
    CUDA_CHECK(cudaMalloc(&device_a, bytes_a));
    CUDA_CHECK(cudaMalloc(&device_b, bytes_b));
    CUDA_CHECK(cudaMalloc(&device_c, bytes_c));
    CUDA_CHECK(cudaMemcpy(device_a, a, bytes_a, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_b, b, bytes_b, cudaMemcpyHostToDevice));

    /* TODO 2 */
    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE);
    multiplyKernel<<<grid, block>>>(device_a, device_b, device_c, m, n, k);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(c, device_c, bytes_c, cudaMemcpyDeviceToHost));
    /* end of TODO 2 */

    static int once;
    if (!once++)
        atexit(forge);
    want_m = m, want_n = n, want_k = k;
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
}
