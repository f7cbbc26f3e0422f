/* 11_hopper - the digits of step 10 through what Hopper adds: bulk copies that arrive at
 * a barrier, products of matrices that 128 threads start together and that then run by
 * themselves, blocks in pairs that share what they load.
 *
 * Digits, the bound of the error and so every bit of the result are those of step 10: X =
 * 65536 x0 + 256 x1 + x2 for each element, six products of digits in three levels, in
 * double where the bound does not hold. New are the way to the tensor cores, and a
 * pre-pass in two launches, which reads B along its rows.
 *
 * Launch: one block for each multiprocessor, in clusters of two, which take tiles of C in
 * turn. Of a block's warp groups (128 threads each), one only starts copies, and one or
 * two multiply. Chapter: docs/11_hopper.md */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <stdint.h>

enum {
    TILE = 128, /* rows and columns of C for one block with two groups that multiply */
    ROWS = TILE / 2,        /* for one group */
    DIGITS = 3,             /* for each element */
    DEPTH = 64,             /* of k in one stage */
    STAGES = 4,             /* of shared memory, so many copies are on their way */
    PLANE_A = ROWS * DEPTH, /* bytes: one digit of one stage */
    PLANE_B = TILE * DEPTH,
    SLAB_A = DIGITS * PLANE_A, /* all digits: contiguous, also in device memory */
    SLAB_B = DIGITS * PLANE_B,
    PAIR = 2, /* blocks of a cluster, whose tiles are one above the other */
    BAND = 8, /* rows of pairs that are worked on together, so that their digits stay in
                 L2 */
    SLICES = 32, /* of k: so many parts of a column are searched for its largest element
                    at once */
    SPLIT_THREADS = 256,
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};

/* A line is a row of A or a column of B: the sums of the squares of its digits, and the
 * unit of the result, 256 for X / 256 = 1. */
typedef struct line {
    unsigned square[DIGITS];
    double unit;
} line;

#ifdef __CUDA_ARCH_FEAT_SM90_ALL /* the compiler's word for sm_90a */
static const float ALLOWED =
    0.85e-6f; /* of the 1e-6; the rest is for rounding the result to float */
static const float NEAR_INFINITY =
    0x1.ffffp127f; /* beyond, an error of 1e-6 might decide whether a float can hold it */

/* What a line is multiplied by before it is rounded, from the bits of its largest element
 * without sign: a power of two times an integer up to 254, so that small integers stay
 * exact. */
static __device__ double line_scale(unsigned largest, int *inexact) {
    if (largest >= 0x7f800000)
        *inexact = 1; /* an infinity or a NaN: not for digits */
    if (largest == 0 || largest >= 0x7f800000)
        return 0;
    int exponent;
    double fraction = frexp((double)__uint_as_float(largest), &exponent);
    return ldexp(floor(127 / fraction), 16 - exponent);
}

static __device__ double line_unit(double scale) { return scale > 0 ? 256 / scale : 0; }

static __device__ unsigned bits_of(float value) {
    return __float_as_uint(value) & 0x7fffffff;
}

/* Turns four neighbours along k into digits: digit d of value i becomes byte i of
 * word[d]. Adds their squares. */
static __device__ void split(const float *value, double scale, unsigned *word,
                             unsigned *square) {
    unsigned x[4];
    for (int i = 0; i < 4;
         i++) /* the sum with 1.5 * 2^52 rounds to an integer, which its last bits are */
        x[i] = (unsigned)__double_as_longlong(fma((double)value[i], scale, 0x1.8p52)) +
               0x808080;
    /* x has 128 too much in each byte, as x0 has no neighbour to borrow from; each pair
     * of bytes, then all four: */
    unsigned low_01 = __byte_perm(x[0], x[1], 0x5140),
             low_23 = __byte_perm(x[2], x[3], 0x5140);
    unsigned high_01 = __byte_perm(x[0], x[1], 0x0062),
             high_23 = __byte_perm(x[2], x[3], 0x0062);
    word[0] = __byte_perm(high_01, high_23, 0x5410) ^ 0x80808080;
    word[1] = __byte_perm(low_01, low_23, 0x7632) ^ 0x80808080;
    word[2] = __byte_perm(low_01, low_23, 0x5410) ^ 0x80808080;
    for (int d = 0; d < DIGITS; d++)
        square[d] = (unsigned)__dp4a((int)word[d], (int)word[d], (int)square[d]);
}

