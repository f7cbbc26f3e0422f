/* 14_tensor_core - the product on tensor cores: a float is cut into three 8-bit slices,
 * and six exact integer products of slices make one product of floats.
 *
 * split_kernel scales each row of A and each column of B so that its largest element is
 * about 127 * 65536, rounds to integers X and writes each as three signed slices: X =
 * 65536 x0 + 256 x1 + x2. matmult_kernel sums the products of slices by level, x0 y0, x0
 * y1 + x1 y0 and x0 y2 + x1 y1 + x2 y0, each level in a 32-bit integer, and drops the
 * other three. Where it cannot bound the remaining error, exact_kernel computes C in
 * double.
 *
 * Launch: a block of 128 threads for each 128 x 64 elements of C, 64 x 32 for a warp;
 * reads 9 n^3 / 128 bytes of slices. Up to n = 43904, beyond which a level could
 * overflow. Needs compute capability 8.0. Chapter: docs/14_tensor_core.md
 *
 *     make 14_tensor_core && ./14_tensor_core/run */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cuda_pipeline.h>
#include <stdint.h>

enum {
    SLICES = 3,   /* of an element */
    BK = 64,      /* columns of A's tile, rows of B's: k in one stage */
    WN = 32,      /* columns of C in a warp; its rows are WM, a block's tile BM x BN */
    TILE = 128,   /* rows of A or columns of B that lie together in device memory */
    SEGMENT = 16, /* neighbours along k that lie together, as ldmatrix wants them */
    SLICE_BYTES = TILE * BK, /* one slice of TILE x BK elements */
    TILE_BYTES = SLICES * SLICE_BYTES,
    SHARED_BYTES = 2 * (128 + 64) * BK * SLICES, /* two stages; three are faster */
    SPLIT_THREADS = 1024, /* of split_kernel, for so many columns of B or rows of A: */
    SPLIT_COLUMNS = 16,
    SPLIT_ROWS = 8,
    SWIZZLE_ROWS = 8, /* rows of tiles in the tile swizzle: their slices stay in L2 */
    MANY_TILES = 128, /* with fewer tiles of C, smaller ones keep more SMs busy */
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};
/* Of the tolerance of 1e-6; the rest is for rounding the result to float. */
static const float ALLOWED = 0.85e-6f;
/* Beyond it an error of 1e-6 may decide whether a float can hold the result. */
static const float NEAR_INFINITY = 0x1.ffffp127f;

/* A vector is a row of A or a column of B, scaled and rounded: X = 65536 x0 + 256 x1 +
 * x2, where x0, x1 and x2 are vectors of slices. |.| is a vector's length (Euclid's). For
 * the error bound matmult_kernel needs the lengths, for the result the unit. */
typedef struct vector_info {
    alignas(16) float rounding; /* |ex|, ex = X's rounding errors: sqrt(n) / 2 at most */
    float all;                  /* at least |X| + |ex| / 2 */
    float middle;               /* 16 |x1| + |x2| / 32 */
    float low;                  /* 16 |x2| */
    double unit;                /* the operand's value where X = 256 */
} vector_info;

/* Where slice x0 of element k of a vector lies; x1 and x2 follow SLICE_BYTES and twice
 * that later. A tile, all slices of TILE vectors x BK elements, is contiguous, and so are
 * the 8 vectors x 16 elements that ldmatrix loads: the layout has no bank conflicts. */
static __device__ size_t slice_offset(size_t vector, size_t k, size_t k_tiles) {
    return (vector / TILE * k_tiles + k / BK) * TILE_BYTES +
           ((k % BK / SEGMENT) * TILE + vector % TILE) * SEGMENT + k % SEGMENT;
}

/* Loads COUNT neighbours along k of one vector. */
template <int COUNT>
static __device__ void load_values(float value[COUNT], const float *from, size_t next_k) {
#pragma unroll
    for (int i = 0; i < COUNT; i += 4)
        if (COUNT == 4) /* of a row: 16 bytes in one load */
            *(float4 *)value = *(const float4 *)from;
        else
            for (int j = i; j < i + 4; j++)
                value[j] = from[j * next_k];
}

