/* 11_hopper - the exact digits of step 10 on what Hopper adds: bulk copies that arrive at a barrier, matrix products
 * that a warp group of 128 threads starts and that run by themselves, blocks in pairs that share what they load.
 *
 * Digits, bound of the error and so every bit of the result are those of step 10: X = 65536 x0 + 256 x1 + x2 for each
 * element, six products of digits in three levels, in double where the bound does not hold. What changes is the way
 * to the tensor cores, and that B is cut where it lies, in two launches, so that it is read along its rows.
 *
 * Launch: one block for each multiprocessor, in clusters of two, which take tiles of C in turn; in a block a warp
 * group that only starts copies, and one or two that multiply. Chapter: docs/11_hopper.md */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <stdint.h>

enum {
    DIGITS = 3,    /* for each element */
    DEPTH = 64,    /* of k in one stage */
    ROWS = 64,     /* of a warp group's part of a tile of C */
    COLUMNS = 128, /* of a tile */
    A_PLANE = ROWS * DEPTH,
    B_PLANE = COLUMNS * DEPTH, /* bytes of one digit in one stage */
    A_SLAB = DIGITS * A_PLANE,
    B_SLAB = DIGITS * B_PLANE, /* bytes of all; contiguous in device memory, too */
    STAGES = 4,                /* of shared memory, so many copies are on their way */
    PAIR = 2,                  /* blocks of a cluster: two tiles of C, one above the other */
    BAND = 8,    /* rows of clusters' tiles that are worked on together, so that their digits stay in the L2 cache */
    SLICES = 32, /* of B: so many blocks look for the largest element of a column */
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};

/* A row of A or a column of B: for each digit the sum of its squares, and what is worth X / 256 = 1. */
typedef struct line {
    unsigned square[DIGITS];
    double unit; /* 0 for a line of zeros, NaN where it is not finite: nothing holds for a NaN */
} line;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL       /* compiled for sm_90a */
static const float ALLOWED = 0.85e-6f; /* of the 1e-6; the rest is for rounding the result to float */

/* The same as lengths (Euclid's) along k, for the bound of the error. */
typedef struct line_info {
    float rounding; /* of the errors of rounding, at most sqrt(n) / 2 */
    float all;      /* of X, rounding / 2 more */
    float middle;   /* 16 |x1| + |x2| / 32 */
    float low;      /* 16 |x2| */
    double unit;
} line_info;

static __device__ line_info measure(const line &l, int n) {
    float x0 = sqrtf((float)l.square[0]), x1 = sqrtf((float)l.square[1]), x2 = sqrtf((float)l.square[2]);
    float rounding = l.unit == 0 ? 0 : l.unit > 0 ? 0.5f * sqrtf((float)n) : NAN;
    return line_info{rounding, 65536 * x0 + 256 * x1 + x2 + rounding, 16 * x1 + x2 / 32, 16 * x2, l.unit};
}

/* What a line is multiplied by before it is rounded; largest are the bits of its largest element, without sign. A power
 * of two times an integer up to 254, so that small integers stay exact. */
static __device__ double line_scale(unsigned largest) {
    if (largest >= 0x7f800000)
        return NAN;
    if (largest == 0)
        return 0;
    int exponent;
    double fraction = frexp((double)__uint_as_float(largest), &exponent);
    return ldexp(floor(127 / fraction), 16 - exponent);
}

static __device__ double line_unit(double scale) { return scale == 0 ? 0 : 256 / scale; }

