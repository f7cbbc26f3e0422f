/* 18_packed_tiles - slices lie in device memory as they will lie in a stage, swizzled: a
 * tile is one piece, copied byte for byte.
 *
 * New: image_layout, by which slice_kernel stores; blocks of 128 x 128 elements of C.
 * Launch: 256 threads a block; reads 6 n^3 / 128 bytes of slices.
 * Chapter: docs/18_packed_tiles.md
 * Run: make 18_packed_tiles && ./18_packed_tiles/run */
#include "sliced_product.h"
#include <cuda_pipeline.h>

enum {
    PANEL = 1024, /* tiles of C in a panel */
    BK = 64,      /* k in a block's tiles of slices */
    STAGES = 4,   /* one in use, three on their way */
    WM = 64,      /* rows of C in a warp */
    WN = 32,      /* columns of C in a warp */
    SUMS = 64,    /* of a level in a thread */
    THREADS = 256 /* in a block, which has TILE rows and columns */
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[SLICES][TILE][BK], b[SLICES][TILE][BK];
} stage;

/* Where a segment of 16 slices lies among the BK of a vector. Two vectors have 32 banks:
 * so each second pair has another order. */
static __device__ unsigned swizzle(unsigned vector, unsigned segment) {
    return 16 * (segment ^ vector / 2 % 4);
}

/* A tile: BK slices of TILE vectors. Tiles lie one after another along k. */
enum { SLICE_BYTES = TILE * BK, TILE_BYTES = SLICES * SLICE_BYTES };
struct image_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        const size_t tile = i / TILE * (n / BK) + k / BK, vector = i % TILE;
        return tile * TILE_BYTES + d * SLICE_BYTES + vector * BK +
               swizzle(vector, k % BK / 16) + k % 16;
    }
};

/* Starts to copy a stage. */
static __device__ void copy_stage(stage *to, const signed char *a, const signed char *b) {
    for (unsigned i = 16 * threadIdx.x; i < TILE_BYTES; i += 16 * THREADS) {
        __pipeline_memcpy_async((signed char *)to->a + i, a + i, 16);
        __pipeline_memcpy_async((signed char *)to->b + i, b + i, 16);
    }
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
    extern __shared__ __align__(1024) signed char memory[];
    stage *const stages = (stage *)memory;
    const size_t row = (size_t)blockIdx.x * TILE, column = (size_t)blockIdx.y * TILE;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (TILE / WN) * WM, x = warp % (TILE / WN) * WN;
    const unsigned tiles = (unsigned)p.n / BK; /* along k */
    int level[SLICES][SUMS] = {};
    const signed char *from_a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *from_b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    for (unsigned i = 0; i < STAGES - 1; i++) {
        if (i < tiles)
            copy_stage(&stages[i], from_a + i * TILE_BYTES, from_b + i * TILE_BYTES);
        __pipeline_commit();
    }
    for (unsigned k = 0; k < tiles; k++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage k is complete, and nobody needs k - 1 any more */
        const unsigned next = k + STAGES - 1;
        if (next < tiles)
            copy_stage(&stages[next % STAGES], from_a + (size_t)next * TILE_BYTES,
                       from_b + (size_t)next * TILE_BYTES);
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

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 blocks((unsigned)rows / TILE, (unsigned)p.n / TILE);
    matmult_kernel<<<blocks, THREADS, bytes, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