/* Splits VECTORS vectors, rows of A or columns of B, into slices. A thread takes COUNT
 * neighbours along k: four of a row, as the next threads take the next four, or 16 of a
 * column, beside threads with other columns. Either way a warp reads and writes whole
 * sectors. from is this thread's vector. */
template <int VECTORS, int COUNT>
static __device__ void split(const float *__restrict__ from, size_t next_k, size_t n,
                             size_t vector, signed char *slices, vector_info *vectors,
                             int *inexact) {
    enum { SHARERS = SEGMENT / COUNT }; /* threads for a segment of a vector */
    __shared__ unsigned largest[VECTORS], squares[VECTORS][SLICES];
    const unsigned thread = threadIdx.x, own = thread / SHARERS % VECTORS;
    const unsigned k_0 =
        thread / (SHARERS * VECTORS) * SEGMENT + thread % SHARERS * COUNT;
    const unsigned k_step = SPLIT_THREADS / (SHARERS * VECTORS) * SEGMENT;
    __align__(16) float value[COUNT];
    if (thread < VECTORS) {
        largest[thread] = 0;
        for (int d = 0; d < SLICES; d++)
            squares[thread][d] = 0;
    }
    __syncthreads();

    /* Without the sign, the bits of floats have the order of the floats; infinities and
     * NaNs come last. */
    unsigned bits = 0;
#pragma unroll 4
    for (unsigned k = k_0; k < n; k += k_step) {
        load_values<COUNT>(value, from + k * next_k, next_k);
        for (int i = 0; i < COUNT; i++)
            bits = max(bits, __float_as_uint(value[i]) & 0x7fffffff);
    }
    atomicMax(&largest[own], bits);
    __syncthreads();

    /* An integer up to 254 times a power of two, so that small integers stay exact. */
    double scale = 0;
    bits = largest[own];
    if (bits >= 0x7f800000)
        *inexact = 1; /* slices cannot hold it */
    else if (bits > 0) {
        int exponent;
        double fraction = frexp((double)__uint_as_float(bits), &exponent);
        scale = ldexp(floor(127 / fraction), 16 - exponent);
    }

    int square[SLICES] = {0, 0, 0};
#pragma unroll 2
    for (unsigned k = k_0; k < n; k += k_step) {
        __align__(16) unsigned word[SLICES][COUNT / 4] = {{0}}; /* four slices each */
        load_values<COUNT>(value, from + k * next_k, next_k);
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            /* Adding 1.5 * 2^52 rounds to an integer, which is in the last bits of the
             * sum. Adding 128 to each byte and taking it away without a borrow makes
             * the bytes signed. */
            unsigned x =
                (unsigned)__double_as_longlong(fma((double)value[i], scale, 0x1.8p52));
            x = (x + 0x808080) ^ 0x808080;
            for (int d = 0; d < SLICES; d++)
                word[d][i / 4] |= (x >> 8 * (SLICES - 1 - d) & 255u) << i % 4 * 8;
        }
        signed char *to = slices + slice_offset(vector, k, n / BK);
        for (int d = 0; d < SLICES; d++, to += SLICE_BYTES) {
            for (int i = 0; i < COUNT / 4; i++)
                square[d] = __dp4a((int)word[d][i], (int)word[d][i], square[d]);
            if (COUNT == 4)
                *(unsigned *)to = word[d][0];
            else
                *(uint4 *)to = *(const uint4 *)word[d];
        }
    }
    for (int d = 0; d < SLICES; d++)
        atomicAdd(&squares[own][d], (unsigned)square[d]);
    __syncthreads();

    if (thread < SHARERS * VECTORS && thread % SHARERS == 0) {
        vector_info info;
        info.rounding = info.all = info.middle = info.low = 0;
        info.unit = 0;
        if (scale > 0) {
            float x0 = sqrtf((float)squares[own][0]), x1 = sqrtf((float)squares[own][1]);
            float x2 = sqrtf((float)squares[own][2]);
            info.rounding = 0.5f * sqrtf((float)n);
            info.all = 65536 * x0 + 256 * x1 + x2 + info.rounding;
            info.middle = 16 * x1 + x2 / 32;
            info.low = 16 * x2;
            info.unit = 256 / scale;
        }
        vectors[vector] = info;
    }
}