/* Cuts four neighbours along k: digit d of value i becomes byte i of word[d]. */
static __device__ void cut(const float *value, double scale, unsigned *word, unsigned *square) {
    unsigned x[4];
    for (int i = 0; i < 4; i++)
        x[i] = (unsigned)((int)rint(value[i] * scale) + 0x808080); /* 128 in each byte: no borrows */
    unsigned low = __byte_perm(x[0], x[1], 0x5140), high = __byte_perm(x[2], x[3], 0x5140);
    word[2] = __byte_perm(low, high, 0x5410) ^ 0x80808080;
    word[1] = __byte_perm(low, high, 0x7632) ^ 0x80808080;
    word[0] = __byte_perm(__byte_perm(x[0], x[1], 0x62), __byte_perm(x[2], x[3], 0x62), 0x5410) ^ 0x80808080;
    for (int d = 0; d < DIGITS; d++)
        square[d] = __dp4a((int)word[d], (int)word[d], (int)square[d]);
}

/* Where 16 neighbours along k of one digit lie in a plane: line after line, and in a line in the order that the tensor
 * cores read without bank conflicts, the "64-byte swizzle". */
static __device__ size_t place(size_t line, size_t k) { return line * DEPTH + (k / 16 ^ line / 2 % 4) * 16; }

/* 128 threads. The first blocks look for the largest elements in one slice of 128 columns of B; each of the others cuts
 * a row of A. Rows beyond the matrix are zeros. */
static __global__ void prepareKernel(const float *a, size_t lda, const float *b, size_t ldb, size_t n, size_t slabs,
                                     size_t columns_b, unsigned *largest_b, signed char *digits_a, line *rows,
                                     line *columns, int *inexact) {
    extern __shared__ float4 values[]; /* the row */
    __shared__ unsigned largest, squares[DIGITS];
    size_t x = threadIdx.x, column_blocks = columns_b / 128 * SLICES;
    unsigned bits = 0; /* of floats without sign have the order of the floats; infinities and NaNs come last */
    if (blockIdx.x < column_blocks) {
        size_t column = blockIdx.x / SLICES * 128 + x, slice = blockIdx.x % SLICES;
        if (column < n) {
            for (size_t k = slice * 32; k < n; k += SLICES * 32)
#pragma unroll
                for (size_t i = 0; i < 32; i++) /* so many loads at once */
                    bits = max(bits, k + i < n ? __float_as_uint(b[(k + i) * ldb + column]) & 0x7fffffff : 0);
        }
        largest_b[slice * columns_b + column] = bits;
        if (slice == 0)
            columns[column] = line{{0, 0, 0}, 0}; /* to be added to */
        if (blockIdx.x == 0 && x == 0)
            *inexact = 0;
        return;
    }
    size_t row = blockIdx.x - column_blocks, quads = slabs * DEPTH / 4;
    if (x == 0)
        largest = squares[0] = squares[1] = squares[2] = 0;
    __syncthreads();
#pragma unroll 4
    for (size_t i = x; i < quads; i += 128) {
        float4 four = make_float4(0, 0, 0, 0);
        const float *from = a + row * lda + 4 * i;
        if (row < n && 4 * i + 4 <= n)
            four = *(const float4 *)from;
        else if (row < n && 4 * i < n)
            four = make_float4(from[0], 4 * i + 1 < n ? from[1] : 0, 4 * i + 2 < n ? from[2] : 0, 0);
        values[i] = four;
        bits = max(max(bits, __float_as_uint(four.x) & 0x7fffffff), __float_as_uint(four.y) & 0x7fffffff);
        bits = max(max(bits, __float_as_uint(four.z) & 0x7fffffff), __float_as_uint(four.w) & 0x7fffffff);
    }
    bits = __reduce_max_sync(~0u, bits);
    if (x % 32 == 0)
        atomicMax(&largest, bits);
    __syncthreads();
    double scale = line_scale(largest);
    unsigned square[DIGITS] = {0, 0, 0};
    signed char *digits = digits_a + row / (2 * ROWS) * slabs * (2 * A_SLAB) + row / ROWS % 2 * A_SLAB;
    for (size_t i = x; i < quads; i += 128) {
        unsigned word[DIGITS];
        cut(&values[i].x, scale, word, square);
        unsigned *to = (unsigned *)(digits + i / (DEPTH / 4) * (2 * A_SLAB) + place(row % ROWS, 4 * i % DEPTH)) + i % 4;
        for (int d = 0; d < DIGITS; d++)
            to[d * (A_PLANE / 4)] = word[d];
    }
    for (int d = 0; d < DIGITS; d++) {
        square[d] = __reduce_add_sync(~0u, square[d]);
        if (x % 32 == 0)
            atomicAdd(&squares[d], square[d]);
    }
    __syncthreads();
    if (x == 0)
        rows[row] = line{{squares[0], squares[1], squares[2]}, line_unit(scale)};
}

