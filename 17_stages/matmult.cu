/* 17_stages - slices come by asynchronous copies, two stages ahead of the tensor cores,
 * so that these need not wait.
 *
 * New: three stages in dynamic shared memory; a swizzle in place of padding, so that two
 * blocks fit on an SM.
 * Launch and reads: as 16. Chapter: docs/17_stages.md
 * Run: make 17_stages && ./17_stages/run */
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "panels.h"
#include "sliced_element.h"
#include <cuda_pipeline.h>

enum {
    TILE = 128,   /* rows and columns are padded to a multiple of it */
    PANEL = 512,  /* tiles of C in a panel */
    BM = 128,     /* rows of C in a block */
    BN = 64,      /* columns of C in a block */
    BK = 64,      /* k in a block's tiles of slices */
    STAGES = 3,   /* one in use, two on their way */
    WM = 64,      /* rows of C in a warp */
    WN = 32,      /* columns of C in a warp */
    SUMS = 64,    /* of a level in a thread */
    THREADS = 128 /* in a block */
};

/* Slices of BM rows and BN columns. */
typedef struct stage {
    signed char a[SLICES][BM][BK], b[SLICES][BN][BK];
} stage;

/* Where a segment of 16 slices lies among the BK of a vector. Two vectors have 32 banks:
 * so each second pair has another order. */
static __device__ unsigned swizzle(unsigned vector, unsigned segment) {
    return 16 * (segment ^ vector / 2 % 4);
}

/* Starts to copy BK slices of each vector. */
template <int VECTORS>
static __device__ void copy_tile(signed char (*tile)[VECTORS][BK],
                                 const signed char *from, size_t n) {
    const unsigned first = threadIdx.x / 4, segment = threadIdx.x % 4;
    for (unsigned i = first; i < first + VECTORS; i += THREADS / 4)
        for (unsigned d = 0; d < SLICES; d++)
            __pipeline_memcpy_async(&tile[d][i][swizzle(i, segment)],
                                    &from[(i * SLICES + d) * n + 16 * segment], 16);
}

/* Loads four matrices of 8 vectors x 16 slices, a word of each into each lane. Lanes 0 to
 * 7 have the addresses of the first one's vectors, lanes 8 to 15 of the second's. */
static __device__ void load_matrices(int *words, const signed char *vector) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(vector);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from));
}

/* Adds 16 rows of A times 8 columns of B, 32 products each. With g = lane / 4, l = lane %
 * 4 a lane holds the words l and l + 4 of rows g and g + 8 of A and of column g of B; its
 * sums are of the same rows, columns 2 l and 2 l + 1. */
static __device__ void multiply_add(int *sum, const int *a, const int *b) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

static __global__ void __launch_bounds__(THREADS) matmult_kernel(const product p) {
    extern __shared__ __align__(128) signed char memory[];
    stage *const stages = (stage *)memory;
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BN;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
    const unsigned tiles = (unsigned)p.n / BK; /* along k */
    int level[SLICES][SUMS] = {};
    const signed char *from_a = p.slices_a + row * SLICES * p.n,
                      *from_b = p.slices_b + column * SLICES * p.n;
    for (unsigned i = 0; i < STAGES - 1; i++) {
        copy_tile(stages[i].a, from_a + i * BK, p.n);
        copy_tile(stages[i].b, from_b + i * BK, p.n);
        __pipeline_commit();
    }
    for (unsigned k = 0; k < tiles; k++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage k is complete, and nobody needs k - 1 any more */
        const unsigned next = k + STAGES - 1;
        if (next < tiles) {
            copy_tile(stages[next % STAGES].a, from_a + next * BK, p.n);
            copy_tile(stages[next % STAGES].b, from_b + next * BK, p.n);
        }
        __pipeline_commit();
        const stage *tile = &stages[k % STAGES];
        for (unsigned l = 0; l < BK / 16; l += 2) {
            int a[SLICES][4], b[SLICES][WN / 8][2];
            for (int e = 0; e < SLICES; e++)
                for (int j = 0; j < WN / 8; j += 2) {
                    const unsigned i = x + 8 * j + lane / 16 * 8 + lane % 8;
                    load_matrices(b[e][j], &tile->b[e][i][swizzle(i, l + lane / 8 % 2)]);
                }
            for (int i = 0; i < WM / 16; i++) {
                const unsigned j = y + 16 * i + lane % 16;
                for (int d = 0; d < SLICES; d++)
                    load_matrices(a[d], &tile->a[d][j][swizzle(j, l + lane / 16)]);
                for (int d = 0; d < SLICES; d++)
                    for (int e = 0; d + e < SLICES; e++)
                        for (int j = 0; j < WN / 8; j++)
                            multiply_add(&level[d + e][16 * i + 4 * j], a[d], b[e][j]);
            }
        }
    }
    const size_t first_row = row + y + lane / 4, first_column = column + x + lane % 4 * 2;
    int again = 0;
#pragma unroll
    for (int i = 0; i < SLICES * SUMS; i++) /* for ptxas, which spills them otherwise */
        asm volatile("" : "+r"(level[i / SUMS][i % SUMS]));
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        again |= store(&p, first_row + i / 16 * 16 + i / 2 % 2 * 8,
                       first_column + i / 4 % 4 * 8 + i % 2, level[0][i], level[1][i],
                       level[2][i]);
    for (int i = 0; again && i < SUMS; i++)
        compute_again(&p, first_row + i / 16 * 16 + i / 2 % 2 * 8,
                      first_column + i / 4 % 4 * 8 + i % 2);
}

/* The product from this row on, with what it needs beside the matrices. */
static product find_product(const device_matrices *m, size_t row) {
    const size_t start = row * m->n;
    signed char *slices = (signed char *)m->more;
    vector_info *infos = (vector_info *)(slices + 2 * SLICES * m->n * m->n);
    return {m->n,         m->a + start,       m->b,
            m->c + start, m->count,           slices + SLICES * (m->n * m->n + start),
            slices,       infos + m->n + row, infos};
}

/* Slices B, transposed in the memory of C. */
static void prepare(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned n = (unsigned)m->n, side = n / SIDE;
    transpose_kernel<<<dim3(side, side), dim3(SIDE, 8), 0, stream>>>(m->b, n, m->c, n);
    CUDA_CHECK(cudaGetLastError());
    slice_kernel<<<n, SLICE_THREADS, 0, stream>>>(m->c, n, p.slices_b, p.columns);
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_kernel<<<(unsigned)rows, SLICE_THREADS, 0, stream>>>(p.a, p.n, p.slices_a,
                                                               p.rows);
    CUDA_CHECK(cudaGetLastError());
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 blocks((unsigned)p.n / BN, (unsigned)rows / BM);
    matmult_kernel<<<blocks, THREADS, bytes, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    const size_t more = 2 * padded * (SLICES * padded + sizeof(vector_info));
    const panel_plan plan = {TILE,    PANEL,    more,
                             prepare, multiply, "elements were computed again, in double",
                             NULL,    NULL};
    return multiply_in_panels(a, lda, b, ldb, c, ldc, n, &plan);
}
