/* 15_hopper - the slices of step 14 through what Hopper adds: TMA bulk copies that arrive
 * at a barrier (mbarrier), asynchronous products that 128 threads start together (wgmma),
 * and clusters of two blocks that share what they load (multicast).
 *
 * Slices, error bound and so every bit of the result are those of step 14: X = 65536 x0 +
 * 256 x1 + x2 for each element, six products of slices in three levels, and double where
 * the bound does not hold. New are the way to the tensor cores, and a prologue of two
 * kernels, which reads B along its rows.
 *
 * Launch: one block for each SM, in clusters of two, which take tiles of C in turn. Of a
 * block's warpgroups (128 threads each), one is the producer, which only starts copies;
 * one or two are consumers, which multiply. Chapter: docs/15_hopper.md
 *
 *     make 15_hopper && ./15_hopper/run */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <stdint.h>

enum {
    TILE = 128,          /* rows and columns are padded to a multiple of it */
    BN = TILE,           /* columns of C in a block */
    WG_M = TILE / 2,     /* rows of C in a consumer warpgroup */
    BK = 64,             /* k in one stage */
    SLICES = 3,          /* of an element */
    STAGES = 4,          /* of shared memory: so many tiles can be on their way */
    SLICE_A = WG_M * BK, /* bytes of one slice in a stage */
    SLICE_B = BN * BK,
    STAGE_A = SLICES * SLICE_A, /* all slices, contiguous in device memory too */
    STAGE_B = SLICES * SLICE_B,
    PAIR = 2,          /* blocks of a cluster, whose tiles are one above the other */
    SWIZZLE_ROWS = 8,  /* rows of pairs in the tile swizzle: their slices stay in L2 */
    SEARCH_PARTS = 32, /* of a column, searched for its largest element in parallel */
    SPLIT_THREADS = 256,
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128 * 128) n < 2^31 */
};

/* Of a vector, a row of A or a column of B: the sums of its slices' squares, and the unit
 * of the result, the operand's value where X = 256. */
typedef struct vector_sums {
    unsigned square[SLICES];
    double unit;
} vector_sums;

/* Of the tolerance of 1e-6; the rest is for rounding the result to float. */
static const float ALLOWED = 0.85e-6f;
/* Beyond it an error of 1e-6 may decide whether a float can hold the result. */
static const float NEAR_INFINITY = 0x1.ffffp127f;

/* What a vector is multiplied by before it is rounded: an integer up to 254 times a power
 * of two, so that small integers stay exact. largest has the bits of its largest element,
 * without the sign. */
static __device__ double vector_scale(unsigned largest, int *inexact) {
    if (largest >= 0x7f800000)
        *inexact = 1; /* slices cannot hold an infinity or a NaN */
    if (largest == 0 || largest >= 0x7f800000)
        return 0;
    int exponent;
    double fraction = frexp((double)__uint_as_float(largest), &exponent);
    return ldexp(floor(127 / fraction), 16 - exponent);
}

static __device__ double vector_unit(double scale) { return scale > 0 ? 256 / scale : 0; }

static __device__ unsigned bits_of(float value) {
    return __float_as_uint(value) & 0x7fffffff;
}

/* Splits four neighbours along k: slice d of value i becomes byte i of word[d]. Adds
 * their squares to square. */
static __device__ void split(const float *value, double scale, unsigned *word,
                             unsigned *square) {
    unsigned x[4];
    /* Adding 1.5 * 2^52 rounds to an integer, the sum's last bits. */
    for (int i = 0; i < 4; i++)
        x[i] = (unsigned)__double_as_longlong(fma((double)value[i], scale, 0x1.8p52)) +
               0x808080;
    /* Each byte of x is 128 too large, so that taking them away never borrows. Gathers
     * pairs of bytes, then all four: */
    unsigned low_01 = __byte_perm(x[0], x[1], 0x5140),
             low_23 = __byte_perm(x[2], x[3], 0x5140);
    unsigned high_01 = __byte_perm(x[0], x[1], 0x0062),
             high_23 = __byte_perm(x[2], x[3], 0x0062);
    word[0] = __byte_perm(high_01, high_23, 0x5410) ^ 0x80808080;
    word[1] = __byte_perm(low_01, low_23, 0x7632) ^ 0x80808080;
    word[2] = __byte_perm(low_01, low_23, 0x5410) ^ 0x80808080;
    for (int d = 0; d < SLICES; d++)
        square[d] = (unsigned)__dp4a((int)word[d], (int)word[d], (int)square[d]);
}