/* Cuts 128 columns of B, some of its slabs. 128 x 4 threads; thread (x, y) cuts 16 neighbours of column x. */
static __global__ void splitKernel(const float *b, size_t ldb, size_t n, size_t slabs, size_t columns_b,
                                   const unsigned *largest_b, signed char *digits_b, line *columns) {
    __shared__ uint4 image[B_SLAB / 16]; /* as it will be in device memory */
    __shared__ unsigned largest[COLUMNS], squares[DIGITS][COLUMNS];
    __shared__ double scales[COLUMNS];
    size_t x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * COLUMNS + x;
    if (y == 0)
        largest[x] = squares[0][x] = squares[1][x] = squares[2][x] = 0;
    __syncthreads();
    unsigned bits = 0;
    for (size_t slice = y; slice < SLICES; slice += 4)
        bits = max(bits, largest_b[slice * columns_b + column]);
    atomicMax(&largest[x], bits);
    __syncthreads();
    if (y == 0)
        scales[x] = line_scale(largest[x]);
    __syncthreads();
    double scale = scales[x];
    unsigned square[DIGITS] = {0, 0, 0};
    for (size_t slab = blockIdx.y; slab < slabs; slab += gridDim.y) {
        float value[16];
        unsigned word[4][DIGITS];
        size_t k = slab * DEPTH + 16 * y;
#pragma unroll
        for (size_t i = 0; i < 16; i++)
            value[i] = k + i < n && column < n ? b[(k + i) * ldb + column] : 0;
#pragma unroll
        for (int i = 0; i < 4; i++)
            cut(&value[4 * i], scale, word[i], square);
        __syncthreads(); /* the image before has been copied */
        for (int d = 0; d < DIGITS; d++)
            image[(d * B_PLANE + place(x, 16 * y)) / 16] = make_uint4(word[0][d], word[1][d], word[2][d], word[3][d]);
        __syncthreads();
        uint4 *digits = (uint4 *)(digits_b + (blockIdx.x * slabs + slab) * B_SLAB);
        for (size_t i = y * COLUMNS + x; i < B_SLAB / 16; i += 4 * COLUMNS)
            digits[i] = image[i];
    }
    for (int d = 0; d < DIGITS; d++)
        atomicAdd(&squares[d][x], square[d]);
    __syncthreads();
    if (y < DIGITS)
        atomicAdd(&columns[column].square[y], squares[y][x]);
    else if (blockIdx.y == 0)
        columns[column].unit = line_unit(scale);
}

