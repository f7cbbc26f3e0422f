/* 10_tensor_core - the product on tensor cores: exact sums of 8-bit digits, six products of digits for one of floats.
 *
 * splitKernel scales each row of A and each column of B so that its largest element is about 127 * 65536, rounds to
 * integers and writes these in three signed digits: X = 65536 x0 + 256 x1 + x2. matmultKernel adds the products of
 * digits by level, x0 y0, x0 y1 + x1 y0 and x0 y2 + x1 y1 + x2 y0, each in a 32-bit integer, and drops the others.
 * Where the error that remains cannot be shown to be small, exactKernel does the work in double.
 *
 * Launch: blocks of 256 threads, one for each 128 x 128 tile of C; reads 3 n^3 / 64 bytes of digits. Works for
 * n <= 43904; beyond, a level could overflow. Chapter: docs/10_tensor_core.md */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cuda_pipeline.h>
#include <mma.h>
#include <stdint.h>

enum {
    TILE = 128,       /* rows and columns of C for one block */
    DIGITS = 3,       /* for each element */
    RUN = 16,         /* bytes: consecutive k of one line that lie together */
    DEPTH = 32,       /* of k in one stage */
    STAGES = 4,       /* of shared memory, so many copies are on their way */
    PLANE = TILE * DEPTH,
    SLAB = DIGITS * PLANE, /* bytes of one operand in one stage */
    SHARED_BYTES = STAGES * 2 * SLAB,
    THREADS = 256,    /* 2 x 4 warps, each with 64 x 32 elements */
    GROUP = 8,        /* rows of tiles that are worked on together, so that their digits stay in the L2 cache */
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};
static const float ALLOWED = 0.85e-6f; /* of the 1e-6; the rest is for rounding the result to float */

/* What matmultKernel must know of a line (a row of A, a column of B); lengths are those of its digits. */
typedef struct line_info {
    float half, sum, middle, low; /* 1/2; the sum of |X|; 16 |x1| + |x2| / 32; 16 |x2| */
    double unit;                  /* a digit sum times the units of row and column is the product */
} line_info;

/* Where the digit x0 of element k of a line lies. x1 and x2 follow at a distance of PLANE. A slab, all digits of TILE
 * lines and DEPTH elements, is contiguous, and so are the 16 x 16 bytes that a tensor core takes at a time. */
static __device__ size_t digit_place(size_t line, size_t k, size_t slabs) {
    return (line / TILE * slabs + k / DEPTH) * SLAB + ((k % DEPTH / RUN) * TILE + line % TILE) * RUN;
}

