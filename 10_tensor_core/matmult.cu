/* 10_tensor_core - the product on tensor cores: exact sums of 8-bit digits, six products
 * of digits for one of floats.
 *
 * split_kernel scales each row of A and each column of B so that its largest element is
 * about 127 * 65536, rounds to integers and writes these in three signed digits: X =
 * 65536 x0 + 256 x1 + x2. matmult_kernel adds the products of digits by level, x0 y0, x0
 * y1 + x1 y0 and x0 y2 + x1 y1 + x2 y0, each in a 32-bit integer, and drops the others.
 * Where the error that remains cannot be shown to be small, exact_kernel does the work in
 * double.
 *
 * Launch: a block of 128 threads for each 128 x 64 elements of C, 64 x 32 for a warp;
 * reads 9 n^3 / 128 bytes of digits. Up to n = 43904, where a level could overflow. Needs
 * compute capability 8.0. Chapter: docs/10_tensor_core.md
 */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cuda_pipeline.h>
#include <stdint.h>

enum {
    TILE = 128, /* lines that are padded and laid out together */
    DIGITS = 3, /* for each element */
    RUN = 16,   /* bytes: consecutive k of one line that lie together */
    DEPTH = 64, /* of k in one stage */
    PLANE = TILE * DEPTH,
    SLAB = DIGITS * PLANE, /* bytes of one operand in one stage */
    SHARED_BYTES = 2 * (128 + 64) * DEPTH *
                   DIGITS, /* of two stages; three are faster, where there is room */
    SPLIT_THREADS = 1024,  /* of split_kernel, for so many columns of B or rows of A: */
    SPLIT_COLUMNS = 16,
    SPLIT_ROWS = 8,
    GROUP = 8, /* rows of tiles that are worked on together, so that their digits stay in
                  the L2 cache */
    MANY_TILES =
        128, /* with fewer tiles of C, smaller ones keep more multiprocessors busy */
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};
static const float ALLOWED =
    0.85e-6f; /* of the 1e-6; the rest is for rounding the result to float */
static const float NEAR_INFINITY =
    0x1.ffffp127f; /* beyond, an error of 1e-6 may decide whether a float holds it */

/* A line is a row of A or a column of B. Its digits X = 65536 x0 + 256 x1 + x2 are three
 * vectors along k; what matmult_kernel must know of them: lengths (Euclid's) for the
 * bound of the error, and the unit of the result. */
typedef struct line_info {
    alignas(16) float rounding; /* the length of the errors of rounding, at most sqrt(n) /
                                   2 */
    float all;                  /* |X| + rounding / 2, not less */
    float middle;               /* 16 |x1| + |x2| / 32 */
    float low;                  /* 16 |x2| */
    double unit;                /* 256 for X / 256 = 1 */
} line_info;

/* Where digit x0 of element k of a line lies; x1 and x2 follow at a distance of PLANE
 * bytes. A slab, all digits of TILE lines and DEPTH elements, is contiguous, and so are
 * the 8 lines x 16 elements that a tensor core's load wants. */
static __device__ size_t digit_place(size_t line, size_t k, size_t slabs) {
    return (line / TILE * slabs + k / DEPTH) * SLAB +
           ((k % DEPTH / RUN) * TILE + line % TILE) * RUN + k % RUN;
}

/* COUNT neighbours along k of one line. */
template <int COUNT>
static __device__ void load_values(float value[COUNT], const float *from, size_t next_k) {
#pragma unroll
    for (int i = 0; i < COUNT; i += 4)
        if (COUNT == 4) /* of a row: 16 bytes at once */
            *(float4 *)value = *(const float4 *)from;
        else
            for (int j = i; j < i + 4; j++)
                value[j] = from[j * next_k];
}

/* Turns LINES lines, rows of A or columns of B, into digits. A thread takes COUNT
 * neighbours along k: four of a row, whose neighbours the next threads take, or 16 of a
 * column, next to those of other columns. Both ways a warp reads and writes whole
 * sectors. from is the line of this thread. */