/* C in double, as the reference sums it, where the digits do not hold it. 16 x 16 threads, 4 x 4 elements each. */
static __global__ void __launch_bounds__(256) exactKernel(const float *a, size_t lda, const float *b, size_t ldb,
                                                          float *c, size_t ldc, size_t n, const int *inexact) {
    __shared__ double tile_a[16][64 + 1], tile_b[16][64];
    if (*inexact == 0)
        return;
    size_t x = threadIdx.x, y = threadIdx.y, tiles = (n + 63) / 64;
    for (size_t tile = blockIdx.x; tile < tiles * tiles; tile += gridDim.x) {
        size_t row = tile / tiles * 64, column = tile % tiles * 64;
        double sum[4][4] = {};
        for (size_t k = 0; k < n; k += 16) {
            for (size_t i = 0; i < 64; i += 16) {
                tile_a[x][y + i] = row + y + i < n && k + x < n ? a[(row + y + i) * lda + k + x] : 0;
                tile_b[y][x + i] = k + y < n && column + x + i < n ? b[(k + y) * ldb + column + x + i] : 0;
            }
            __syncthreads();
            for (size_t i = 0; i < 16; i++)
                for (size_t r = 0; r < 4; r++)
                    for (size_t s = 0; s < 4; s++)
                        sum[r][s] = fma(tile_a[i][y + 16 * r], tile_b[i][x + 16 * s], sum[r][s]);
            __syncthreads();
        }
        for (size_t r = 0; r < 4; r++)
            for (size_t s = 0; s < 4; s++)
                if (row + y + 16 * r < n && column + x + 16 * s < n)
                    c[(row + y + 16 * r) * ldc + column + x + 16 * s] = (float)sum[r][s];
    }
}

/* The instructions that CUDA C has no word for; PTX ISA, chapters mbarrier, cp.async.bulk and wgmma. */
static __device__ unsigned shared_address(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

static __device__ void barrier_init(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

/* One arrival, and so many bytes that copies have to bring before the barrier opens. */
static __device__ void barrier_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
                 : "memory");
}