/* Where 16 neighbours along k lie in a slice of a stage: vector after vector, and within
 * a vector in the order that tensor cores read without bank conflicts, the 64-byte
 * swizzle: the 16-byte segment's number XOR two bits of the vector's. */
static __device__ size_t swizzled_offset(size_t vector, size_t k) {
    return vector * BK + (k / 16 ^ vector / 2 % 4) * 16;
}

/* Prologue, first kernel. A block either finds the largest elements in two parts of TILE
 * columns of B, or splits a row of A into slices. n is a multiple of TILE here. */
static __global__ void prepare_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, size_t n, unsigned *largest_b,
                                      signed char *slices_a, vector_sums *rows,
                                      int *inexact) {
    const size_t x = threadIdx.x, search_blocks = n / TILE * (SEARCH_PARTS / 2);
    unsigned bits =
        0; /* without the sign, in the floats' order; infinities and NaNs last */
    if (blockIdx.x < search_blocks) {
        const size_t column = blockIdx.x / (SEARCH_PARTS / 2) * TILE + x % TILE,
                     part = blockIdx.x % (SEARCH_PARTS / 2) * 2 + x / TILE;
        for (size_t k = part * 32; k < n; k += SEARCH_PARTS * 32)
#pragma unroll
            for (size_t i = 0; i < 32; i++) /* 32 loads in flight */
                bits = max(bits, bits_of(b[(k + i) * ldb + column]));
        largest_b[part * n + column] = bits;
        return;
    }
    extern __shared__ float4 values[]; /* the row */
    __shared__ unsigned largest, squares[SLICES];
    const size_t row = blockIdx.x - search_blocks;
    if (x < SLICES)
        squares[x] = 0;
    else if (x == SLICES)
        largest = 0;
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

    const double scale = vector_scale(largest, inexact);
    unsigned square[SLICES] = {0, 0, 0};
    signed char *slices = slices_a + (row / TILE * (n / BK) * 2 + row / WG_M % 2) *
                                         STAGE_A; /* of two warpgroups */
    for (size_t i = x; i < n / 4; i += SPLIT_THREADS) {
        unsigned word[SLICES];
        const float4 quad = values[i];
        split(&quad.x, scale, word, square);
        unsigned *to = (unsigned *)(slices + i / (BK / 4) * 2 * STAGE_A +
                                    swizzled_offset(row % WG_M, 4 * i % BK)) +
                       i % 4;
        for (int d = 0; d < SLICES; d++)
            to[d * (SLICE_A / 4)] = word[d];
    }
    for (int d = 0; d < SLICES; d++) {
        square[d] = __reduce_add_sync(~0u, square[d]);
        if (x % 32 == 0)
            atomicAdd(&squares[d], square[d]);
    }
    __syncthreads();
    if (x == 0) {
        const vector_sums sums = {{squares[0], squares[1], squares[2]},
                                  vector_unit(scale)};
        rows[row] = sums;
    }
}

/* Prologue, second kernel: splits TILE columns of B into slices, every gridDim.y-th tile
 * of BK rows. Of TILE x 4 threads, (x, y) has 16 neighbours of column x. */