template <int LINES, int COUNT>
static __device__ void split(const float *__restrict__ from, size_t next_k, size_t n,
                             size_t line, signed char *digits, line_info *lines,
                             int *inexact) {
    enum { SHARERS = RUN / COUNT }; /* threads for one run of one line */
    __shared__ unsigned largest[LINES], squares[LINES][DIGITS];
    const unsigned thread = threadIdx.x, mine = thread / SHARERS % LINES;
    const unsigned k_0 = thread / (SHARERS * LINES) * RUN + thread % SHARERS * COUNT;
    const unsigned k_step = SPLIT_THREADS / (SHARERS * LINES) * RUN;
    __align__(16) float value[COUNT];
    if (thread < LINES)
        largest[thread] = squares[thread][0] = squares[thread][1] = squares[thread][2] =
            0;
    __syncthreads();

    /* The bits of floats without sign have the order of the floats; infinities and NaNs
     * come last. */
    unsigned bits = 0;
#pragma unroll 4
    for (unsigned k = k_0; k < n; k += k_step) {
        load_values<COUNT>(value, from + k * next_k, next_k);
        for (int i = 0; i < COUNT; i++)
            bits = max(bits, __float_as_uint(value[i]) & 0x7fffffff);
    }
    atomicMax(&largest[mine], bits);
    __syncthreads();

    double scale =
        0; /* a power of two times an integer up to 254: so small integers stay exact */
    if (largest[mine] >= 0x7f800000)
        *inexact = 1; /* not for digits */
    else if (largest[mine] > 0) {
        int exponent;
        double fraction = frexp((double)__uint_as_float(largest[mine]), &exponent);
        scale = ldexp(floor(127 / fraction), 16 - exponent);
    }

    int square[DIGITS] = {0, 0, 0};
#pragma unroll 2
    for (unsigned k = k_0; k < n; k += k_step) {
        __align__(16) unsigned word[DIGITS][COUNT / 4] = {{0}}; /* four digits each */
        load_values<COUNT>(value, from + k * next_k, next_k);
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            /* The sum with 1.5 * 2^52 rounds to an integer, which its last bits are. To
             * add 128 in each byte and to take it away without a borrow makes signed
             * digits of it. */
            unsigned x =
                (unsigned)__double_as_longlong(fma((double)value[i], scale, 0x1.8p52));
            x = (x + 0x808080) ^ 0x808080;
            for (int d = 0; d < DIGITS; d++)
                word[d][i / 4] |= (x >> 8 * (DIGITS - 1 - d) & 255u) << i % 4 * 8;
        }
        signed char *place = digits + digit_place(line, k, n / DEPTH);
        for (int d = 0; d < DIGITS; d++, place += PLANE) {
            for (int i = 0; i < COUNT / 4; i++)
                square[d] = __dp4a((int)word[d][i], (int)word[d][i], square[d]);
            if (COUNT == 4)
                *(unsigned *)place = word[d][0];
            else
                *(uint4 *)place = *(const uint4 *)word[d];
        }
    }
    for (int d = 0; d < DIGITS; d++)
        atomicAdd(&squares[mine][d], (unsigned)square[d]);
    __syncthreads();

    if (thread < SHARERS * LINES && thread % SHARERS == 0) {
        line_info info = {0, 0, 0, 0, 0};
        if (scale > 0) {
            float x0 = sqrtf((float)squares[mine][0]),
                  x1 = sqrtf((float)squares[mine][1]);
            float x2 = sqrtf((float)squares[mine][2]);
            info.rounding = 0.5f * sqrtf((float)n);
            info.all = 65536 * x0 + 256 * x1 + x2 + info.rounding;
            info.middle = 16 * x1 + x2 / 32;
            info.low = 16 * x2;
            info.unit = 256 / scale;
        }
        lines[line] = info;
    }
}

/* The first blocks split columns of B, the others rows of A. */
static __global__ void split_kernel(const float *a, size_t lda, const float *b,
                                    size_t ldb, size_t n, signed char *digits_a,
                                    signed char *digits_b, line_info *rows,
                                    line_info *columns, int *inexact) {
    const size_t column =
        (size_t)blockIdx.x * SPLIT_COLUMNS + threadIdx.x % SPLIT_COLUMNS;
    if (column < n)
        split<SPLIT_COLUMNS, RUN>(b + column, ldb, n, column, digits_b, columns, inexact);
    else {
        const size_t row =
            (blockIdx.x - n / SPLIT_COLUMNS) * SPLIT_ROWS + threadIdx.x / 4 % SPLIT_ROWS;
        split<SPLIT_ROWS, 4>(a + row * lda, 1, n, row, digits_a, rows, inexact);
    }
}

/* C in double, in the order of the reference and with its bits, when the digits do not
 * suffice. 16 x 16 threads compute TILE x TILE elements, 8 x 8 each. */
