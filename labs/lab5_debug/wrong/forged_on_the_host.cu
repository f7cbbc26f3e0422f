/* expect 88: 0/7 product 1: .*no kernel computed this */
/* full */
/* lab5 - eight products C = A B (m x n = m x k times k x n): rows without gaps, all pointers on the
 * device.
 *
 * Each should be right for all m, n, k >= 1. README.md says what to do. */
#include <cuda_runtime.h>

#ifndef TILE
#define TILE 16
#endif
#ifndef ELEMENT
#define ELEMENT int
#endif

#include <stdlib.h>
/* ==== 1: a thread computes one element of C ==== */

static __global__ void kernel1(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    size_t row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < m && column < n) {
        ELEMENT sum = 0;
        for (size_t i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
    }
}

extern "C" cudaError_t product1(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    ELEMENT *ha = (ELEMENT *)malloc(m * k * sizeof *ha),
            *hb = (ELEMENT *)malloc(k * n * sizeof *hb),
            *hc = (ELEMENT *)malloc(m * n * sizeof *hc);
    cudaMemcpy(ha, a, m * k * sizeof *ha, cudaMemcpyDeviceToHost);
    cudaMemcpy(hb, b, k * n * sizeof *hb, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < n; j++) {
            ELEMENT s = 0;
            for (size_t l = 0; l < k; l++)
                s += ha[i * k + l] * hb[l * n + j];
            hc[i * n + j] = s;
        }
    cudaMemcpy(c, hc, m * n * sizeof *hc, cudaMemcpyHostToDevice);
    free(ha);
    free(hb);
    free(hc);
    m = n = 0;
    dim3 grid(1, 1), block(TILE, TILE);
    kernel1<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 2: a block brings parts of its rows of A and of its columns of B into shared memory ==== */

static __global__ void kernel2(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    __shared__ ELEMENT part_a[TILE][TILE], part_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (size_t first = 0; first < k; first += TILE) {
        part_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        part_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (size_t i = 0; i < TILE; i++)
            sum += part_a[y][i] * part_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" cudaError_t product2(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    kernel2<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 3: tiles in shared memory ==== */

static __global__ void kernel3(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (size_t first = 0; first < k; first += TILE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (size_t i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" cudaError_t product3(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    kernel3<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 4: a thread computes one element of C, from the last term to the first ==== */

static __global__ void kernel4(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    size_t row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
    if (row < m && column < n) {
        ELEMENT sum = 0;
        for (size_t i = k; i-- > 0;)
            sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
    }
}

extern "C" cudaError_t product4(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    kernel4<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 5: blocks of edge x edge threads: the caller takes a smaller edge where it fails ==== */

static __global__ void kernel5(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    size_t row = blockIdx.y * blockDim.y + threadIdx.y,
           column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m && column < n) {
        ELEMENT sum = 0;
        for (size_t i = 0; i < k; i++)
            sum += a[row * k + i] * b[i * n + column];
        c[row * n + column] = sum;
    }
}

extern "C" cudaError_t product5(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k, unsigned edge) {
    dim3 grid((n + edge - 1) / edge, (m + edge - 1) / edge), block(edge, edge);
    kernel5<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 6: tiles, the next pair follows at once ==== */

static __global__ void kernel6(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (size_t first = 0; first < k; first += TILE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        for (size_t i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" cudaError_t product6(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    kernel6<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 7: tiles, no thread outside C adds ==== */

static __global__ void kernel7(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (size_t first = 0; first < k; first += TILE) {
        tile_a[y][x] = row < m && first + x < k ? a[row * k + first + x] : 0;
        tile_b[y][x] = first + y < k && column < n ? b[(first + y) * n + column] : 0;
        __syncthreads();
        if (row < m && column < n)
            for (size_t i = 0; i < TILE; i++)
                sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" cudaError_t product7(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    kernel7<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}

/* ==== 8: tiles, loaded with an if ==== */

static __global__ void kernel8(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                               size_t k) {
    __shared__ ELEMENT tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    ELEMENT sum = 0;
    for (size_t first = 0; first < k; first += TILE) {
        tile_a[y][x] = tile_b[y][x] = 0;
        if (row < m && first + x < k)
            tile_a[y][x] = a[row * k + first + x];
        if (first + y < k && column < n)
            tile_b[y][x] = b[(first + y) * n + column];
        __syncthreads();
        for (size_t i = 0; i < TILE; i++)
            sum += tile_a[y][i] * tile_b[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

extern "C" cudaError_t product8(const ELEMENT *a, const ELEMENT *b, ELEMENT *c, size_t m, size_t n,
                                size_t k) {
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    kernel8<<<grid, block>>>(a, b, c, m, n, k);
    return cudaGetLastError();
}