static __global__ void split_kernel(const float *b, size_t ldb, size_t n,
                                    const unsigned *largest_b, signed char *slices_b,
                                    vector_sums *columns, int *inexact) {
    __shared__ uint4 image[STAGE_B / 16]; /* of a tile, as device memory will have it */
    __shared__ unsigned largest[TILE], squares[SLICES][TILE];
    __shared__ double scales[TILE];
    const size_t x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x;
    if (y == 0) {
        largest[x] = 0;
        for (int d = 0; d < SLICES; d++)
            squares[d][x] = 0;
    }
    __syncthreads();
    unsigned bits = 0;
    for (size_t part = y; part < SEARCH_PARTS; part += 4)
        bits = max(bits, largest_b[part * n + column]);
    atomicMax(&largest[x], bits);
    __syncthreads();
    if (y == 0)
        scales[x] = vector_scale(largest[x], inexact);
    __syncthreads();

    const double scale = scales[x];
    unsigned square[SLICES] = {0, 0, 0};
    for (size_t k_tile = blockIdx.y; k_tile < n / BK; k_tile += gridDim.y) {
        float value[16];
        unsigned word[4][SLICES];
#pragma unroll
        for (size_t i = 0; i < 16; i++)
            value[i] = b[(k_tile * BK + 16 * y + i) * ldb + column];
#pragma unroll
        for (int i = 0; i < 4; i++)
            split(&value[4 * i], scale, word[i], square);
        __syncthreads(); /* nobody needs the last image any more */
        for (int d = 0; d < SLICES; d++)
            image[(d * SLICE_B + swizzled_offset(x, 16 * y)) / 16] =
                make_uint4(word[0][d], word[1][d], word[2][d], word[3][d]);
        __syncthreads(); /* the image is complete */
        uint4 *slices = (uint4 *)(slices_b + (blockIdx.x * (n / BK) + k_tile) * STAGE_B);
        for (size_t i = y * TILE + x; i < STAGE_B / 16; i += 4 * TILE)
            slices[i] = image[i];
    }
    for (int d = 0; d < SLICES; d++)
        atomicAdd(&squares[d][x], square[d]);
    __syncthreads();
    if (y < SLICES)
        atomicAdd(&columns[column].square[y], squares[y][x]);
    else if (blockIdx.y == 0)
        columns[column].unit = vector_unit(scale);
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

/* Instructions that CUDA C does not have: PTX ISA, chapters mbarrier, cp.async.bulk and
 * wgmma. */
static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ void init_barrier(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(arrivals)
                 : "memory");
}

/* Arrives at the barrier, which opens once copies have brought so many bytes. */
static __device__ void expect_bytes(uint64_t *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                     shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

/* Arrives at this barrier in one block of the cluster. */
static __device__ void arrive_at_barrier(uint64_t *barrier, unsigned block) {
    asm volatile("{\n.reg .b32 remote;\n"
                 "mapa.shared::cluster.u32 remote, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [remote];\n}" ::"r"(
                     shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

static __device__ void wait_for_barrier(uint64_t *barrier, unsigned parity) {
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

static __device__ void sync_cluster() {
    asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire."
                 "aligned;" ::
                     : "memory");
}

/* Starts a TMA bulk copy from device memory; barrier counts its bytes. */
static __device__ void start_bulk_copy(void *to, const void *from, unsigned bytes,
                                       uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier))
                 : "memory");
}

/* The same with multicast: to this address in both blocks of the cluster, and counted by
 * the barrier of each. */
static __device__ void start_multicast_copy(void *to, const void *from, unsigned bytes,
                                            uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes."
                 "multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)),
                 "h"((unsigned short)3)
                 : "memory");
}

/* Waits for all threads of a warpgroup. */
static __device__ void sync_warpgroup(int warpgroup) {
    asm volatile("bar.sync %0, 128;" ::"r"(warpgroup + 1) : "memory");
}

/* The matrix descriptor of a slice in shared memory, for wgmma: its address, 512 bytes
 * from 8 vectors to the next 8, 64-byte swizzle. */
static __device__ uint64_t make_descriptor(const void *slice) {
    return shared_address(slice) >> 4 | (uint64_t)(8 * BK >> 4) << 32 | (uint64_t)2 << 62;
}