static __global__ void exact_kernel(const float *a, size_t lda, const float *b,
                                    size_t ldb, float *c, size_t ldc, size_t n,
                                    const int *inexact) {
    __shared__ double tile_a[16][TILE + 1],
        tile_b[16][TILE]; /* + 1: 16 threads write a column of tile_a at a time */
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

/* A tensor core's instruction belongs to a warp: each lane holds a part of the factors,
 * in an order that only the instruction needs to know, and four sums: for rows lane / 4
 * and lane / 4 + 8, two columns from lane % 4 * 2 on. The warp matrix functions of mma.h
 * hide this, but stop at k = 16, where Hopper has three quarters of the speed. On the CPU
 * a lane looks its factors up in the tile. A fragment is 16 of LINES lines, 32 elements
 * of each. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
typedef struct fragment {
    unsigned part[4];
} fragment;
static __device__ void load_fragment(fragment *f, const signed char *lines_8) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(lines_8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f->part[0]), "=r"(f->part[1]), "=r"(f->part[2]), "=r"(f->part[3])
                 : "r"(from));
}
/* Lanes 0 to 7 name the places of 8 lines in the first part, lanes 8 to 15 in the second,
 * and so on: A wants the second 8 lines there, B the second run of k. */
template <int LINES>
static __device__ void load_a(fragment *f, const signed char *lines) {
    const unsigned lane = threadIdx.x % 32;
    load_fragment(f, lines + (lane / 16 * LINES + lane % 16) * RUN);
}
template <int LINES>
static __device__ void load_b(fragment *f, const signed char *lines) {
    const unsigned lane = threadIdx.x % 32;
    load_fragment(f, lines + (lane / 8 % 2 * LINES + lane / 16 * 8 + lane % 8) * RUN);
}
/* sum += 16 rows of A times 8 columns of B: the lower or (half = 1) upper 8 lines of b.
 */
static __device__ void multiply_add(int sum[4], const fragment *a, const fragment *b,
                                    int half) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a->part[0]), "r"(a->part[1]), "r"(a->part[2]), "r"(a->part[3]),
          "r"(b->part[2 * half]), "r"(b->part[2 * half + 1]));
}
#else
typedef struct fragment {
    const signed char *run[2];
} fragment;
template <int LINES>
static __device__ void load_a(fragment *f, const signed char *lines) {
    f->run[0] = lines;
    f->run[1] = lines + LINES * RUN;
}
template <int LINES>
static __device__ void load_b(fragment *f, const signed char *lines) {
    load_a<LINES>(f, lines);
}
static __device__ void multiply_add(int sum[4], const fragment *a, const fragment *b,
                                    int half) {
    const unsigned lane = threadIdx.x % 32, row = lane / 4,
                   column = half * 8 + lane % 4 * 2;
    for (unsigned e = 0; e < 4; e++)
        for (unsigned run = 0; run < 2; run++) {
            const signed char *x = a->run[run] + (row + e / 2 * 8) * RUN,
                              *y = b->run[run] + (column + e % 2) * RUN;
            int dot = 0;
#ifndef __NVCC__
#pragma GCC unroll 1 /* g++ makes vector instructions of it only while it is a loop */
#endif
            for (unsigned k = 0; k < RUN; k++)
                dot += x[k] * y[k];
            sum[e] += dot;
        }
}
#endif

/* Starts copying LINES of a slab's TILE lines into shared memory. */
template <int LINES, int THREADS>
static __device__ void load_slab(signed char *to, const signed char *slab) {
    const unsigned line = threadIdx.x % LINES, first = threadIdx.x / LINES;
#pragma unroll
    for (unsigned run = 0; run < DIGITS * DEPTH / RUN; run += THREADS / LINES)
        __pipeline_memcpy_async(to + ((run + first) * LINES + line) * RUN,
                                slab + ((run + first) * TILE + line) * RUN, RUN);
}