/* A block turns 32 lines of A (blockIdx.y == 0) or B into digits, 32 x 32 threads. */
static __global__ void splitKernel(const float *a, size_t lda, const float *b, size_t ldb, size_t n, size_t slabs,
                                   signed char *digits_a, signed char *digits_b, line_info *rows, line_info *columns,
                                   int *inexact) {
    __shared__ unsigned largest[32], sum[32], middle[32], low[32];
    const bool is_b = blockIdx.y == 1;
    const size_t x = threadIdx.x, y = threadIdx.y, line_0 = 32 * blockIdx.x, line = line_0 + x;
    const float *matrix = is_b ? b : a;
    const size_t next_line = is_b ? 1 : lda, next_k = is_b ? ldb : 1; /* elements between neighbours */
    signed char *digits = is_b ? digits_b : digits_a;
    if (y == 0)
        largest[x] = sum[x] = middle[x] = low[x] = 0;
    __syncthreads();

    /* The largest magnitude of each line. The bits of floats without sign have the order of the floats, and those of
     * infinities and NaNs come last. Neighbours in a warp read neighbours in memory, in A as in B. */
    const size_t mine = is_b ? x : y;
    unsigned bits = 0;
    if (line_0 + mine < n)
#pragma unroll 8
        for (size_t k = is_b ? y : x; k < n; k += 32)
            bits = max(bits, __float_as_uint(matrix[(line_0 + mine) * next_line + k * next_k]) & 0x7fffffff);
    atomicMax(&largest[mine], bits);
    __syncthreads();

    double scale = 0; /* a power of two times an integer up to 254, so that small integers stay exact */
    if (largest[x] >= 0x7f800000)
        *inexact = 1; /* not for digits */
    else if (largest[x] > 0) {
        int exponent;
        double fraction = frexp((double)__uint_as_float(largest[x]), &exponent);
        scale = ldexp(floor(127 / fraction), 16 - exponent);
    }

    unsigned my_sum = 0, my_middle = 0, my_low = 0;
    for (size_t k = y * RUN; k < slabs * DEPTH; k += 32 * RUN) {
        float value[RUN];
        const float *from = matrix + line * next_line + k * next_k;
#pragma unroll
        for (size_t i = 0; i < RUN; i++)
            value[i] = line < n && k + i < n ? from[i * next_k] : 0;
        unsigned packed[DIGITS][RUN / 4] = {{0}};
#pragma unroll
        for (int i = 0; i < RUN; i++) {
            int rest = (int)rint(value[i] * scale);
            my_sum += (unsigned)(abs(rest) + 255) / 256;
            int digit[DIGITS];
#pragma unroll
            for (int d = DIGITS - 1; d >= 0; d--) {
                digit[d] = ((rest + 128) & 255) - 128; /* the digit from -128 to 127 with the same last 8 bits */
                rest = (rest - digit[d]) / 256;
                packed[d][i / 4] |= (unsigned)(digit[d] & 255) << i % 4 * 8;
            }
            my_middle += (unsigned)(digit[1] * digit[1]);
            my_low += (unsigned)(digit[2] * digit[2]);
        }
#pragma unroll
        for (int d = 0; d < DIGITS; d++)
            *(uint4 *)(digits + digit_place(line, k, slabs) + d * PLANE) =
                make_uint4(packed[d][0], packed[d][1], packed[d][2], packed[d][3]);
    }
    atomicAdd(&sum[x], my_sum);
    atomicAdd(&middle[x], my_middle);
    atomicAdd(&low[x], my_low);
    __syncthreads();

    if (y == 0) {
        line_info info = {0, 0, 0, 0, 0};
        if (scale > 0) {
            float length_1 = sqrtf((float)middle[x]), length_2 = sqrtf((float)low[x]);
            info.half = 0.5f;
            info.sum = 256.0f * (float)sum[x] + 0.25f * (float)n;
            info.middle = 16 * length_1 + length_2 / 32;
            info.low = 16 * length_2;
            info.unit = 256 / scale;
        }
        (is_b ? columns : rows)[line] = info;
    }
}

/* C in double, in the order of the reference and with its bits, when the digits do not suffice. 16 x 16 threads
 * compute 64 x 64 elements. */
static __global__ void exactKernel(const float *a, size_t lda, const float *b, size_t ldb, float *c, size_t ldc,
                                   size_t n, const int *inexact) {
    __shared__ double tile_a[16][64 + 1], tile_b[16][64]; /* + 1: columns of tile_a are written in different banks */
    if (!*inexact)
        return;
    const size_t x = threadIdx.x, y = threadIdx.y, thread = y * 16 + x;
    const size_t row = (size_t)blockIdx.y * 64, column = (size_t)blockIdx.x * 64;
    double sum[4][4] = {{0}};
    for (size_t k = 0; k < n; k += 16) {
        for (size_t i = 0; i < 64; i += 16)
            tile_a[x][y + i] = row + y + i < n && k + x < n ? a[(row + y + i) * lda + k + x] : 0;
        for (size_t i = 0; i < 16; i += 4)
            tile_b[thread / 64 + i][thread % 64] = k + thread / 64 + i < n && column + thread % 64 < n
                                                       ? b[(k + thread / 64 + i) * ldb + column + thread % 64]
                                                       : 0;
        __syncthreads(); /* the tiles are complete */
#pragma unroll
        for (size_t i = 0; i < 16; i++)
#pragma unroll
            for (size_t r = 0; r < 4; r++)
#pragma unroll
                for (size_t s = 0; s < 4; s++)
                    sum[r][s] = fma(tile_a[i][y + 16 * r], tile_b[i][x + 16 * s], sum[r][s]);
        __syncthreads(); /* nobody needs them any more */
    }
    for (size_t r = 0; r < 4; r++)
        for (size_t s = 0; s < 4; s++)
            if (row + y + 16 * r < n && column + x + 16 * s < n)
                c[(row + y + 16 * r) * ldc + column + x + 16 * s] = (float)sum[r][s];
}

/* Starts copying one slab of each operand into a stage of shared memory; contiguous on both sides. */
static __device__ void load_stage(signed char *stage, const signed char *slab_a, const signed char *slab_b) {
    for (int i = threadIdx.x * 16; i < SLAB; i += THREADS * 16) {
        __pipeline_memcpy_async(stage + i, slab_a + i, 16);
        __pipeline_memcpy_async(stage + SLAB + i, slab_b + i, 16);
    }
}