/* Starts sum += A B for 64 x 32 elements of A and 128 x 32 of B. */
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

/* Which tile of C a block has, counted in tiles. Tile swizzle: pairs of tiles go down
 * SWIZZLE_ROWS rows of pairs, then on to the next column. */
static __device__ void find_tile(int pair, int rank, int pairs_down, int tiles_across,
                                 int *row, int *column) {
    int first = pair / (SWIZZLE_ROWS * tiles_across) * SWIZZLE_ROWS,
        index = pair % (SWIZZLE_ROWS * tiles_across);
    int rows_here = min(SWIZZLE_ROWS, pairs_down - first);
    *row = (first + index % rows_here) * PAIR + rank;
    *column = index / rows_here;
}

/* Lengths (Euclid's) of a vector's slices, for the error bound; see step 14. */
typedef struct vector_info {
    float rounding; /* of the rounding errors: sqrt(n) / 2 at most */
    float all;      /* at least |X| + rounding / 2 */
    float middle;   /* 16 |x1| + |x2| / 32 */
    float low;      /* 16 |x2| */
    double unit;
} vector_info;

static __device__ vector_info measure(const vector_sums *vector, int n) {
    const vector_sums sums = *vector;
    float x0 = sqrtf((float)sums.square[0]), x1 = sqrtf((float)sums.square[1]),
          x2 = sqrtf((float)sums.square[2]);
    float rounding = sums.unit > 0 ? 0.5f * sqrtf((float)n) : 0;
    return vector_info{rounding, 65536 * x0 + 256 * x1 + x2 + rounding, 16 * x1 + x2 / 32,
                       16 * x2, sums.unit};
}

/* CONSUMERS warpgroups multiply, WG_M rows each, one above the other; the last warpgroup
 * is the producer. Both blocks of a cluster need the same slices of B: each loads half of
 * them into the shared memory of both. */