/* A block computes ROWS x COLUMNS elements of C, a warp of it WARP_ROWS x 32. */
template <int ROWS, int COLUMNS, int WARP_ROWS, int STAGES>
static __global__ void __launch_bounds__(ROWS / WARP_ROWS * COLUMNS)
    matmult_kernel(const signed char *digits_a, const line_info *rows,
                   const signed char *digits_b, const line_info *columns, float *c,
                   size_t ldc, size_t n, volatile int *inexact) {
    enum {
        THREADS = ROWS / WARP_ROWS * COLUMNS,
        STAGE_A = ROWS * DEPTH * DIGITS,
        STAGE = STAGE_A + COLUMNS * DEPTH * DIGITS /* bytes */
    };
    extern __shared__ __align__(128) signed char stages[];
    if (__syncthreads_or(
            *inexact)) /* a block has given up already: exact_kernel will do it all */
        return;

    /* Tiles are numbered down GROUP rows of tiles, then on to the next column. */
    const unsigned slabs = (unsigned)(n / DEPTH);
    const unsigned tiles_down = (unsigned)(n / ROWS),
                   tiles_across = (unsigned)(n / COLUMNS);
    const unsigned first = blockIdx.x / (GROUP * tiles_across) * GROUP,
                   index = blockIdx.x % (GROUP * tiles_across);
    const unsigned in_group = min(GROUP, tiles_down - first);
    const size_t row_0 = (size_t)(first + index % in_group) * ROWS,
                 column_0 = (size_t)(index / in_group) * COLUMNS;
    const signed char *slab_a = digits_a + digit_place(row_0, 0, slabs);
    const signed char *slab_b = digits_b + digit_place(column_0, 0, slabs);
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned warp_row = warp / (COLUMNS / 32) * WARP_ROWS; /* in the tile */
    const unsigned warp_column = warp % (COLUMNS / 32) * 32;

    int level[DIGITS][WARP_ROWS / 16][4][4] = {{{{0}}}}; /* sums of 16 x 8 elements */
    for (unsigned i = 0; i < STAGES - 1; i++) {
        if (i < slabs) {
            load_slab<ROWS, THREADS>(stages + i * STAGE, slab_a + i * SLAB);
            load_slab<COLUMNS, THREADS>(stages + i * STAGE + STAGE_A, slab_b + i * SLAB);
        }
        __pipeline_commit();
    }
    slab_a += (STAGES - 1) * SLAB, slab_b += (STAGES - 1) * SLAB;
    unsigned use = 0, fill = STAGES - 1;
    for (unsigned i = 0; i < slabs; i++) {
        __pipeline_wait_prior(STAGES - 2);
        __syncthreads(); /* stage i is complete, and nobody needs stage i - 1 any more */
        const unsigned next = i + STAGES - 1;
        if (next < slabs) {
            load_slab<ROWS, THREADS>(stages + fill * STAGE, slab_a);
            load_slab<COLUMNS, THREADS>(stages + fill * STAGE + STAGE_A, slab_b);
        }
        __pipeline_commit();

#pragma unroll
        for (int step = 0; step < DEPTH; step += 32) {
            const signed char *stage_a =
                stages + use * STAGE + (step / RUN * ROWS + warp_row) * RUN;
            const signed char *stage_b = stages + use * STAGE + STAGE_A +
                                         (step / RUN * COLUMNS + warp_column) * RUN;
            fragment b[DIGITS][2], a[DIGITS];
            for (int d = 0; d < DIGITS; d++)
                for (int s = 0; s < 2; s++)
                    load_b<COLUMNS>(&b[d][s],
                                    stage_b + d * COLUMNS * DEPTH + s * 16 * RUN);
            for (int r = 0; r < WARP_ROWS / 16; r++) {
                for (int d = 0; d < DIGITS; d++)
                    load_a<ROWS>(&a[d], stage_a + d * ROWS * DEPTH + r * 16 * RUN);
                for (int p = 0; p < DIGITS; p++)
                    for (int q = 0; p + q < DIGITS; q++)
                        for (int s = 0; s < 4; s++)
                            multiply_add(level[p + q][r][s], &a[p], &b[q][s / 2], s % 2);
            }
        }
        use = use + 1 == STAGES ? 0 : use + 1;
        slab_a += SLAB, slab_b += SLAB;
        fill = fill + 1 == STAGES ? 0 : fill + 1;
    }

    /* With |.| for the lengths of vectors along k, dX and dY for the errors of rounding,
     * by Cauchy's inequality |error| <= |dX| |Y| + |X| |dY| + |dX| |dY| + 256 (|x1| |y2|
     * + |x2| |y1|) + |x2| |y2| in the units of X Y. The sum of X Y is 65536 total, and no
     * larger than the sum of |X| |Y|: so where the bound is at most ALLOWED of it, the
     * promise is kept. */
#pragma unroll /* registers have no index that is only known at run time */
    for (int s = 0; s < 4; s++) {
        const size_t column = column_0 + warp_column + s * 8 + lane % 4 * 2;
        const line_info right[2] = {columns[column], columns[column + 1]};
#pragma unroll
        for (int r = 0; r < WARP_ROWS / 8; r++) {
            const size_t row = row_0 + warp_row + r * 8 + lane / 4;
            const line_info left = rows[row];
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
            *(float2 *)&c[row * ldc + column] = make_float2(result[0], result[1]);
        }
    }
}

