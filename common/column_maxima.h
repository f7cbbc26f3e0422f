/* column_maxima.h - the largest elements of columns of B; a kernel that does not need them may
 * begin before they are there. Chapters: docs/30_fused_slicing.md, docs/29_early_launch.md */
#ifndef COLUMN_MAXIMA_H
#define COLUMN_MAXIMA_H
#include "columns.h"

enum { MAXIMA_BLOCKS = 32 }; /* one below the other */

/* The largest of each column, TILE columns in a block; ldb: of B or a share of B. */
static __global__ void column_maxima_kernel(const product p, size_t ldb, const column_sums s) {
    const size_t x = blockIdx.x * TILE + threadIdx.x % 32 * 4, rows = (unsigned)p.n / gridDim.y,
                 first = blockIdx.y * rows;
    cudaTriggerProgrammaticLaunchCompletion(); /* slice_kernel may begin */
    __shared__ unsigned largest[TILE];         /* of this block */
    if (threadIdx.x < TILE)
        largest[threadIdx.x] = 0;
    __syncthreads();
    unsigned bits[4] = {}; /* twice */
#pragma unroll 8           /* loads in flight */
    for (size_t k = first + threadIdx.x / 32; k < first + rows; k += COLUMN_THREADS / 32) {
        const uint4 four = *(const uint4 *)&p.b[k * ldb + x];
        const unsigned next[] = {four.x * 2, four.y * 2, four.z * 2, four.w * 2};
        for (int i = 0; i < 4; i++)
            bits[i] = max(bits[i], next[i]);
    }
    for (int i = 0; i < 4; i++)
        atomicMax(&largest[threadIdx.x % 32 * 4 + i], bits[i] / 2);
    __syncthreads();
    if (threadIdx.x < TILE)
        atomicMax(&s.largest[blockIdx.x * TILE + threadIdx.x], largest[threadIdx.x]);
}

/* The sums lie in the memory of C, which nobody needs yet. */
static column_sums find_sums(const product &p) {
    unsigned *sums = (unsigned *)p.c;
    return {sums, {sums + p.n, sums + 2 * p.n, sums + 3 * p.n, sums + 4 * p.n}};
}

/* Finds them. B has ldb columns. */
static inline void measure_columns(const product &p, size_t ldb, cudaStream_t stream) {
    const dim3 grid((unsigned)ldb / TILE, MAXIMA_BLOCKS);
    CUDA_CHECK(cudaMemsetAsync(p.c, 0, (SLICES + 2) * p.n * sizeof(unsigned), stream));
    column_maxima_kernel<<<grid, COLUMN_THREADS, 0, stream>>>(p, ldb, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
}

/* Slices them. */
static void slice_columns(const product &p, size_t ldb, cudaStream_t stream) {
    const dim3 grid((unsigned)ldb / TILE, (unsigned)p.n / BK);
    slice_columns_kernel<<<grid, COLUMN_THREADS, 0, stream>>>(p, ldb, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
    describe_columns_kernel<<<grid.x, TILE, 0, stream>>>(p, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
}
#endif