static __global__ void matmultKernel(const signed char *digits_a, const line_info *rows, const signed char *digits_b,
                                     const line_info *columns, float *c, size_t ldc, size_t n, size_t slabs,
                                     int *inexact) {
    using namespace nvcuda::wmma;
    extern __shared__ __align__(128) signed char stages[];
    if (__syncthreads_or(*inexact)) /* a block has given up already: exactKernel will do it all */
        return;

    /* Tiles are numbered down GROUP rows of tiles, then on to the next column. */
    const unsigned tiles = (unsigned)((n + TILE - 1) / TILE), first = blockIdx.x / (GROUP * tiles) * GROUP;
    const unsigned in_group = min(GROUP, tiles - first), index = blockIdx.x % (GROUP * tiles);
    const size_t tile_row = first + index % in_group, tile_column = index / in_group;
    const signed char *slab_a = digits_a + tile_row * slabs * SLAB, *slab_b = digits_b + tile_column * slabs * SLAB;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned warp_row = warp / 4 * 64, warp_column = warp % 4 * 32; /* in the tile */

    fragment<accumulator, 16, 16, 16, int> level[DIGITS][4][2];
    for (int l = 0; l < DIGITS; l++)
        for (int r = 0; r < 4; r++)
            for (int s = 0; s < 2; s++)
                fill_fragment(level[l][r][s], 0);

    for (size_t i = 0; i < STAGES - 1; i++) {
        if (i < slabs)
            load_stage(stages + i * 2 * SLAB, slab_a + i * SLAB, slab_b + i * SLAB);
        __pipeline_commit();
    }
    for (size_t i = 0; i < slabs; i++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage i is complete, and nobody needs stage i - 1 any more */
        size_t next = i + STAGES - 1;
        if (next < slabs)
            load_stage(stages + next % STAGES * 2 * SLAB, slab_a + next * SLAB, slab_b + next * SLAB);
        __pipeline_commit();

        const signed char *stage = stages + i % STAGES * 2 * SLAB;
        for (int run = 0; run < DEPTH / RUN; run++) {
            const signed char *from_a = stage + (run * TILE + warp_row) * RUN;
            const signed char *from_b = stage + SLAB + (run * TILE + warp_column) * RUN;
            fragment<matrix_b, 16, 16, 16, signed char, col_major> b[DIGITS][2];
            for (int d = 0; d < DIGITS; d++)
                for (int s = 0; s < 2; s++)
                    load_matrix_sync(b[d][s], from_b + d * PLANE + s * 16 * RUN, RUN);
            for (int r = 0; r < 4; r++) {
                fragment<matrix_a, 16, 16, 16, signed char, row_major> a[DIGITS];
                for (int d = 0; d < DIGITS; d++)
                    load_matrix_sync(a[d], from_a + d * PLANE + r * 16 * RUN, RUN);
                for (int p = 0; p < DIGITS; p++)
                    for (int q = 0; p + q < DIGITS; q++)
                        for (int s = 0; s < 2; s++)
                            mma_sync(level[p + q][r][s], a[p], b[q][s], level[p + q][r][s]);
            }
        }
    }
    __pipeline_wait_prior(0);
    __syncthreads(); /* the stages are free */

    /* The layout of a fragment is the hardware's own, so the levels go through shared memory. With |.| for Euclidean
     * lengths along k, half units for the rounding to X and Y, and Cauchy's inequality for the dropped products,
     *     |error| <= sum |X| / 2 + sum |Y| / 2 + n / 4 + 256 (|x1| |y2| + |x2| |y1|) + |x2| |y2|
     * in the units of X Y. The sum of X Y is 65536 total, and no larger than the sum of |X| |Y|: so where the bound is
     * at most ALLOWED of it, the promise is kept. */
    int *mine = (int *)stages + warp * DIGITS * 256;
    int bad = 0;
    for (int r = 0; r < 4; r++)
        for (int s = 0; s < 2; s++) {
            for (int l = 0; l < DIGITS; l++)
                store_matrix_sync(mine + l * 256, level[l][r][s], 16, mem_row_major);
            __syncwarp();
            const size_t column = tile_column * TILE + warp_column + s * 16 + lane % 16;
            const line_info right = columns[column];
            for (int i = lane / 16; i < 16; i += 2) {
                const size_t row = tile_row * TILE + warp_row + r * 16 + i;
                const line_info left = rows[row];
                const int *at = mine + i * 16 + lane % 16;
                const int64_t total = (int64_t)at[0] * 65536 + (int64_t)at[256] * 256 + at[512];
                const float bound = left.half * right.sum + left.sum * right.half + left.middle * right.low +
                                    left.low * right.middle;
                bad |= !(bound <= ALLOWED * 65536 * fabsf((float)total));
                if (row < n && column < n)
                    c[row * ldc + column] = (float)((double)total * left.unit * right.unit);
            }
            __syncwarp();
        }
    if (__syncthreads_or(bad) && threadIdx.x == 0)
        *inexact = 1;
}