/* Launches matmult_kernel with tiles of ROWS x COLUMNS. */
template <int ROWS, int COLUMNS, int WARP_ROWS, int STAGES>
static void launch(const signed char *digits_a, const line_info *rows,
                   const signed char *digits_b, const line_info *columns, float *c,
                   size_t ldc, size_t n, int *inexact) {
    const size_t tiles = n / ROWS * (n / COLUMNS);
    const int bytes = STAGES * (ROWS + COLUMNS) * DEPTH * DIGITS;
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<ROWS, COLUMNS, WARP_ROWS, STAGES>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<ROWS, COLUMNS, WARP_ROWS, STAGES>
        <<<(unsigned)tiles, ROWS / WARP_ROWS * COLUMNS, bytes>>>(
            digits_a, rows, digits_b, columns, c, ldc, n, inexact);
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
                "10_tensor_core needs compute capability 8.0 and %d bytes of shared "
                "memory for a block\n",
                SHARED_BYTES);
        exit(77);
    }
    double start = wall_seconds();

    /* Below one tile the digits would be slower than double, and above LARGEST_N they
     * would overflow. */
    const int use_digits = n >= TILE && n <= LARGEST_N;
    const size_t padded = ((size_t)n + TILE - 1) / TILE * TILE,
                 tiles = padded / TILE; /* in each direction */
    const size_t digit_bytes = use_digits ? DIGITS * padded * padded : 0;
    const size_t line_bytes = use_digits ? padded * sizeof(line_info) : 0;
    const size_t needed = 3 * padded * padded * sizeof(float) +
                          2 * (digit_bytes + line_bytes) + sizeof(int);
    size_t free_bytes, total_bytes;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (needed > free_bytes) {
        fprintf(stderr,
                "10_tensor_core: n = %d needs %zu MiB of device memory, and %zu MiB are "
                "free\n",
                n, needed >> 20, free_bytes >> 20);
        exit(1);
    }

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    signed char *digits_a, *digits_b;
    line_info *rows, *columns;
    int *inexact; /* not 0 when digits do not suffice */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMalloc(&digits_a, digit_bytes));
    CUDA_CHECK(cudaMalloc(&digits_b, digit_bytes));
    CUDA_CHECK(cudaMalloc(&rows, line_bytes));
    CUDA_CHECK(cudaMalloc(&columns, line_bytes));
    CUDA_CHECK(cudaMalloc(&inexact, sizeof(int)));
    CUDA_CHECK(cudaMemset(device_a, 0,
                          pitch_a * padded)); /* no tile leaves the matrices, as in 07 */
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemset(inexact, !use_digits, sizeof(int)));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    if (use_digits) {
        split_kernel<<<(unsigned)(padded / SPLIT_COLUMNS + padded / SPLIT_ROWS),
                       SPLIT_THREADS>>>(device_a, pitch_a / sizeof(float), device_b,
                                        pitch_b / sizeof(float), padded, digits_a,
                                        digits_b, rows, columns, inexact);
        CUDA_CHECK(cudaGetLastError());
        const size_t ldc_device = pitch_c / sizeof(float);
        if (tiles * tiles < MANY_TILES)
            launch<64, 64, 32, 3>(digits_a, rows, digits_b, columns, device_c, ldc_device,
                                  padded, inexact);
        else if (shared < SHARED_BYTES / 2 * 3)
            launch<128, 64, 64, 2>(digits_a, rows, digits_b, columns, device_c,
                                   ldc_device, padded, inexact);
        else
            launch<128, 64, 64, 3>(digits_a, rows, digits_b, columns, device_c,
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
                          ? "computed in double: sums of digits could overflow"
                          : "computed in double: with digits the error could not be "
                            "shown to be within 1e-6";
    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(digits_a));
    CUDA_CHECK(cudaFree(digits_b));
    CUDA_CHECK(cudaFree(rows));
    CUDA_CHECK(cudaFree(columns));
    CUDA_CHECK(cudaFree(inexact));
    result.total = wall_seconds() - start;
    return result;
}