/* One arrival at the same barrier of one block of the cluster. */
static __device__ void barrier_arrive(uint64_t *barrier, unsigned block) {
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

static __device__ void barrier_wait(uint64_t *barrier, unsigned parity) {
    unsigned open;
    do
        asm volatile("{\n.reg .pred open;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 open, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, open;\n}"
                     : "=r"(open)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    while (!open);
}

static __device__ void cluster_sync() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/* Starts a copy from device memory; the bytes are counted at barrier. */
static __device__ void copy(void *to, const void *from, unsigned bytes, uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                     shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

/* The same to that place in both blocks of the cluster, and counted at both barriers. */
static __device__ void copy_to_both(void *to, const void *from, unsigned bytes, uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"((unsigned short)3)
                 : "memory");
}

/* All threads of a warp group. */
static __device__ void group_sync(int group) { asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory"); }

/* How the tensor cores find a plane: its address, 512 bytes from 8 lines to the next, 64-byte swizzle. */
static __device__ uint64_t describe(const void *plane) {
    return shared_address(plane) >> 4 | (uint64_t)(8 * DEPTH >> 4) << 32 | (uint64_t)2 << 62;
}

/* Starts sum += A B for 64 x 32 bytes of A and 128 x 32 of B. */
static __device__ void multiply(int (&sum)[64], uint64_t a, uint64_t b) {
#define R4(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "
                 "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "
                 "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "
                 "%62, %63}, %64, %65, add;\n}"
                 : R16(0), R16(16), R16(32), R16(48)
                 : "l"(a), "l"(b));
#undef R16
#undef R4
}

/* The tile of C that a block of the cluster works on, in tiles. Pairs of tiles are numbered down BAND rows of pairs,
 * then on to the next column. */
static __device__ void find_tile(int pair, int rank, int pairs_down, int tiles_across, int *row, int *column) {
    int band = pair / (BAND * tiles_across) * BAND, height = min(BAND, pairs_down - band);
    int within = pair - band * tiles_across;
    *row = (band + within % height) * PAIR + rank;
    *column = within / height;
}

/* GROUPS warp groups multiply, one above the other: a tile of 64 GROUPS x 128. The two blocks of a cluster have tiles
 * one above the other, and so need the same digits of B: each loads half of them for both. */
template <int GROUPS>
static __global__ void __cluster_dims__(PAIR, 1, 1) __launch_bounds__((GROUPS + 1) * 128, 1)
    matmultKernel(const signed char *digits_a, const line *rows, const signed char *digits_b, const line *columns,
                  float *c, size_t ldc, int n, int slabs, int pairs_down, int tiles_across, int *inexact) {
    struct stage {
        signed char a[GROUPS][A_SLAB], b[B_SLAB];
    };
    extern __shared__ __align__(1024) unsigned char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    __shared__ line_info infos[GROUPS][ROWS + COLUMNS];
    stage *stages = (stage *)dynamic;
    const int group = threadIdx.x / 128, thread = threadIdx.x % 128, warp = thread / 32, lane = thread % 32;
    const unsigned rank = blockIdx.x % PAIR;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], PAIR * GROUPS * 4); /* this block writes to both: the warps of both let go */
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();

    unsigned step = 0; /* over all tiles */
    int tile_row, tile_column;
    if (group == GROUPS) {
        if (GROUPS == 2)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (thread == 0) {
            for (int pair = blockIdx.x / PAIR; pair < pairs_down * tiles_across; pair += gridDim.x / PAIR) {
                find_tile(pair, rank, pairs_down, tiles_across, &tile_row, &tile_column);
                const int group_row = tile_row * GROUPS;
                const signed char *a =
                    digits_a + (size_t)(group_row / 2) * slabs * (2 * A_SLAB) + group_row % 2 * A_SLAB;
                const signed char *b = digits_b + (size_t)tile_column * slabs * B_SLAB + rank * (B_SLAB / PAIR);
                for (int i = 0; i < slabs; i++, step++, a += 2 * A_SLAB, b += B_SLAB) {
                    stage *s = &stages[step % STAGES];
                    uint64_t *arrived = &full[step % STAGES];
                    barrier_wait(&empty[step % STAGES], step / STAGES % 2 ^ 1);
                    barrier_expect(arrived, sizeof *s);
                    copy(s->a, a, sizeof s->a, arrived);
                    copy_to_both(s->b + rank * (B_SLAB / PAIR), b, B_SLAB / PAIR, arrived);
                }
            }
        }
    } else {
        if (GROUPS == 2)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        line_info *info_a = infos[group], *info_b = info_a + ROWS;
        for (int pair = blockIdx.x / PAIR; pair < pairs_down * tiles_across; pair += gridDim.x / PAIR) {
            find_tile(pair, rank, pairs_down, tiles_across, &tile_row, &tile_column);
            int row_0 = (tile_row * GROUPS + group) * ROWS, column_0 = tile_column * COLUMNS;
            if (thread < ROWS)
                info_a[thread] = measure(rows[row_0 + thread], n);
            info_b[thread] = measure(columns[column_0 + thread], n);
            int level0[64], level1[64], level2[64];
#pragma unroll
            for (int i = 0; i < 64; i++)
                level0[i] = level1[i] = level2[i] = 0;
            for (int i = 0; i < slabs; i++, step++) {
                stage *s = &stages[step % STAGES];
                uint64_t a = describe(s->a[group]), b = describe(s->b);
                barrier_wait(&full[step % STAGES], step / STAGES % 2);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int part = 0; part < DEPTH; part += 32) {
                    uint64_t a0 = a + part / 16, a1 = a0 + A_PLANE / 16, a2 = a1 + A_PLANE / 16;
                    uint64_t b0 = b + part / 16, b1 = b0 + B_PLANE / 16, b2 = b1 + B_PLANE / 16;
                    multiply(level0, a0, b0);
                    multiply(level1, a0, b1);
                    multiply(level1, a1, b0);
                    multiply(level2, a0, b2);
                    multiply(level2, a1, b1);
                    multiply(level2, a2, b0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                if (i > 0) {
                    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory"); /* the step before is done */
                    if (lane < PAIR)
                        barrier_arrive(&empty[(step - 1) % STAGES], lane);
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (lane < PAIR)
                barrier_arrive(&empty[(step - 1) % STAGES], lane);

            group_sync(group); /* infos are complete */
            bool bad = false;
            float *corner = c + (size_t)(row_0 + warp * 16 + lane / 4) * ldc + column_0 + lane % 4 * 2;
            int rows_left = n - (row_0 + warp * 16 + lane / 4), columns_left = n - (column_0 + lane % 4 * 2);
            line_info left[2] = {info_a[warp * 16 + lane / 4], info_a[warp * 16 + lane / 4 + 8]};
#pragma unroll
            for (int eight = 0; eight < COLUMNS / 8; eight++) {
                line_info right[2] = {info_b[eight * 8 + lane % 4 * 2], info_b[eight * 8 + lane % 4 * 2 + 1]};
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    float value[2];
#pragma unroll
                    for (int i = 0; i < 2; i++) {
                        int at = 4 * eight + 2 * half + i;
                        int64_t total = (int64_t)level0[at] * 65536 + (int64_t)level1[at] * 256 + level2[at];
                        float bound = left[half].rounding * right[i].all + left[half].all * right[i].rounding +
                                      left[half].middle * right[i].low + left[half].low * right[i].middle;
                        bad |= !(bound <= ALLOWED * 65536 * fabsf((float)total));
                        value[i] = (float)((double)total * left[half].unit * right[i].unit);
                    }
                    float *to = corner + half * 8 * ldc + eight * 8;
                    if (half * 8 < rows_left && eight * 8 + 1 < columns_left)
                        *(float2 *)to = make_float2(value[0], value[1]);
                    else if (half * 8 < rows_left && eight * 8 < columns_left)
                        *to = value[0];
                }
            }
            if (bad)
                *inexact = 1;
            group_sync(group); /* infos may be written again */
        }
    }
    cluster_sync(); /* a block stays until the others have stopped writing into it */
}

#else /* what the host, and every other device, sees of the kernels */
static __global__ void prepareKernel(const float *, size_t, const float *, size_t, size_t, size_t, size_t, unsigned *,
                                     signed char *, line *, line *, int *) {}
static __global__ void splitKernel(const float *, size_t, size_t, size_t, size_t, const unsigned *, signed char *,
                                   line *) {}
static __global__ void exactKernel(const float *, size_t, const float *, size_t, float *, size_t, size_t, const int *) {
}
template <int GROUPS>
static __global__ void matmultKernel(const signed char *, const line *, const signed char *, const line *, float *,
                                     size_t, int, int, int, int, int *) {}
#endif

template <int GROUPS> static size_t shared_bytes() { return STAGES * (GROUPS * A_SLAB + B_SLAB); }

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

matmult_time matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    matmult_time time = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int device, major, minor, multiprocessors;
    cudaFuncAttributes built;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaFuncGetAttributes(&built, matmultKernel<1>));
    if (major != 9 || minor != 0 || built.sharedSizeBytes == 0) { /* built for anything else, the kernel is empty */
        fprintf(stderr, "11_hopper needs a GPU of compute capability 9.0 and a build for it (ARCH=sm_90a)\n");
        exit(77);
    }
    double start = wall_seconds();

    /* Below one tile the digits would be slower than double, and above LARGEST_N they would overflow. */
    const bool use_digits = n >= COLUMNS && n <= LARGEST_N;
    const size_t lines_a = round_up(n, 2 * PAIR * ROWS), lines_b = round_up(n, COLUMNS),
                 slabs = round_up(n, DEPTH) / DEPTH;
    const size_t digit_bytes = use_digits ? slabs * DEPTH * DIGITS : 0; /* of a line */
    const size_t needed =
        3 * row_bytes * n + (lines_a + lines_b) * (digit_bytes + sizeof(line)) + SLICES * lines_b * sizeof(unsigned);
    size_t free_bytes, total_bytes;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (needed > free_bytes) {
        fprintf(stderr, "11_hopper: n = %d needs %zu MiB of device memory, and %zu MiB are free\n", n, needed >> 20,
                free_bytes >> 20);
        exit(1);
    }

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, row_bytes, (size_t)n));
    signed char *digits_a = NULL, *digits_b = NULL;
    line *rows = NULL, *columns = NULL;
    unsigned *largest_b = NULL;
    int *inexact; /* not 0 when digits do not suffice */
    CUDA_CHECK(cudaMalloc(&inexact, sizeof(int)));
    if (use_digits) {
        CUDA_CHECK(cudaMalloc(&digits_a, lines_a * digit_bytes));
        CUDA_CHECK(cudaMalloc(&digits_b, lines_b * digit_bytes));
        CUDA_CHECK(cudaMalloc(&rows, lines_a * sizeof(line)));
        CUDA_CHECK(cudaMalloc(&columns, lines_b * sizeof(line)));
        CUDA_CHECK(cudaMalloc(&largest_b, SLICES * lines_b * sizeof(unsigned)));
        const cudaFuncAttribute shared_memory = cudaFuncAttributeMaxDynamicSharedMemorySize;
        CUDA_CHECK(cudaFuncSetAttribute(prepareKernel, shared_memory, (int)(slabs * DEPTH * sizeof(float))));
        CUDA_CHECK(cudaFuncSetAttribute(matmultKernel<1>, shared_memory, (int)shared_bytes<1>()));
        CUDA_CHECK(cudaFuncSetAttribute(matmultKernel<2>, shared_memory, (int)shared_bytes<2>()));
    }
    CUDA_CHECK(
        cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = kernel_timer_start();
    const size_t lda_device = pitch_a / sizeof(float), ldb_device = pitch_b / sizeof(float),
                 ldc_device = pitch_c / sizeof(float);
    if (use_digits) {
        prepareKernel<<<(unsigned)(lines_b / 128 * SLICES + lines_a), 128, slabs * DEPTH * sizeof(float)>>>(
            device_a, lda_device, device_b, ldb_device, n, slabs, lines_b, largest_b, digits_a, rows, columns, inexact);
        CUDA_CHECK(cudaGetLastError());
        splitKernel<<<dim3((unsigned)(lines_b / COLUMNS), (unsigned)(slabs < 16 ? slabs : 16)), dim3(COLUMNS, 4)>>>(
            device_b, ldb_device, n, slabs, lines_b, largest_b, digits_b, columns);
        CUDA_CHECK(cudaGetLastError());
        const unsigned blocks = (unsigned)multiprocessors / PAIR * PAIR;
        const int across = (int)(lines_b / COLUMNS);
        if (lines_a / (2 * ROWS) * (lines_b / COLUMNS) >= blocks)
            matmultKernel<2><<<blocks, 3 * 128, shared_bytes<2>()>>>(
                digits_a, rows, digits_b, columns, device_c, ldc_device, n, (int)slabs,
                (int)(lines_a / (2 * PAIR * ROWS)), across, inexact);
        else
            matmultKernel<1><<<blocks, 2 * 128, shared_bytes<1>()>>>(digits_a, rows, digits_b, columns, device_c,
                                                                     ldc_device, n, (int)slabs,
                                                                     (int)(lines_a / (PAIR * ROWS)), across, inexact);
        CUDA_CHECK(cudaGetLastError());
    } else
        CUDA_CHECK(cudaMemset(inexact, 1, sizeof(int)));
    exactKernel<<<4 * (unsigned)multiprocessors, dim3(16, 16)>>>(device_a, lda_device, device_b, ldb_device, device_c,
                                                                 ldc_device, n, inexact);
    CUDA_CHECK(cudaGetLastError());
    time.kernel = kernel_timer_stop(&timer);

    int exact = 0;
    CUDA_CHECK(cudaMemcpy(&exact, inexact, sizeof(int), cudaMemcpyDeviceToHost));
    if (exact)
        time.note = n < COLUMNS     ? "computed in double: smaller than one tile"
                    : n > LARGEST_N ? "computed in double: sums of digits could overflow"
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
    CUDA_CHECK(cudaFree(largest_b));
    CUDA_CHECK(cudaFree(inexact));
    time.total = wall_seconds() - start;
    return time;
}