/* Prologue. The first blocks split columns of B, the others rows of A. */
static __global__ void split_kernel(const float *a, size_t lda, const float *b,
                                    size_t ldb, size_t n, signed char *slices_a,
                                    signed char *slices_b, vector_info *rows,
                                    vector_info *columns, int *inexact) {
    const size_t column =
        (size_t)blockIdx.x * SPLIT_COLUMNS + threadIdx.x % SPLIT_COLUMNS;
    if (column < n)
        split<SPLIT_COLUMNS, SEGMENT>(b + column, ldb, n, column, slices_b, columns,
                                      inexact);
    else {
        const size_t row =
            (blockIdx.x - n / SPLIT_COLUMNS) * SPLIT_ROWS + threadIdx.x / 4 % SPLIT_ROWS;
        split<SPLIT_ROWS, 4>(a + row * lda, 1, n, row, slices_a, rows, inexact);
    }
}

/* Computes C in double when *inexact is set, in the reference's order and with its bits.
 * 16 x 16 threads compute TILE x TILE elements, 8 x 8 each. */
static __global__ void exact_kernel(const float *a, size_t lda, const float *b,
                                    size_t ldb, float *c, size_t ldc, size_t n,
                                    const int *inexact) {
    /* + 1: 16 threads write a column of tile_a at a time. */
    __shared__ double tile_a[16][TILE + 1], tile_b[16][TILE];
    if (!*inexact)
        return;
    const size_t x = threadIdx.x % 16, y = threadIdx.x / 16;
    const size_t row = (size_t)blockIdx.y * TILE, column = (size_t)blockIdx.x * TILE;
    double sum[8][8] = {{0}};
    for (size_t k = 0; k < n; k += 16) {
        for (size_t i = 0; i < TILE; i += 16) {
            tile_a[x][y + i] = a[(row + y + i) * lda + k + x];
            tile_b[y][x + i] = b[(k + y) * ldb + column + x + i];
        }
        __syncthreads(); /* the tiles are complete */
        for (size_t i = 0; i < 16; i++)
#pragma unroll
            for (size_t r = 0; r < 8; r++)
#pragma unroll
                for (size_t s = 0; s < 8; s++)
                    sum[r][s] =
                        fma(tile_a[i][y + 16 * r], tile_b[i][x + 16 * s], sum[r][s]);
        __syncthreads(); /* nobody needs them any more */
    }
#pragma unroll
    for (size_t r = 0; r < 8; r++)
#pragma unroll
        for (size_t s = 0; s < 8; s++)
            c[(row + y + 16 * r) * ldc + column + x + 16 * s] = (float)sum[r][s];
}

/* A whole warp executes a tensor core's instruction. Each lane holds a part of the
 * factors, in an order that only the instruction needs to know, and four sums: of rows
 * lane / 4 and lane / 4 + 8, two columns each, from lane % 4 * 2 on. The warp matrix
 * functions of mma.h hide this, but stop at k = 16, where Hopper has three quarters of
 * its speed. A fragment is 16 of VECTORS vectors, 32 elements of each. */
typedef struct fragment {
    unsigned part[4];
} fragment;
static __device__ void load_fragment(fragment *f, const signed char *vectors) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(vectors);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f->part[0]), "=r"(f->part[1]), "=r"(f->part[2]), "=r"(f->part[3])
                 : "r"(from));
}
/* Lanes 0 to 7 hold the addresses of 8 vectors for the first part, lanes 8 to 15 for the
 * second, and so on. The second part is the next 8 vectors of A, but the next segment of
 * the same 8 vectors of B. */