matmult_time matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    matmult_time time = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int device, major, shared;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (major < 8 || shared < SHARED_BYTES) {
        fprintf(stderr, "10_tensor_core needs compute capability 8.0 and %d bytes of shared memory for a block\n",
                SHARED_BYTES);
        exit(77);
    }
    double start = wall_seconds();

    /* Below one tile the digits would be slower than double, and above LARGEST_N they would overflow. */
    const int use_digits = n >= TILE && n <= LARGEST_N;
    const size_t tiles = ((size_t)n + TILE - 1) / TILE, slabs = ((size_t)n + DEPTH - 1) / DEPTH;
    const size_t digit_bytes = use_digits ? tiles * slabs * SLAB : 0, lines = use_digits ? tiles * TILE : 0;
    const size_t needed = 3 * row_bytes * n + 2 * (digit_bytes + lines * sizeof(line_info)) + sizeof(int);
    size_t free_bytes, total_bytes;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (needed > free_bytes) {
        fprintf(stderr, "10_tensor_core: n = %d needs %zu MiB of device memory, and %zu MiB are free\n", n,
                needed >> 20, free_bytes >> 20);
        exit(1);
    }

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, row_bytes, (size_t)n));
    signed char *digits_a = NULL, *digits_b = NULL;
    line_info *rows = NULL, *columns = NULL;
    int *inexact; /* not 0 when digits do not suffice */
    CUDA_CHECK(cudaMalloc(&inexact, sizeof(int)));
    if (use_digits) {
        CUDA_CHECK(cudaMalloc(&digits_a, digit_bytes));
        CUDA_CHECK(cudaMalloc(&digits_b, digit_bytes));
        CUDA_CHECK(cudaMalloc(&rows, lines * sizeof(line_info)));
        CUDA_CHECK(cudaMalloc(&columns, lines * sizeof(line_info)));
        CUDA_CHECK(cudaFuncSetAttribute(matmultKernel, cudaFuncAttributeMaxDynamicSharedMemorySize, SHARED_BYTES));
    }
    CUDA_CHECK(
        cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = kernel_timer_start();
    CUDA_CHECK(cudaMemset(inexact, !use_digits, sizeof(int)));
    if (use_digits) {
        splitKernel<<<dim3((unsigned)lines / 32, 2), dim3(32, 32)>>>(device_a, pitch_a / sizeof(float), device_b,
                                                                     pitch_b / sizeof(float), n, slabs, digits_a,
                                                                     digits_b, rows, columns, inexact);
        CUDA_CHECK(cudaGetLastError());
        matmultKernel<<<(unsigned)(tiles * tiles), THREADS, SHARED_BYTES>>>(
            digits_a, rows, digits_b, columns, device_c, pitch_c / sizeof(float), n, slabs, inexact);
        CUDA_CHECK(cudaGetLastError());
    }
    unsigned exact_tiles = ((unsigned)n + 63) / 64;
    exactKernel<<<dim3(exact_tiles, exact_tiles), dim3(16, 16)>>>(device_a, pitch_a / sizeof(float), device_b,
                                                                  pitch_b / sizeof(float), device_c,
                                                                  pitch_c / sizeof(float), n, inexact);
    CUDA_CHECK(cudaGetLastError());
    time.kernel = kernel_timer_stop(&timer);

    int exact = 0;
    CUDA_CHECK(cudaMemcpy(&exact, inexact, sizeof(int), cudaMemcpyDeviceToHost));
    if (exact)
        time.note = n < TILE ? "computed in double: smaller than one tile"
                    : n > LARGEST_N
                        ? "computed in double: sums of digits could overflow"
                        : "computed in double: with digits the error could not be shown to be within 1e-6";
    CUDA_CHECK(
        cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes, (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(digits_a));
    CUDA_CHECK(cudaFree(digits_b));
    CUDA_CHECK(cudaFree(rows));
    CUDA_CHECK(cudaFree(columns));
    CUDA_CHECK(cudaFree(inexact));
    time.total = wall_seconds() - start;
    return time;
}