template <int CONSUMERS>
static __global__ void __cluster_dims__(PAIR, 1, 1)
    __launch_bounds__((CONSUMERS + 1) * 128, 1)
        matmult_kernel(const signed char *slices_a, const vector_sums *rows,
                       const signed char *slices_b, const vector_sums *columns, float *c,
                       size_t ldc, int n, int pairs_down, int *inexact) {
    struct stage {
        signed char a[CONSUMERS][STAGE_A], b[STAGE_B];
    };
    extern __shared__ __align__(1024) unsigned char dynamic[];
    stage *stages = (stage *)dynamic;
    __shared__ uint64_t full[STAGES], empty[STAGES]; /* barriers: has arrived; is free */
    __shared__ vector_info infos[CONSUMERS][WG_M + BN];
    const int warpgroup = threadIdx.x / 128, thread = threadIdx.x % 128,
              warp = thread / 32, lane = thread % 32;
    const int rank = blockIdx.x % PAIR, k_tiles = n / BK, tiles_across = n / BN,
              pairs = pairs_down * tiles_across;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            init_barrier(&full[s], 1);
            init_barrier(&empty[s], PAIR * CONSUMERS * 4); /* warps of both blocks */
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    sync_cluster();

    /* Counts the stages in use, over all tiles. A stage's barriers change their parity
     * each time it is used again; before the first time the other parity counts as done.
     */
    unsigned turn = 0;
    int tile_row, tile_column;
    if (warpgroup == CONSUMERS) {
        if (CONSUMERS == 2) /* the producer's registers, for the consumers */
            asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (int pair = blockIdx.x / PAIR; thread == 0 && pair < pairs;
             pair += gridDim.x / PAIR) {
            find_tile(pair, rank, pairs_down, tiles_across, &tile_row, &tile_column);
            const int row = tile_row * CONSUMERS; /* in WG_M */
            const signed char *a =
                slices_a + ((size_t)(row / 2) * k_tiles * 2 + row % 2) * STAGE_A;
            const signed char *b = slices_b + (size_t)tile_column * k_tiles * STAGE_B +
                                   rank * (STAGE_B / PAIR);
            for (int i = 0; i < k_tiles; i++, turn++, a += 2 * STAGE_A, b += STAGE_B) {
                stage *s = &stages[turn % STAGES];
                uint64_t *arrived = &full[turn % STAGES];
                const unsigned parity = turn / STAGES % 2, last_parity = parity ^ 1;
                wait_for_barrier(&empty[turn % STAGES], last_parity);
                expect_bytes(arrived, sizeof *s);
                start_bulk_copy(s->a, a, sizeof s->a, arrived);
                start_multicast_copy(s->b + rank * (STAGE_B / PAIR), b, STAGE_B / PAIR,
                                     arrived);
            }
        }
    } else {
        if (CONSUMERS == 2)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        vector_info *info_a = infos[warpgroup], *info_b = info_a + WG_M;
        for (int pair = blockIdx.x / PAIR; pair < pairs; pair += gridDim.x / PAIR) {
            find_tile(pair, rank, pairs_down, tiles_across, &tile_row, &tile_column);
            const int row_0 = (tile_row * CONSUMERS + warpgroup) * WG_M,
                      column_0 = tile_column * BN;
            const vector_info left_info = measure(&rows[row_0 + thread % WG_M], n),
                              right_info = measure(&columns[column_0 + thread], n);
            if (thread < WG_M)
                info_a[thread] = left_info;
            info_b[thread] = right_info;

            int level0[64], level1[64], level2[64]; /* sums of this thread's elements */
#pragma unroll
            for (int i = 0; i < 64; i++)
                level0[i] = level1[i] = level2[i] = 0;
            for (int i = 0; i < k_tiles; i++, turn++) {
                stage *s = &stages[turn % STAGES];
                const uint64_t a = make_descriptor(s->a[warpgroup]),
                               b = make_descriptor(s->b);
                const unsigned parity = turn / STAGES % 2;
                wait_for_barrier(&full[turn % STAGES], parity);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int k = 0; k < BK; k += 32) {
                    const uint64_t a0 = a + k / 16, a1 = a0 + SLICE_A / 16,
                                   a2 = a1 + SLICE_A / 16;
                    const uint64_t b0 = b + k / 16, b1 = b0 + SLICE_B / 16,
                                   b2 = b1 + SLICE_B / 16;
                    multiply(level0, a0, b0);
                    multiply(level1, a0, b1);
                    multiply(level1, a1, b0);
                    multiply(level2, a0, b2);
                    multiply(level2, a1, b1);
                    multiply(level2, a2, b0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                if (i > 0) { /* until the products of the stage before are done */
                    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
                    if (lane < PAIR)
                        arrive_at_barrier(&empty[(turn - 1) % STAGES], lane);
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (lane < PAIR)
                arrive_at_barrier(&empty[(turn - 1) % STAGES], lane);

            /* The error bound of step 14. A thread has two of its warp's 16 rows, and in
             * each two of every eight columns. */
            sync_warpgroup(warpgroup); /* infos are complete */
            int bad = 0;
            float largest = 0;
            const int row = warp * 16 + lane / 4, column = lane % 4 * 2;
            const vector_info left[2] = {info_a[row], info_a[row + 8]};
#pragma unroll
            for (int eight = 0; eight < BN / 8; eight++) {
                const vector_info right[2] = {info_b[eight * 8 + column],
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
            sync_warpgroup(warpgroup); /* nobody needs infos any more */
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int device, major, minor, sm_count;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, device));
    if (major != 9 || minor != 0) {
        fprintf(stderr, "15_hopper needs a GPU of compute capability 9.0\n");
        exit(77);
    }
    double start = wall_seconds();

    /* Below one tile slices are slower than double; above LARGEST_N a level could
     * overflow. */
    const int use_slices = n >= TILE && n <= LARGEST_N;
    const size_t padded = ((size_t)n + TILE - 1) / TILE * TILE,
                 tiles = padded / TILE; /* in each direction */
    const size_t pairs_down = (tiles + PAIR - 1) / PAIR,
                 padded_rows = pairs_down * PAIR * TILE;
    const size_t vector_bytes = use_slices ? SLICES * padded : 0; /* bytes */
    const size_t largest_bytes =
        use_slices ? SEARCH_PARTS * padded * sizeof(unsigned) : 0;
    const size_t needed = (2 * padded_rows + padded) * padded * sizeof(float) +
                          (padded_rows + padded) * (vector_bytes + sizeof(vector_sums)) +
                          largest_bytes + sizeof(int);
    size_t free_bytes, total_bytes;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (needed > free_bytes) {
        fprintf(
            stderr,
            "15_hopper: n = %d needs %zu MiB of device memory, and %zu MiB are free\n", n,
            needed >> 20, free_bytes >> 20);
        exit(1);
    }

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    signed char *slices_a, *slices_b;
    vector_sums *rows, *columns;
    unsigned *largest_b;
    int *inexact; /* not 0 where slices are not exact enough */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded_rows));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded_rows));
    CUDA_CHECK(cudaMalloc(&slices_a, padded_rows * vector_bytes));
    CUDA_CHECK(cudaMalloc(&slices_b, padded * vector_bytes));
    CUDA_CHECK(cudaMalloc(&rows, padded_rows * sizeof(vector_sums)));
    CUDA_CHECK(cudaMalloc(&columns, padded * sizeof(vector_sums)));
    CUDA_CHECK(cudaMalloc(&largest_b, largest_bytes));
    CUDA_CHECK(cudaMalloc(&inexact, sizeof(int)));
    CUDA_CHECK(cudaMemset(
        device_a, 0,
        pitch_a * padded_rows)); /* no tile passes the matrices' edge, as in 07 */
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemset(columns, 0,
                          padded * sizeof(vector_sums))); /* the prologue adds to them */
    CUDA_CHECK(cudaMemset(inexact, !use_slices, sizeof(int)));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    const unsigned row_shared = (unsigned)(padded * sizeof(float));
    const unsigned shared_1 = STAGES * (STAGE_A + STAGE_B),
                   shared_2 = STAGES * (2 * STAGE_A + STAGE_B);
    const cudaFuncAttribute shared_memory = cudaFuncAttributeMaxDynamicSharedMemorySize;
    if (use_slices) {
        CUDA_CHECK(cudaFuncSetAttribute(prepare_kernel, shared_memory, (int)row_shared));
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<1>, shared_memory, (int)shared_1));
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<2>, shared_memory, (int)shared_2));
    }

    kernel_timer timer = start_kernel_timer();
    if (use_slices) {
        prepare_kernel<<<(unsigned)(tiles * (SEARCH_PARTS / 2) + padded_rows),
                         SPLIT_THREADS, row_shared>>>(
            device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float), padded,
            largest_b, slices_a, rows, inexact);
        CUDA_CHECK(cudaGetLastError());
        split_kernel<<<dim3((unsigned)tiles, 16), dim3(TILE, 4)>>>(
            device_b, pitch_b / sizeof(float), padded, largest_b, slices_b, columns,
            inexact);
        CUDA_CHECK(cudaGetLastError());
        /* Two consumers load less for each element; one gives twice as many tiles, where
         * there are few. */
        const unsigned blocks = (unsigned)sm_count / PAIR * PAIR;
        if (tiles * tiles >= blocks)
            matmult_kernel<2><<<blocks, 3 * 128, shared_2>>>(
                slices_a, rows, slices_b, columns, device_c, pitch_c / sizeof(float),
                (int)padded, (int)pairs_down, inexact);
        else
            matmult_kernel<1><<<blocks, 2 * 128, shared_1>>>(
                slices_a, rows, slices_b, columns, device_c, pitch_c / sizeof(float),
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
    CUDA_CHECK(cudaFree(largest_b));
    CUDA_CHECK(cudaFree(inexact));
    result.total = wall_seconds() - start;
    return result;
}