template <int VECTORS>
static __device__ void load_a(fragment *f, const signed char *vectors) {
    const unsigned lane = threadIdx.x % 32;
    load_fragment(f, vectors + (lane / 16 * VECTORS + lane % 16) * SEGMENT);
}
template <int VECTORS>
static __device__ void load_b(fragment *f, const signed char *vectors) {
    const unsigned lane = threadIdx.x % 32;
    load_fragment(f, vectors +
                         (lane / 8 % 2 * VECTORS + lane / 16 * 8 + lane % 8) * SEGMENT);
}
/* sum += 16 rows of A times 8 columns of B: b's first 8 or, with half = 1, last 8. */
static __device__ void multiply_add(int sum[4], const fragment *a, const fragment *b,
                                    int half) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a->part[0]), "r"(a->part[1]), "r"(a->part[2]), "r"(a->part[3]),
          "r"(b->part[2 * half]), "r"(b->part[2 * half + 1]));
}

/* Starts to copy VECTORS of a tile's TILE vectors into shared memory. */
template <int VECTORS, int THREADS>
static __device__ void copy_tile(signed char *to, const signed char *tile) {
    const unsigned vector = threadIdx.x % VECTORS, first = threadIdx.x / VECTORS;
#pragma unroll
    for (unsigned segment = 0; segment < SLICES * BK / SEGMENT;
         segment += THREADS / VECTORS)
        __pipeline_memcpy_async(to + ((segment + first) * VECTORS + vector) * SEGMENT,
                                tile + ((segment + first) * TILE + vector) * SEGMENT,
                                SEGMENT);
}