/* Where 16 neighbours along k lie in a plane: line by line, and in a line in the order
 * that the tensor cores read without bank conflicts, the "64-byte swizzle". */
static __device__ size_t place(size_t line, size_t k) {
    return line * DEPTH + (k / 16 ^ line / 2 % 4) * 16;
}

/* Pre-pass, first launch. A block either looks for the largest elements in two slices of
 * TILE columns of B, or turns a row of A into digits. n is a multiple of TILE here. */
static __global__ void prepare_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, size_t n, unsigned *largest_b,
                                      signed char *digits_a, line *rows, int *inexact) {
    const size_t x = threadIdx.x, search_blocks = n / TILE * (SLICES / 2);
    unsigned bits = 0; /* of floats without sign have the order of the floats; infinities
                          and NaNs come last */
    if (blockIdx.x < search_blocks) {
        const size_t column = blockIdx.x / (SLICES / 2) * TILE + x % TILE,
                     slice = blockIdx.x % (SLICES / 2) * 2 + x / TILE;
        for (size_t k = slice * 32; k < n; k += SLICES * 32)
#pragma unroll
            for (size_t i = 0; i < 32; i++) /* so many loads at once */
                bits = max(bits, bits_of(b[(k + i) * ldb + column]));
        largest_b[slice * n + column] = bits;
        return;
    }
    extern __shared__ float4 values[]; /* the row */
    __shared__ unsigned largest, squares[DIGITS];
    const size_t row = blockIdx.x - search_blocks;
    if (x == 0)
        largest = squares[0] = squares[1] = squares[2] = 0;
    __syncthreads();
#pragma unroll 4
    for (size_t i = x; i < n / 4; i += SPLIT_THREADS) {
        const float4 quad = *(const float4 *)&a[row * lda + 4 * i];
        values[i] = quad;
        bits = max(max(bits, bits_of(quad.x)),
                   max(bits_of(quad.y), max(bits_of(quad.z), bits_of(quad.w))));
    }
    bits = __reduce_max_sync(~0u, bits);
    if (x % 32 == 0)
        atomicMax(&largest, bits);
    __syncthreads();

    const double scale = line_scale(largest, inexact);
    unsigned square[DIGITS] = {0, 0, 0};
    signed char *digits = digits_a + (row / TILE * (n / DEPTH) * 2 + row / ROWS % 2) *
                                         SLAB_A; /* two slabs of rows */
    for (size_t i = x; i < n / 4; i += SPLIT_THREADS) {
        unsigned word[DIGITS];
        split(&values[i].x, scale, word, square);
        unsigned *to = (unsigned *)(digits + i / (DEPTH / 4) * 2 * SLAB_A +
                                    place(row % ROWS, 4 * i % DEPTH)) +
                       i % 4;
        for (int d = 0; d < DIGITS; d++)
            to[d * (PLANE_A / 4)] = word[d];
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

/* Pre-pass, second launch: turns TILE columns of B into digits, every gridDim.y-th slab.
 * Of TILE x 4 threads, (x, y) has 16 neighbours of column x. */
static __global__ void split_kernel(const float *b, size_t ldb, size_t n,
                                    const unsigned *largest_b, signed char *digits_b,
                                    line *columns, int *inexact) {
    __shared__ uint4 image[SLAB_B / 16]; /* of a slab, as it will be in device memory */
    __shared__ unsigned largest[TILE], squares[DIGITS][TILE];
    __shared__ double scales[TILE];
    const size_t x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x;
    if (y == 0)
        largest[x] = squares[0][x] = squares[1][x] = squares[2][x] = 0;
    __syncthreads();
    unsigned bits = 0;
    for (size_t slice = y; slice < SLICES; slice += 4)
        bits = max(bits, largest_b[slice * n + column]);
    atomicMax(&largest[x], bits);
    __syncthreads();
    if (y == 0)
        scales[x] = line_scale(largest[x], inexact);
    __syncthreads();

    const double scale = scales[x];
    unsigned square[DIGITS] = {0, 0, 0};
    for (size_t slab = blockIdx.y; slab < n / DEPTH; slab += gridDim.y) {
        float value[16];
        unsigned word[4][DIGITS];
#pragma unroll
        for (size_t i = 0; i < 16; i++)
            value[i] = b[(slab * DEPTH + 16 * y + i) * ldb + column];
#pragma unroll
        for (int i = 0; i < 4; i++)
            split(&value[4 * i], scale, word[i], square);
        __syncthreads(); /* nobody needs the image before any more */
        for (int d = 0; d < DIGITS; d++)
            image[(d * PLANE_B + place(x, 16 * y)) / 16] =
                make_uint4(word[0][d], word[1][d], word[2][d], word[3][d]);
        __syncthreads(); /* the image is complete */
        uint4 *digits = (uint4 *)(digits_b + (blockIdx.x * (n / DEPTH) + slab) * SLAB_B);
        for (size_t i = y * TILE + x; i < SLAB_B / 16; i += 4 * TILE)
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

/* The instructions that CUDA C has no word for; PTX ISA, chapters mbarrier, cp.async.bulk
 * and wgmma. */
static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void barrier_init(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

/* One arrival, and so many bytes that copies have to bring before the barrier opens. */
static __device__ void barrier_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* One arrival at the same barrier of one block of the cluster. */
static __device__ void barrier_arrive(uint64_t *barrier, unsigned block) {
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(
                     shared_address(barrier)),
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
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
                 "aligned;" ::
                     : "memory");
}

/* Starts a copy from device memory; the bytes are counted at barrier. */
static __device__ void copy(void *to, const void *from, unsigned bytes,
                            uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

/* The same to that place in both blocks of the cluster, and counted at both barriers. */
static __device__ void copy_to_both(void *to, const void *from, unsigned bytes,
                                    uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)),
                 "h"((unsigned short)3)
                 : "memory");
}

/* All threads of a warp group. */
static __device__ void group_sync(int group) {
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
}

/* How the tensor cores find a plane: its address, 512 bytes from 8 lines to the next,
 * 64-byte swizzle. */
static __device__ uint64_t describe(const void *plane) {
    return shared_address(plane) >> 4 | (uint64_t)(8 * DEPTH >> 4) << 32 |
           (uint64_t)2 << 62;
}

/* Starts sum += A B for 64 x 32 bytes of A and 128 x 32 of B. */
static __device__ void multiply(int (&sum)[64], uint64_t a, uint64_t b) {
#define R4(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, "
                 "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, "
                 "%36, %37, %38, %39, %40, %41, "
                 "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, "
                 "%56, %57, %58, %59, %60, %61, "
                 "%62, %63}, %64, %65, add;\n}"
                 : R16(0), R16(16), R16(32), R16(48)
                 : "l"(a), "l"(b));
#undef R16
#undef R4
}

/* The tile of C of a block, counted in tiles. Pairs of tiles are numbered down BAND rows
 * of pairs, then on to the next column. */
static __device__ void find_tile(int pair, int rank, int pairs_down, int tiles_across,
                                 int *row, int *column) {
    int first = pair / (BAND * tiles_across) * BAND, index = pair % (BAND * tiles_across);
    int in_band = min(BAND, pairs_down - first);
    *row = (first + index % in_band) * PAIR + rank;
    *column = index / in_band;
}

/* Lengths (Euclid's) of the digits of a line, for the bound of the error. */
typedef struct line_info {
    float rounding; /* the length of the errors of rounding, at most sqrt(n) / 2 */
    float all;      /* |X| + rounding / 2, not less */
    float middle;   /* 16 |x1| + |x2| / 32 */
    float low;      /* 16 |x2| */
    double unit;
} line_info;

static __device__ line_info measure(const line &l, int n) {
    float x0 = sqrtf((float)l.square[0]), x1 = sqrtf((float)l.square[1]),
          x2 = sqrtf((float)l.square[2]);
    float rounding = l.unit > 0 ? 0.5f * sqrtf((float)n) : 0;
    return line_info{rounding, 65536 * x0 + 256 * x1 + x2 + rounding, 16 * x1 + x2 / 32,
                     16 * x2, l.unit};
}

/* GROUPS groups multiply, ROWS rows each, one above the other; the last group copies.
 * Both blocks of a cluster need the same digits of B: each loads half of them into the
 * shared memory of both. */
template <int GROUPS>
static __global__ void __cluster_dims__(PAIR, 1, 1)
    __launch_bounds__((GROUPS + 1) * 128, 1)
        matmult_kernel(const signed char *digits_a, const line *rows,
                       const signed char *digits_b, const line *columns, float *c,
                       size_t ldc, int n, int pairs_down, int *inexact) {
    struct stage {
        signed char a[GROUPS][SLAB_A], b[SLAB_B];
    };
    extern __shared__ __align__(1024) unsigned char dynamic[];
    stage *stages = (stage *)dynamic;
    __shared__ uint64_t full[STAGES],
        empty[STAGES]; /* barriers: a stage has arrived; nobody needs it any more */
    __shared__ line_info infos[GROUPS][ROWS + TILE];
    const int group = threadIdx.x / 128, thread = threadIdx.x % 128, warp = thread / 32,
              lane = thread % 32;
    const int rank = blockIdx.x % PAIR, slabs = n / DEPTH, tiles_across = n / TILE,
              pairs = pairs_down * tiles_across;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s],
                         PAIR * GROUPS * 4); /* warps: this block writes into both */
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();

    unsigned step = 0; /* over all tiles; stages are used in turn, and a barrier's parity
                          changes with each turn */
    int tile_row, tile_column;
    if (group == GROUPS) {
        if (GROUPS ==
            2) /* registers that copying does not need, for those who multiply */
            asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (int pair = blockIdx.x / PAIR; thread == 0 && pair < pairs;
             pair += gridDim.x / PAIR) {
            find_tile(pair, rank, pairs_down, tiles_across, &tile_row, &tile_column);
            const int row = tile_row * GROUPS; /* in ROWS */
            const signed char *a =
                digits_a + ((size_t)(row / 2) * slabs * 2 + row % 2) * SLAB_A;
            const signed char *b =
                digits_b + (size_t)tile_column * slabs * SLAB_B + rank * (SLAB_B / PAIR);
            for (int i = 0; i < slabs; i++, step++, a += 2 * SLAB_A, b += SLAB_B) {
                stage *s = &stages[step % STAGES];
                uint64_t *arrived = &full[step % STAGES];
                barrier_wait(&empty[step % STAGES], step / STAGES % 2 ^ 1);
                barrier_expect(arrived, sizeof *s);
                copy(s->a, a, sizeof s->a, arrived);
                copy_to_both(s->b + rank * (SLAB_B / PAIR), b, SLAB_B / PAIR, arrived);
            }
        }
    } else {
        if (GROUPS == 2)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        line_info *info_a = infos[group], *info_b = info_a + ROWS;
        for (int pair = blockIdx.x / PAIR; pair < pairs; pair += gridDim.x / PAIR) {
            find_tile(pair, rank, pairs_down, tiles_across, &tile_row, &tile_column);
            const int row_0 = (tile_row * GROUPS + group) * ROWS,
                      column_0 = tile_column * TILE;
            if (thread < ROWS)
                info_a[thread] = measure(rows[row_0 + thread], n);
            info_b[thread] = measure(columns[column_0 + thread], n);

            int level0[64], level1[64],
                level2[64]; /* this thread's sums of 64 elements */
#pragma unroll
            for (int i = 0; i < 64; i++)
                level0[i] = level1[i] = level2[i] = 0;
            for (int i = 0; i < slabs; i++, step++) {
                stage *s = &stages[step % STAGES];
                const uint64_t a = describe(s->a[group]), b = describe(s->b);
                barrier_wait(&full[step % STAGES], step / STAGES % 2);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int k = 0; k < DEPTH; k += 32) {
                    const uint64_t a0 = a + k / 16, a1 = a0 + PLANE_A / 16,
                                   a2 = a1 + PLANE_A / 16;
                    const uint64_t b0 = b + k / 16, b1 = b0 + PLANE_B / 16,
                                   b2 = b1 + PLANE_B / 16;
                    multiply(level0, a0, b0);
                    multiply(level1, a0, b1);
                    multiply(level1, a1, b0);
                    multiply(level2, a0, b2);
                    multiply(level2, a1, b1);
                    multiply(level2, a2, b0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                if (i > 0) {
                    asm volatile("wgmma.wait_group.sync.aligned 1;" ::
                                     : "memory"); /* the step before is done */
                    if (lane < PAIR)
                        barrier_arrive(&empty[(step - 1) % STAGES], lane);
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (lane < PAIR)
                barrier_arrive(&empty[(step - 1) % STAGES], lane);

            /* The bound of step 10. A thread has two rows of its warp's 16, and of each
             * two columns of every eight. */
            group_sync(group); /* infos are complete */
            int bad = 0;
            float largest = 0;
            const int row = warp * 16 + lane / 4, column = lane % 4 * 2;
            const line_info left[2] = {info_a[row], info_a[row + 8]};
#pragma unroll
            for (int eight = 0; eight < TILE / 8; eight++) {
                const line_info right[2] = {info_b[eight * 8 + column],
                                            info_b[eight * 8 + column + 1]};
#pragma unroll
                for (int half = 0; half < 2; half++) {
                    float value[2];
#pragma unroll
                    for (int i = 0; i < 2; i++) {
                        const int e = 4 * eight + 2 * half + i;
                        const int64_t total = (int64_t)level0[e] * 65536 +
                                              (int64_t)level1[e] * 256 + level2[e];
                        const float bound = left[half].rounding * right[i].all +
                                            left[half].all * right[i].rounding +
                                            left[half].middle * right[i].low +
                                            left[half].low * right[i].middle;
                        bad |= !(bound <= ALLOWED * 65536 * fabsf((float)total));
                        value[i] =
                            (float)((double)total * left[half].unit * right[i].unit);
                        largest = fmaxf(largest, fabsf(value[i]));
                    }
                    *(float2 *)&c[(size_t)(row_0 + row + 8 * half) * ldc + column_0 +
                                  eight * 8 + column] = make_float2(value[0], value[1]);
                }
            }
            if (bad || largest > NEAR_INFINITY)
                *inexact = 1;
            group_sync(group); /* nobody needs infos any more */
        }
    }
    cluster_sync(); /* a block stays as long as the other may write into it */
}
#else /* what the host and every other device see of the kernels */
static __global__ void prepare_kernel(const float *, size_t, const float *, size_t,
                                      size_t, unsigned *, signed char *, line *, int *) {}
static __global__ void split_kernel(const float *, size_t, size_t, const unsigned *,
                                    signed char *, line *, int *) {}
static __global__ void exact_kernel(const float *, size_t, const float *, size_t, float *,
                                    size_t, size_t, const int *) {}
template <int GROUPS>
static __global__ void matmult_kernel(const signed char *, const line *,
                                      const signed char *, const line *, float *, size_t,
                                      int, int, int *) {}
#endif

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int device, major, minor, multiprocessors;
    cudaFuncAttributes built;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    CUDA_CHECK(cudaFuncGetAttributes(&built, matmult_kernel<1>));
    if (major != 9 || minor != 0 ||
        built.sharedSizeBytes == 0) { /* built for another target, the kernel is empty */
        fprintf(stderr, "11_hopper needs a GPU of compute capability 9.0 and a build for "
                        "it (ARCH=sm_90a)\n");
        exit(77);
    }
    double start = wall_seconds();

    /* Below one tile the digits would be slower than double, and above LARGEST_N they
     * would overflow. */
    const int use_digits = n >= TILE && n <= LARGEST_N;
    const size_t padded = ((size_t)n + TILE - 1) / TILE * TILE,
                 tiles = padded / TILE; /* in each direction */
    const size_t pairs_down = (tiles + PAIR - 1) / PAIR,
                 padded_rows = pairs_down * PAIR * TILE;
    const size_t line_digits = use_digits ? DIGITS * padded : 0; /* bytes */
    const size_t largest_bytes = use_digits ? SLICES * padded * sizeof(unsigned) : 0;
    const size_t needed = (2 * padded_rows + padded) * padded * sizeof(float) +
                          (padded_rows + padded) * (line_digits + sizeof(line)) +
                          largest_bytes + sizeof(int);
    size_t free_bytes, total_bytes;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (needed > free_bytes) {
        fprintf(
            stderr,
            "11_hopper: n = %d needs %zu MiB of device memory, and %zu MiB are free\n", n,
            needed >> 20, free_bytes >> 20);
        exit(1);
    }

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    signed char *digits_a, *digits_b;
    line *rows, *columns;
    unsigned *largest_b;
    int *inexact; /* not 0 when digits do not suffice */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded_rows));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded_rows));
    CUDA_CHECK(cudaMalloc(&digits_a, padded_rows * line_digits));
    CUDA_CHECK(cudaMalloc(&digits_b, padded * line_digits));
    CUDA_CHECK(cudaMalloc(&rows, padded_rows * sizeof(line)));
    CUDA_CHECK(cudaMalloc(&columns, padded * sizeof(line)));
    CUDA_CHECK(cudaMalloc(&largest_b, largest_bytes));
    CUDA_CHECK(cudaMalloc(&inexact, sizeof(int)));
    CUDA_CHECK(cudaMemset(
        device_a, 0, pitch_a * padded_rows)); /* no tile leaves the matrices, as in 07 */
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemset(columns, 0, padded * sizeof(line))); /* to be added to */
    CUDA_CHECK(cudaMemset(inexact, !use_digits, sizeof(int)));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    const unsigned row_shared = (unsigned)(padded * sizeof(float));
    const unsigned shared_1 = STAGES * (SLAB_A + SLAB_B),
                   shared_2 = STAGES * (2 * SLAB_A + SLAB_B);
    const cudaFuncAttribute shared_memory = cudaFuncAttributeMaxDynamicSharedMemorySize;
    if (use_digits) {
        CUDA_CHECK(cudaFuncSetAttribute(prepare_kernel, shared_memory, (int)row_shared));
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<1>, shared_memory, (int)shared_1));
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<2>, shared_memory, (int)shared_2));
    }

    kernel_timer timer = start_kernel_timer();
    if (use_digits) {
        prepare_kernel<<<(unsigned)(tiles * (SLICES / 2) + padded_rows), SPLIT_THREADS,
                         row_shared>>>(device_a, pitch_a / sizeof(float), device_b,
                                       pitch_b / sizeof(float), padded, largest_b,
                                       digits_a, rows, inexact);
        CUDA_CHECK(cudaGetLastError());
        split_kernel<<<dim3((unsigned)tiles, 16), dim3(TILE, 4)>>>(
            device_b, pitch_b / sizeof(float), padded, largest_b, digits_b, columns,
            inexact);
        CUDA_CHECK(cudaGetLastError());
        /* Tiles of 128 rows load least; tiles of 64 are better where there would be too
         * few. */
        const unsigned blocks = (unsigned)multiprocessors / PAIR * PAIR;
        if (tiles * tiles >= blocks)
            matmult_kernel<2><<<blocks, 3 * 128, shared_2>>>(
                digits_a, rows, digits_b, columns, device_c, pitch_c / sizeof(float),
                (int)padded, (int)pairs_down, inexact);
        else
            matmult_kernel<1><<<blocks, 2 * 128, shared_1>>>(
                digits_a, rows, digits_b, columns, device_c, pitch_c / sizeof(float),
                (int)padded, (int)tiles, inexact);
        CUDA_CHECK(cudaGetLastError());
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
    CUDA_CHECK(cudaFree(largest_b));
    CUDA_CHECK(cudaFree(inexact));
    result.total = wall_seconds() - start;
    return result;
}
