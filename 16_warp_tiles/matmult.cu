/* 16_warp_tiles - a warp has 64 x 32 elements of C: what it loads, it uses four times
 * as often.
 *
 * New: WM x WN elements in a warp; ldmatrix, one instruction for the four words that
 * each lane of a warp needs; elements to be computed again wait until all are stored.
 * Launch: 128 threads for each 128 x 64 elements of C; reads 9 n^3 / 128 bytes of slices.
 * Chapter: docs/16_warp_tiles.md
 * Run: make 16_warp_tiles && ./16_warp_tiles/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "panels.h"
#include "slices.h"

enum {
    TILE = 128,   /* rows and columns are padded to a multiple of it */
    PANEL = 512,  /* tiles of C in a panel */
    BM = 128,     /* rows of C in a block */
    BN = 64,      /* columns of C in a block */
    BK = 64,      /* k in a block's tiles of slices */
    WM = 64,      /* rows of C in a warp */
    WN = 32,      /* columns of C in a warp */
    SUMS = 64,    /* of a level in a thread */
    THREADS = 128 /* in a block */
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

/* Stores an element of C, or infinity where its error may be above 1e-6. Returns whether
 * it must be computed again. */
static __device__ int store(const product *p, size_t row, size_t column, int level0,
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
    p->c[row * p->n + column] = value;
    return !(fabsf(value) < 3e38f);
}

/* Computes such an element in double. */
static __device__ void compute_again(const product *p, size_t row, size_t column) {
    float *c = &p->c[row * p->n + column];
    *c = replace_overflow(*c, p->a + row * p->n, 1, p->b + column, p->n, p->n);
}

/* Copies BK slices of each vector; + 16: loads have no bank conflicts. */
template <int VECTORS>
static __device__ void copy_tile(signed char (*tile)[VECTORS][BK + 16],
                                 const signed char *from, size_t n) {
    const unsigned first = threadIdx.x / 4, segment = threadIdx.x % 4;
    for (unsigned i = first; i < first + VECTORS; i += THREADS / 4)
        for (unsigned d = 0; d < SLICES; d++)
            *(int4 *)&tile[d][i][16 * segment] =
                *(const int4 *)&from[(i * SLICES + d) * n + 16 * segment];
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
    __shared__ __align__(16) signed char tile_a[SLICES][BM][BK + 16],
        tile_b[SLICES][BN][BK + 16];
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BN;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
    int level[SLICES][SUMS] = {};
    for (size_t k = 0; k < p.n; k += BK) {
        copy_tile(tile_a, p.slices_a + row * SLICES * p.n + k, p.n);
        copy_tile(tile_b, p.slices_b + column * SLICES * p.n + k, p.n);
        __syncthreads(); /* the tiles are complete */
        for (unsigned l = 0; l < BK / 16; l += 2) {
            int a[SLICES][4], b[SLICES][WN / 8][2];
            for (int e = 0; e < SLICES; e++)
                for (int j = 0; j < WN / 8; j += 2) {
                    const unsigned i = x + 8 * j + lane / 16 * 8 + lane % 8;
                    load_matrices(b[e][j], &tile_b[e][i][16 * (l + lane / 8 % 2)]);
                }
            for (int i = 0; i < WM / 16; i++) {
                const unsigned j = y + 16 * i + lane % 16;
                for (int d = 0; d < SLICES; d++)
                    load_matrices(a[d], &tile_a[d][j][16 * (l + lane / 16)]);
                for (int d = 0; d < SLICES; d++)
                    for (int e = 0; d + e < SLICES; e++)
                        for (int j = 0; j < WN / 8; j++)
                            multiply_add(&level[d + e][16 * i + 4 * j], a[d], b[e][j]);
            }
        }
        __syncthreads(); /* nobody needs them any more */
    }
    const size_t first_row = row + y + lane / 4, first_column = column + x + lane % 4 * 2;
    int again = 0;
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
    const dim3 blocks((unsigned)p.n / BN, (unsigned)rows / BM);
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