/* A block computes BM x BN elements of C, each of its warps WM x WN. */
template <int BM, int BN, int WM, int STAGES>
static __global__ void __launch_bounds__(BM / WM * (BN / WN) * 32)
    matmult_kernel(const signed char *slices_a, const vector_info *rows,
                   const signed char *slices_b, const vector_info *columns, float *c,
                   size_t ldc, size_t n, volatile int *inexact) {
    enum {
        THREADS = BM / WM * (BN / WN) * 32,
        STAGE_A = BM * BK * SLICES,
        STAGE = STAGE_A + BN * BK * SLICES /* bytes */
    };
    extern __shared__ __align__(128) signed char stages[];
    if (__syncthreads_or(*inexact)) /* a block found an error too large: exact_kernel
                                       computes all of C */
        return;

    /* Tile swizzle: down SWIZZLE_ROWS rows of tiles, then on to the next column. */
    const unsigned k_tiles = (unsigned)(n / BK);
    const unsigned tiles_down = (unsigned)(n / BM), tiles_across = (unsigned)(n / BN);
    const unsigned first = blockIdx.x / (SWIZZLE_ROWS * tiles_across) * SWIZZLE_ROWS,
                   index = blockIdx.x % (SWIZZLE_ROWS * tiles_across);
    const unsigned rows_here = min(SWIZZLE_ROWS, tiles_down - first);
    const size_t row_0 = (size_t)(first + index % rows_here) * BM,
                 column_0 = (size_t)(index / rows_here) * BN;
    const signed char *next_a = slices_a + slice_offset(row_0, 0, k_tiles);
    const signed char *next_b = slices_b + slice_offset(column_0, 0, k_tiles);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned warp_row = warp / (BN / WN) * WM; /* in the tile */
    const unsigned warp_column = warp % (BN / WN) * WN;

    int level[SLICES][WM / 16][4][4] = {{{{0}}}}; /* sums of 16 x 8 elements */
    for (unsigned i = 0; i < STAGES - 1; i++) {
        if (i < k_tiles) {
            copy_tile<BM, THREADS>(stages + i * STAGE, next_a + i * TILE_BYTES);
            copy_tile<BN, THREADS>(stages + i * STAGE + STAGE_A, next_b + i * TILE_BYTES);
        }
        __pipeline_commit();
    }
    next_a += (STAGES - 1) * TILE_BYTES, next_b += (STAGES - 1) * TILE_BYTES;
    unsigned use = 0, fill = STAGES - 1;
    for (unsigned i = 0; i < k_tiles; i++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage i is complete, and stage i - 1 is free */
        const unsigned next = i + STAGES - 1;
        if (next < k_tiles) {
            copy_tile<BM, THREADS>(stages + fill * STAGE, next_a);
            copy_tile<BN, THREADS>(stages + fill * STAGE + STAGE_A, next_b);
        }
        __pipeline_commit();

#pragma unroll
        for (int step = 0; step < BK; step += 32) {
            const signed char *stage_a =
                stages + use * STAGE + (step / SEGMENT * BM + warp_row) * SEGMENT;
            const signed char *stage_b = stages + use * STAGE + STAGE_A +
                                         (step / SEGMENT * BN + warp_column) * SEGMENT;
            fragment b[SLICES][2], a[SLICES];
            for (int d = 0; d < SLICES; d++)
                for (int s = 0; s < 2; s++)
                    load_b<BN>(&b[d][s], stage_b + d * BN * BK + s * 16 * SEGMENT);
            for (int r = 0; r < WM / 16; r++) {
                for (int d = 0; d < SLICES; d++)
                    load_a<BM>(&a[d], stage_a + d * BM * BK + r * 16 * SEGMENT);
                for (int p = 0; p < SLICES; p++)
                    for (int q = 0; p + q < SLICES; q++)
                        for (int s = 0; s < 4; s++)
                            multiply_add(level[p + q][r][s], &a[p], &b[q][s / 2], s % 2);
            }
        }
        use = use + 1 == STAGES ? 0 : use + 1;
        next_a += TILE_BYTES, next_b += TILE_BYTES;
        fill = fill + 1 == STAGES ? 0 : fill + 1;
    }

    /* The error bound. Let X be the scaled row of A and Y the scaled column of B, both
     * rounded, ex and ey the vectors of their rounding errors, x1, x2, y1 and y2 the
     * vectors of slices. The element is off by the rounding, ex . Y + X . ey + ex . ey,
     * and by the dropped products, 256 (x1 . y2 + x2 . y1) + x2 . y2. By Cauchy's
     * inequality u . v <= |u| |v|: so by at most |ex| |Y| + |X| |ey| + |ex| |ey| +
     * 256 (|x1| |y2| + |x2| |y1|) + |x2| |y2|. The element itself is 65536 total in the
     * same scale, and at most (|A| |B|)_ij: where the bound is at most ALLOWED of it, the
     * tolerance holds. */
#pragma unroll /* registers cannot be indexed at run time */
    for (int s = 0; s < 4; s++) {
        const size_t column = column_0 + warp_column + s * 8 + lane % 4 * 2;
        const vector_info right[2] = {columns[column], columns[column + 1]};
#pragma unroll
        for (int r = 0; r < WM / 8; r++) {
            const size_t row = row_0 + warp_row + r * 8 + lane / 4;
            const vector_info left = rows[row];
            float result[2];
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const int element = r % 2 * 2 + e;
                const int64_t total = (int64_t)level[0][r / 2][s][element] * 65536 +
                                      (int64_t)level[1][r / 2][s][element] * 256 +
                                      level[2][r / 2][s][element];
                const float bound =
                    left.rounding * right[e].all + left.all * right[e].rounding +
                    left.middle * right[e].low + left.low * right[e].middle;
                result[e] = (float)((double)total * left.unit * right[e].unit);
                if (!(bound <= ALLOWED * 65536 * fabsf((float)total)) ||
                    fabsf(result[e]) > NEAR_INFINITY)
                    *inexact = 1;
            }
            ((float2 *)c)[(row * ldc + column) / 2] = make_float2(result[0], result[1]);
        }
    }
}

