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
    SPLIT_LINES = 8,  /* for one block of splitKernel */
    SPLIT_THREADS = 1024,
    THREADS = 256,    /* 2 x 4 warps, each with 64 x 32 elements */
    GROUP = 8,        /* rows of tiles that are worked on together, so that their digits stay in the L2 cache */
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};
static const float ALLOWED = 0.85e-6f; /* of the 1e-6; the rest is for rounding the result to float */

/* A line is a row of A or a column of B. Its digits X = 65536 x0 + 256 x1 + x2 are three vectors along k; what
 * matmultKernel must know of them: lengths (Euclid's) for the bound of the error, and the unit of the result. */
typedef struct line_info {
    float rounding; /* the length of the errors of rounding, at most sqrt(n) / 2 */
    float all;      /* |X| + rounding / 2, not less */
    float middle;   /* 16 |x1| + |x2| / 32 */
    float low;      /* 16 |x2| */
    double unit;    /* 256 for X / 256 = 1 */
} line_info;

/* Where digit x0 of element k of a line lies; x1 and x2 follow at a distance of PLANE bytes. A slab, all digits of TILE
 * lines and DEPTH elements, is contiguous, and so are the 8 lines x 16 elements that a tensor core's load wants. */
static __device__ size_t digit_place(size_t line, size_t k, size_t slabs) {
    return (line / TILE * slabs + k / DEPTH) * SLAB + ((k % DEPTH / RUN) * TILE + line % TILE) * RUN + k % RUN;
}

/* Four neighbours along k; zeros from the end of the matrix on. */
static __device__ void load_quad(float value[4], const float *from, size_t next_k, size_t k, size_t end) {
    for (size_t i = 0; i < 4; i++)
        value[i] = k + i < end ? from[(k + i) * next_k] : 0;
}

/* A block turns SPLIT_LINES rows of A (blockIdx.y == 0) or columns of B into digits. Four threads side by side have 16
 * neighbours along k, and eight times four have eight lines. */
static __global__ void splitKernel(const float *a, size_t lda, const float *b, size_t ldb, size_t n, size_t slabs,
                                   signed char *digits_a, signed char *digits_b, line_info *rows, line_info *columns,
                                   int *inexact) {
    __shared__ unsigned largest[SPLIT_LINES], squares[SPLIT_LINES][DIGITS];
    const unsigned thread = threadIdx.x, mine = thread % 32 / 4;
    const size_t k_0 = thread / 32 * 16 + thread % 4 * 4, k_step = SPLIT_THREADS / 32 * 16;
    const size_t line = (size_t)blockIdx.x * SPLIT_LINES + mine, next_k = blockIdx.y ? ldb : 1;
    const float *from = blockIdx.y ? b + line : a + line * lda;
    signed char *digits = blockIdx.y ? digits_b : digits_a;
    const size_t end = line < n ? n : 0; /* lines beyond the matrix are zeros */
    float value[4];
    if (thread < SPLIT_LINES)
        largest[thread] = squares[thread][0] = squares[thread][1] = squares[thread][2] = 0;
    __syncthreads();

    /* The bits of floats without sign have the order of the floats; infinities and NaNs come last. */
    unsigned bits = 0;
    for (size_t k = k_0; k < end; k += k_step) {
        load_quad(value, from, next_k, k, end);
        for (int i = 0; i < 4; i++)
            bits = max(bits, __float_as_uint(value[i]) & 0x7fffffff);
    }
    atomicMax(&largest[mine], bits);
    __syncthreads();

    double scale = 0; /* a power of two times an integer up to 254: so small integers stay exact */
    if (largest[mine] >= 0x7f800000)
        *inexact = 1; /* not for digits */
    else if (largest[mine] > 0) {
        int exponent;
        double fraction = frexp((double)__uint_as_float(largest[mine]), &exponent);
        scale = ldexp(floor(127 / fraction), 16 - exponent);
    }

    int square[DIGITS] = {0, 0, 0};
    for (size_t k = k_0; k < slabs * DEPTH; k += k_step) {
        unsigned word[DIGITS] = {0, 0, 0}; /* four digits each */
        load_quad(value, from, next_k, k, end);
        for (int i = 0; i < 4; i++) {
            /* Adding 128 in each byte and taking it away again without a borrow makes signed digits. */
            unsigned x = ((unsigned)(int)rint(value[i] * scale) + 0x808080) ^ 0x808080;
            for (int d = 0; d < DIGITS; d++)
                word[d] |= (x >> 8 * (DIGITS - 1 - d) & 255u) << 8 * i;
        }
        for (int d = 0; d < DIGITS; d++) {
            *(unsigned *)(digits + digit_place(line, k, slabs) + d * PLANE) = word[d];
            square[d] = __dp4a((int)word[d], (int)word[d], square[d]);
        }
    }
    for (int d = 0; d < DIGITS; d++)
        atomicAdd(&squares[mine][d], (unsigned)square[d]);
    __syncthreads();

    if (thread < 32 && thread % 4 == 0) {
        line_info info = {0, 0, 0, 0, 0};
        if (scale > 0) {
            float x0 = sqrtf((float)squares[mine][0]), x1 = sqrtf((float)squares[mine][1]);
            float x2 = sqrtf((float)squares[mine][2]);
            info.rounding = 0.5f * sqrtf((float)n);
            info.all = 65536 * x0 + 256 * x1 + x2 + info.rounding;
            info.middle = 16 * x1 + x2 / 32;
            info.low = 16 * x2;
            info.unit = 256 / scale;
        }
        (blockIdx.y ? columns : rows)[line] = info;
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

    /* The layout of a fragment is the hardware's own, so the levels go through shared memory. With |.| for the
     * lengths of vectors along k, dX and dY for the errors of rounding, by Cauchy's inequality
     *     |error| <= |dX| |Y| + |X| |dY| + |dX| |dY| + 256 (|x1| |y2| + |x2| |y1|) + |x2| |y2|
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
                const float bound = left.rounding * right.all + left.all * right.rounding + left.middle * right.low +
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
        splitKernel<<<dim3((unsigned)lines / SPLIT_LINES, 2), SPLIT_THREADS>>>(device_a, pitch_a / sizeof(float), device_b,
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
