/* 15_tensor_core - the sums of step 14 on tensor cores: one instruction of a warp
 * multiplies 16 x 32 by 32 x 8 slices.
 *
 * New: multiply_add, which is mma.sync, and the map of what each lane holds.
 * Launch and reads: as 14. Of a block's 8 warps, 4 x 2, each has 16 x 32 elements of C.
 * Chapter: docs/15_tensor_core.md
 * Run: make 15_tensor_core && ./15_tensor_core/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "panels.h"
#include "slices.h"

enum {
    TILE = 128,   /* rows and columns are padded to a multiple of it */
    PANEL = 512,  /* tiles of C in a panel */
    BM = 64,      /* rows of C in a block; as many columns */
    BK = 64,      /* k in a block's tiles of slices */
    THREADS = 256 /* in a block */
};

/* Some rows of C = A B on the device, and what is made of A and B. */
typedef struct product {
    size_t n; /* padded */
    const float *a, *b;
    float *c;
    unsigned long long *again; /* how many elements were computed again */
    signed char *slices_a, *slices_b;
    vector_info *rows, *columns;
} product;

/* Stores an element of C; or computes it again, where its error may be above 1e-6. */
static __device__ void store(const product *p, size_t row, size_t column, int level0,
                             int level1, int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float bound = left.rounding * right.all + left.all * right.rounding +
                        left.middle * right.low + left.low * right.middle;
    float value = (float)((double)sum * left.unit * right.unit);
    if (!(bound <= 0.85e-6f * 65536 * fabsf((float)sum))) { /* the rest is for value */
        value = INFINITY;
        atomicAdd(p->again, 1);
    }
    p->c[row * p->n + column] =
        replace_overflow(value, p->a + row * p->n, 1, p->b + column, p->n, p->n);
}

/* Slices of BM vectors, four in a word; + 4: for fewer bank conflicts. */
typedef int slice_tile[BM][SLICES][BK / 4 + 4];

static __device__ void copy_tile(slice_tile tile, const signed char *from, size_t n) {
    for (unsigned i = threadIdx.x; i < BM * SLICES * (BK / 16); i += THREADS) {
        const unsigned j = i / (BK / 16), k = i % (BK / 16) * 16;
        *(int4 *)&tile[j / SLICES][j % SLICES][k / 4] = *(const int4 *)&from[j * n + k];
    }
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
    __shared__ __align__(16) slice_tile tile_a, tile_b;
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BM;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / 2 * 16 + lane / 4, x = warp % 2 * 32;
    int level[SLICES][4][4] = {};
    for (size_t k = 0; k < p.n; k += BK) {
        copy_tile(tile_a, p.slices_a + row * SLICES * p.n + k, p.n);
        copy_tile(tile_b, p.slices_b + column * SLICES * p.n + k, p.n);
        __syncthreads(); /* the tiles are complete */
        for (unsigned l = lane % 4; l < BK / 4; l += 8) {
            int a[SLICES][4];
            for (int d = 0; d < SLICES; d++)
                for (int i = 0; i < 4; i++)
                    a[d][i] = tile_a[y + i % 2 * 8][d][l + i / 2 * 4];
            for (int j = 0; j < 4; j++)
                for (int e = 0; e < SLICES; e++) {
                    const int *word = &tile_b[x + 8 * j + lane / 4][e][l];
                    const int b[] = {word[0], word[4]};
                    for (int d = 0; d + e < SLICES; d++)
                        multiply_add(level[d + e][j], a[d], b);
                }
        }
        __syncthreads(); /* nobody needs them any more */
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            store(&p, row + y + j / 2 * 8, column + x + 8 * i + lane % 4 * 2 + j % 2,
                  level[0][i][j], level[1][i][j], level[2][i][j]);
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
    slice_kernel<<<n, THREADS, 0, stream>>>(m->c, n, p.slices_b, p.columns);
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_kernel<<<(unsigned)rows, THREADS, 0, stream>>>(p.a, p.n, p.slices_a, p.rows);
    CUDA_CHECK(cudaGetLastError());
    const dim3 blocks((unsigned)p.n / BM, (unsigned)rows / BM);
    matmult_kernel<<<blocks, THREADS, 0, stream>>>(p);
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