/* Launches matmult_kernel with tiles of BM x BN. */
template <int BM, int BN, int WM, int STAGES>
static void launch(const signed char *slices_a, const vector_info *rows,
                   const signed char *slices_b, const vector_info *columns, float *c,
                   size_t ldc, size_t n, int *inexact) {
    const size_t tiles = n / BM * (n / BN);
    const int bytes = STAGES * (BM + BN) * BK * SLICES;
    const unsigned threads = BM / WM * (BN / WN) * 32;
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<BM, BN, WM, STAGES>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<BM, BN, WM, STAGES><<<(unsigned)tiles, threads, bytes>>>(
        slices_a, rows, slices_b, columns, c, ldc, n, inexact);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int device, major, shared;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (major < 8 || shared < SHARED_BYTES) {
        fprintf(stderr,
                "14_tensor_core needs compute capability 8.0 and %d bytes of shared "
                "memory for a block\n",
                SHARED_BYTES);
        exit(77);
    }
    double start = wall_seconds();

    /* Below one tile slices are slower than double; above LARGEST_N a level could
     * overflow. */
    const int use_slices = n >= TILE && n <= LARGEST_N;
    const size_t padded = ((size_t)n + TILE - 1) / TILE * TILE,
                 tiles = padded / TILE; /* in each direction */
    const size_t slice_bytes = use_slices ? SLICES * padded * padded : 0;
    const size_t info_bytes = use_slices ? padded * sizeof(vector_info) : 0;
    const size_t needed = 3 * padded * padded * sizeof(float) +
                          2 * (slice_bytes + info_bytes) + sizeof(int);
    size_t free_bytes, total_bytes;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (needed > free_bytes) {
        fprintf(stderr,
                "14_tensor_core: n = %d needs %zu MiB of device memory, and %zu MiB are "
                "free\n",
                n, needed >> 20, free_bytes >> 20);
        exit(1);
    }

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    signed char *slices_a, *slices_b;
    vector_info *rows, *columns;
    int *inexact; /* not 0 where slices are not exact enough */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMalloc(&slices_a, slice_bytes));
    CUDA_CHECK(cudaMalloc(&slices_b, slice_bytes));
    CUDA_CHECK(cudaMalloc(&rows, info_bytes));
    CUDA_CHECK(cudaMalloc(&columns, info_bytes));
    CUDA_CHECK(cudaMalloc(&inexact, sizeof(int)));
    CUDA_CHECK(cudaMemset(
        device_a, 0, pitch_a * padded)); /* no tile passes the matrices' edge, as in 07 */
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemset(inexact, !use_slices, sizeof(int)));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    if (use_slices) {
        split_kernel<<<(unsigned)(padded / SPLIT_COLUMNS + padded / SPLIT_ROWS),
                       SPLIT_THREADS>>>(device_a, pitch_a / sizeof(float), device_b,
                                        pitch_b / sizeof(float), padded, slices_a,
                                        slices_b, rows, columns, inexact);
        CUDA_CHECK(cudaGetLastError());
        const size_t ldc_device = pitch_c / sizeof(float);
        if (tiles * tiles < MANY_TILES)
            launch<64, 64, 32, 3>(slices_a, rows, slices_b, columns, device_c, ldc_device,
                                  padded, inexact);
        else if (shared < SHARED_BYTES / 2 * 3)
            launch<128, 64, 64, 2>(slices_a, rows, slices_b, columns, device_c,
                                   ldc_device, padded, inexact);
        else
            launch<128, 64, 64, 3>(slices_a, rows, slices_b, columns, device_c,
                                   ldc_device, padded, inexact);
    }
    exact_kernel<<<dim3((unsigned)tiles, (unsigned)tiles), 256>>>(
        device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float), device_c,
        pitch_c / sizeof(float), padded, inexact);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    int exact = 0;
    CUDA_CHECK(cudaMemcpy(&exact, inexact, sizeof(int), cudaMemcpyDeviceToHost));
    if (exact)
        result.note = n < TILE ? "computed in double: smaller than one tile"
                      : n > LARGEST_N
                          ? "computed in double: sums of slices could overflow"
                          : "computed in double: with slices the error could not be "
                            "shown to be within 1e-6";
    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(slices_a));
    CUDA_CHECK(cudaFree(slices_b));
    CUDA_CHECK(cudaFree(rows));
    CUDA_CHECK(cudaFree(columns));
    CUDA_CHECK(cudaFree(inexact));
    result.total = wall_seconds() - start;
    return result;
}
