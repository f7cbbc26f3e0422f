/* 11_hopper - the exact digits of step 10 on what Hopper adds: bulk copies that arrive at a barrier, matrix products that
 * a warp group of 128 threads starts and that run by themselves, blocks in pairs that share what they load.
 *
 * Each row of A and column of B is scaled by a power of two and cut into three signed digits of 8 bits, so that a value is
 * d0 2^16 + d1 2^8 + d2 units. Six of the nine products of digits matter; their sums are integers, hence exact, and equal
 * in every order. Every element is certified against 1e-6 at the end; where that fails, the product is done in double.
 *
 * Launch: one block for each multiprocessor, in clusters of two, which take tiles of C in turn; a warp group that only
 * starts copies, and one or two that multiply, 64 x 128 elements of C each. Chapter: docs/11_hopper.md */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <stdint.h>

enum {
    DIGITS = 3,
    K_BLOCK = 64,     /* values along k that are loaded at once, a byte for each of their digits */
    A_ROWS = 64,      /* of a warp group's part of a tile */
    B_COLUMNS = 128,  /* of a tile */
    A_PLANE = A_ROWS * K_BLOCK, B_PLANE = B_COLUMNS * K_BLOCK, /* bytes of one digit */
    A_BLOCK = DIGITS * A_PLANE, B_BLOCK = DIGITS * B_PLANE,    /* bytes, contiguous in device memory */
    STAGES = 4,       /* blocks of k under way or in use */
    PAIR = 2,         /* thread blocks in a cluster: two tiles, one above the other, that need the same block of B */
    BAND = 8,         /* pairs of tile rows that are walked together, so that their digits stay in the L2 cache */
    SLICES = 16,      /* of B, whose largest elements are looked for at once */
    SMALLEST = 64,    /* n below which nothing is gained */
    LARGEST = 43690,  /* n up to which 3 n 128 128 < 2^31: no sum of digit products overflows */
    BOUND_UNIT = 4096
};

/* A row of A or a column of B: what its digits are worth, and how much error they bring (see certified()). */
struct line {
    float unit;     /* of the last digit; a NaN where the line cannot be cut: not finite, or too small */
    float fine;     /* 0: the first two digits hold every value; 1: they do not; a NaN like unit */
    unsigned bound; /* in BOUND_UNITs */
};

/* The unit of a line whose largest positive and negative elements have these bits (the sign left out, 0 for none). Digits
 * reach from -0x808080 to 0x7f7f7f units, so the larger side is made the negative one, by a negative unit. */
static __device__ float line_unit(int positive, int negative) {
    int large = max(positive, negative), small = min(positive, negative);
    if (large == 0)
        return 1;
    int exponent = (large + 0x7fffff) >> 23; /* of the power of two that large does not exceed, as a float stores it */
    if (large >= 0x7f800000 || exponent <= 23)
        return NAN;
    float unit = __int_as_float((exponent - 23) << 23);
    if (__int_as_float(small) > 0x7f7f7f * unit)
        unit *= 2;
    return positive > negative ? -unit : unit;
}

/* Cuts four values; digit p of value i becomes byte i of plane[p]. Adds to the line's bound and fineness. */
static __device__ void split(const float *value, float unit, unsigned *plane, unsigned *bound, int *fine) {
    unsigned sum = 0;
    plane[0] = plane[1] = plane[2] = 0;
    for (int i = 0; i < 4; i++) {
        int whole = __float2int_rn(value[i] * (1 / unit)); /* a power of two: exact but for the rounding to an integer */
        int rounded = (float)whole * unit != value[i];
        int digit2 = (signed char)whole, rest = (whole - digit2) >> 8;
        int digit1 = (signed char)rest, digit0 = (rest - digit1) >> 8;
        plane[0] |= (unsigned)(digit0 & 255) << 8 * i;
        plane[1] |= (unsigned)(digit1 & 255) << 8 * i;
        plane[2] |= (unsigned)(digit2 & 255) << 8 * i;
        sum += (unsigned)(abs(whole) + rounded + 1) / 2 + 128 * 256 * (unsigned)abs(digit1) + 64 * (unsigned)abs(digit2);
        *fine |= rounded | digit2;
    }
    *bound += (sum + BOUND_UNIT - 1) / BOUND_UNIT;
}

/* Is |product| (in units of 2^16 a.unit b.unit) so large that its error is at most 1e-6 of (|A| |B|)_ij >= |product|?
 *
 * In units: a value x is X + e, |e| <= 1/2, X = 2^16 d0 + 2^8 d1 + d2, |d1|, |d2| <= 128. What is left out of sum x y is
 * sum (e |Y| + e' |X| + e e'), at most sum (|Y| + |X| + 1/2) / 2, and 2^8 sum (d1 d2' + d2 d1') + sum d2 d2', at most
 * 128 sum (2^8 |d1| + |d2| / 2) for either line. So each line has its share, kept in bound, and the error is at most
 * bound_a + bound_b; the share of a line counts only if the other line has something in e or d2. 6e-8 of the 1e-6 is the
 * last rounding; 1.1e6 > 1 / (1e-6 - 6e-8) also covers the roundings here. False where a NaN takes part. */
static __device__ bool certified(long long product, const line &a, const line &b) {
    float error = b.fine * (float)a.bound + a.fine * (float)b.bound;
    return fabsf((float)product) >= 1.1e6f * BOUND_UNIT / 65536 * error;
}

/* Offset of 16 bytes of one digit in its plane: row by row, and within a row in the order that the tensor cores read
 * without bank conflicts ("64-byte swizzle"). part is k / 16 in the block, row a row of A or a column of B. */
static __device__ size_t swizzled(size_t row, size_t part) { return row * K_BLOCK + (part ^ (row / 2 % 4)) * 16; }

/* Pre-pass 1, 128 threads. The first blocks look for the largest elements of 128 columns of B in one of SLICES; each of
 * the others cuts a row of A, whose rows_a is padded, with zeros. */
static __global__ void prepareKernel(const float *a, size_t lda, const float *b, size_t ldb, size_t n, size_t k_blocks,
                                     size_t columns_b, int2 *extremes, signed char *digits_a, line *line_a, line *line_b,
                                     int *redo) {
    size_t column_blocks = columns_b / 128 * SLICES;
    if (blockIdx.x < column_blocks) {
        size_t column = blockIdx.x / SLICES * 128 + threadIdx.x, slice = blockIdx.x % SLICES;
        int positive = 0, negative = 0; /* as integers, the bits of floats of one sign are in order, a NaN the largest */
        if (column < n) {
#pragma unroll 16
            for (size_t k = slice * n / SLICES; k < (slice + 1) * n / SLICES; k++) {
                int bits = __float_as_int(b[k * ldb + column]);
                positive = max(positive, bits);
                negative = max(negative, bits ^ (int)0x80000000);
            }
        }
        extremes[slice * columns_b + column] = make_int2(positive, negative);
        if (slice == 0)
            line_b[column] = line{1, 0, 0}; /* to be added to */
        if (blockIdx.x == 0 && threadIdx.x == 0)
            *redo = n < SMALLEST || n > LARGEST;
        return;
    }
    __shared__ int largest[2];
    __shared__ unsigned bounds;
    size_t row = blockIdx.x - column_blocks, x = threadIdx.x;
    if (x == 0)
        largest[0] = largest[1] = 0, bounds = 0;
    __syncthreads();
    int positive = 0, negative = 0;
    for (size_t k = x; row < n && k < n; k += 128) {
        int bits = __float_as_int(a[row * lda + k]);
        positive = max(positive, bits);
        negative = max(negative, bits ^ (int)0x80000000);
    }
    atomicMax(&largest[0], positive);
    atomicMax(&largest[1], negative);
    __syncthreads();
    float unit = line_unit(largest[0], largest[1]);
    unsigned bound = 0;
    int fine = 0;
    signed char *block = digits_a + row / A_ROWS * k_blocks * A_BLOCK;
    for (size_t k = 4 * x; k < k_blocks * K_BLOCK; k += 4 * 128) {
        float value[4] = {0, 0, 0, 0};
        unsigned plane[DIGITS];
        if (row < n && k + 4 <= n) {
            float4 four = *(const float4 *)&a[row * lda + k];
            value[0] = four.x, value[1] = four.y, value[2] = four.z, value[3] = four.w;
        } else if (row < n) {
            for (size_t i = 0; k + i < n; i++)
                value[i] = a[row * lda + k + i];
        }
        split(value, unit, plane, &bound, &fine);
        signed char *place = block + k / K_BLOCK * A_BLOCK + swizzled(row % A_ROWS, k % K_BLOCK / 16) + k % 16;
        for (int p = 0; p < DIGITS; p++)
            *(unsigned *)(place + p * A_PLANE) = plane[p];
    }
    atomicAdd(&bounds, bound);
    fine = __syncthreads_or(fine);
    if (x == 0)
        line_a[row] = line{unit, unit == unit ? (float)(fine != 0) : NAN, bounds};
}

/* Pre-pass 2, 4 x 128 threads: cuts 128 columns x 64 rows of B. Thread (x, y) takes 16 values of column x. */
static __global__ void splitKernel(const float *b, size_t ldb, size_t n, size_t k_blocks, size_t columns_b,
                                   const int2 *extremes, signed char *digits_b, line *line_b) {
    __shared__ uint4 image[B_BLOCK / 16]; /* as it will be in device memory */
    __shared__ int positive[B_COLUMNS], negative[B_COLUMNS], fines[B_COLUMNS];
    __shared__ unsigned bounds[B_COLUMNS];
    size_t x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * B_COLUMNS + x, k = blockIdx.y * K_BLOCK + 16 * y;
    if (y == 0)
        positive[x] = negative[x] = fines[x] = 0, bounds[x] = 0;
    float value[16];
    for (size_t i = 0; i < 16; i++)
        value[i] = k + i < n && column < n ? b[(k + i) * ldb + column] : 0;
    __syncthreads();
    for (size_t slice = y; slice < SLICES; slice += 4) {
        int2 extreme = extremes[slice * columns_b + column];
        atomicMax(&positive[x], extreme.x);
        atomicMax(&negative[x], extreme.y);
    }
    __syncthreads();
    float unit = line_unit(positive[x], negative[x]);
    unsigned plane[4][DIGITS], bound = 0;
    int fine = 0;
    for (int i = 0; i < 4; i++)
        split(&value[4 * i], unit, plane[i], &bound, &fine);
    for (int p = 0; p < DIGITS; p++)
        image[(p * B_PLANE + swizzled(x, y)) / 16] = make_uint4(plane[0][p], plane[1][p], plane[2][p], plane[3][p]);
    atomicAdd(&bounds[x], bound);
    if (fine)
        fines[x] = 1;
    __syncthreads();
    uint4 *block = (uint4 *)(digits_b + (blockIdx.x * k_blocks + blockIdx.y) * B_BLOCK);
    for (size_t i = y * B_COLUMNS + x; i < B_BLOCK / 16; i += 4 * B_COLUMNS)
        block[i] = image[i];
    if (y != 0)
        return;
    atomicAdd(&line_b[column].bound, bounds[x]);
    if (fines[x] || unit != unit)
        line_b[column].fine = unit == unit ? 1 : NAN; /* every block that writes writes the same */
    if (blockIdx.y == 0)
        line_b[column].unit = unit;
}

/* C in double, as the reference sums it, where the digits do not hold it. 16 x 16 threads, 4 x 4 elements each. */
static __global__ void __launch_bounds__(256) fallbackKernel(const float *a, size_t lda, const float *b, size_t ldb,
                                                              float *c, size_t ldc, size_t n, const int *redo) {
    __shared__ double tile_a[16][64 + 1], tile_b[16][64];
    if (*redo == 0)
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

#ifdef __CUDA_ARCH_FEAT_SM90_ALL
#define CLUSTER __cluster_dims__(PAIR, 1, 1)

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
                 "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];\n}" ::"r"(shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

static __device__ void barrier_wait(uint64_t *barrier, unsigned parity) {
    unsigned open;
    do
        asm volatile("{\n.reg .pred open;\n"
                     "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 open, [%1], %2;\n"
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

/* The same to every block of the cluster, at the same place, with their barriers. */
static __device__ void copy_to_pair(void *to, const void *from, unsigned bytes, uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, "
                 "[%3], %4;" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)), "h"((unsigned short)((1 << PAIR) - 1))
                 : "memory");
}

/* How the tensor cores find a plane: its address, 512 bytes from 8 rows to the next, 64-byte swizzle. */
static __device__ uint64_t describe(const void *plane) {
    return shared_address(plane) >> 4 | (uint64_t)(8 * K_BLOCK >> 4) << 32 | (uint64_t)2 << 62;
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
#else
#define CLUSTER
#endif

/* GROUPS warp groups multiply, one above the other: a tile of GROUPS 64 x 128. Tiles come in pairs, one above the other,
 * for the two blocks of a cluster; the pairs are walked in bands of BAND rows of pairs, column by column. */
template <int GROUPS>
static __global__ void CLUSTER __launch_bounds__((GROUPS + 1) * 128, 1)
    matmultKernel(const signed char *digits_a, const signed char *digits_b, const line *line_a, const line *line_b, float *c,
                  size_t ldc, int n, int k_blocks, int pair_rows, int tile_columns, int *redo) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    struct stage {
        signed char a[GROUPS][A_BLOCK], b[B_BLOCK];
    };
    extern __shared__ __align__(1024) unsigned char dynamic[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    stage *stages = (stage *)dynamic;
    const int group = threadIdx.x / 128, rank = blockIdx.x % PAIR, pairs = pair_rows * tile_columns;
    if (threadIdx.x == 0) {
        for (int s = 0; s < STAGES; s++) {
            barrier_init(&full[s], 1);
            barrier_init(&empty[s], PAIR * GROUPS * 4); /* a stage is written in both blocks: all warps of both let go */
        }
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    cluster_sync();

    unsigned step = 0; /* blocks of k so far, over all tiles */
    if (group == GROUPS) {
        if (GROUPS == 2)
            asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x % 128 == 0) {
            for (int pair = blockIdx.x / PAIR; pair < pairs; pair += gridDim.x / PAIR) {
                int band = pair / (BAND * tile_columns), height = min(BAND, pair_rows - band * BAND);
                int within = pair - band * BAND * tile_columns;
                size_t tile_row = (band * BAND + within % height) * PAIR + rank, tile_column = within / height;
                for (int k = 0; k < k_blocks; k++, step++) {
                    stage *s = &stages[step % STAGES];
                    uint64_t *arrived = &full[step % STAGES];
                    barrier_wait(&empty[step % STAGES], step / STAGES % 2 ^ 1);
                    barrier_expect(arrived, sizeof *s);
                    const signed char *b = digits_b + (tile_column * k_blocks + k) * B_BLOCK;
                    for (int g = 0; g < GROUPS; g++)
                        copy(s->a[g], digits_a + ((tile_row * GROUPS + g) * k_blocks + k) * A_BLOCK, A_BLOCK, arrived);
                    copy_to_pair(s->b + rank * (B_BLOCK / PAIR), b + rank * (B_BLOCK / PAIR), B_BLOCK / PAIR, arrived);
                }
            }
        }
    } else {
        if (GROUPS == 2)
            asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
        for (int pair = blockIdx.x / PAIR; pair < pairs; pair += gridDim.x / PAIR) {
            int band = pair / (BAND * tile_columns), height = min(BAND, pair_rows - band * BAND);
            int within = pair - band * BAND * tile_columns;
            int tile_row = (band * BAND + within % height) * PAIR + rank, tile_column = within / height;
            int sum0[64], sum1[64], sum2[64]; /* of the products worth 2^32, 2^24 and 2^16 units */
#pragma unroll
            for (int i = 0; i < 64; i++)
                sum0[i] = sum1[i] = sum2[i] = 0;
            for (int k = 0; k < k_blocks; k++, step++) {
                stage *s = &stages[step % STAGES];
                uint64_t a = describe(s->a[group]), b = describe(s->b);
                barrier_wait(&full[step % STAGES], step / STAGES % 2);
                asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
                for (int part = 0; part < K_BLOCK; part += 32) {
                    uint64_t a0 = a + part / 16, a1 = a0 + A_PLANE / 16, a2 = a1 + A_PLANE / 16;
                    uint64_t b0 = b + part / 16, b1 = b0 + B_PLANE / 16, b2 = b1 + B_PLANE / 16;
                    multiply(sum0, a0, b0);
                    multiply(sum1, a0, b1);
                    multiply(sum1, a1, b0);
                    multiply(sum2, a0, b2);
                    multiply(sum2, a1, b1);
                    multiply(sum2, a2, b0);
                }
                asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
                if (k > 0) {
                    asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory"); /* the step before is done */
                    if (lane < PAIR)
                        barrier_arrive(&empty[(step - 1) % STAGES], lane);
                }
            }
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
            if (lane < PAIR)
                barrier_arrive(&empty[(step - 1) % STAGES], lane);

            bool good = true;
#pragma unroll
            for (int half = 0; half < 2; half++) {
                int row = (tile_row * GROUPS + group) * A_ROWS + warp * 16 + half * 8 + lane / 4;
                line line_row = line_a[row];
#pragma unroll
                for (int eight = 0; eight < B_COLUMNS / 8; eight++) {
                    int column = tile_column * B_COLUMNS + eight * 8 + lane % 4 * 2;
                    float value[2];
#pragma unroll
                    for (int i = 0; i < 2; i++) {
                        int at = 4 * eight + 2 * half + i;
                        line line_column = line_b[column + i];
                        long long product = (long long)sum0[at] * 65536 + (long long)sum1[at] * 256 + sum2[at];
                        value[i] = (float)((double)product * (65536.0 * line_row.unit * line_column.unit));
                        good &= row >= n || column + i >= n || certified(product, line_row, line_column);
                    }
                    if (row < n && column + 1 < n)
                        *(float2 *)&c[row * ldc + column] = make_float2(value[0], value[1]);
                    else if (row < n && column < n)
                        c[row * ldc + column] = value[0];
                }
            }
            if (!good)
                *redo = 1;
        }
    }
    cluster_sync(); /* a block stays until its partner has stopped writing into it */
#endif
}

template <int GROUPS> static size_t shared_bytes() { return STAGES * (GROUPS * A_BLOCK + B_BLOCK); }

static size_t round_up(size_t value, size_t step) { return (value + step - 1) / step * step; }

matmult_time matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    matmult_time time = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    double start = wall_seconds();

    int major, minor, multiprocessors;
    cudaFuncAttributes built;
    CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaFuncGetAttributes(&built, matmultKernel<1>));
    if (major != 9 || minor != 0 || built.sharedSizeBytes == 0) { /* built for anything else, the kernel is empty */
        fprintf(stderr, "11_hopper needs a GPU of compute capability 9.0 and a build for it (make ARCH=sm_90a)\n");
        exit(77);
    }

    size_t k_blocks = round_up(n, K_BLOCK) / K_BLOCK, columns_b = round_up(n, B_COLUMNS), tile_columns = columns_b / B_COLUMNS;
    size_t rows_a = round_up(n, 2 * PAIR * A_ROWS);
    /* Two warp groups load least; one, and so twice as many tiles, where there would be fewer tiles than multiprocessors. */
    bool wide = rows_a / (2 * A_ROWS) * tile_columns >= (size_t)multiprocessors;

    float *device_a, *device_b, *device_c;
    signed char *digits_a, *digits_b;
    line *line_a, *line_b;
    int2 *extremes;
    int *redo;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMalloc(&digits_a, rows_a * k_blocks * K_BLOCK * DIGITS));
    CUDA_CHECK(cudaMalloc(&digits_b, columns_b * k_blocks * K_BLOCK * DIGITS));
    CUDA_CHECK(cudaMalloc(&line_a, rows_a * sizeof *line_a));
    CUDA_CHECK(cudaMalloc(&line_b, columns_b * sizeof *line_b));
    CUDA_CHECK(cudaMalloc(&extremes, SLICES * columns_b * sizeof *extremes));
    CUDA_CHECK(cudaMalloc(&redo, sizeof *redo));
    CUDA_CHECK(
        cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(
        cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes, (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaFuncSetAttribute(matmultKernel<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<1>()));
    CUDA_CHECK(cudaFuncSetAttribute(matmultKernel<2>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes<2>()));

    kernel_timer timer = kernel_timer_start();
    pitch_a /= sizeof(float), pitch_b /= sizeof(float), pitch_c /= sizeof(float);
    prepareKernel<<<(unsigned)(columns_b / 128 * SLICES + rows_a), 128>>>(device_a, pitch_a, device_b, pitch_b, n, k_blocks,
                                                                        columns_b, extremes, digits_a, line_a, line_b, redo);
    CUDA_CHECK(cudaGetLastError());
    splitKernel<<<dim3((unsigned)tile_columns, (unsigned)k_blocks), dim3(B_COLUMNS, 4)>>>(
        device_b, pitch_b, n, k_blocks, columns_b, extremes, digits_b, line_b);
    CUDA_CHECK(cudaGetLastError());
    unsigned blocks = (unsigned)multiprocessors / PAIR * PAIR;
    if (wide)
        matmultKernel<2><<<blocks, 3 * 128, shared_bytes<2>()>>>(digits_a, digits_b, line_a, line_b, device_c, pitch_c, n,
                                                                (int)k_blocks, (int)(rows_a / (2 * PAIR * A_ROWS)),
                                                                (int)tile_columns, redo);
    else
        matmultKernel<1><<<blocks, 2 * 128, shared_bytes<1>()>>>(digits_a, digits_b, line_a, line_b, device_c, pitch_c, n,
                                                                (int)k_blocks, (int)(rows_a / (PAIR * A_ROWS)),
                                                                (int)tile_columns, redo);
    CUDA_CHECK(cudaGetLastError());
    fallbackKernel<<<2 * blocks, dim3(16, 16)>>>(device_a, pitch_a, device_b, pitch_b, device_c, pitch_c, n, redo);
    CUDA_CHECK(cudaGetLastError());
    time.kernel = kernel_timer_stop(&timer);

    int redone;
    CUDA_CHECK(cudaMemcpy(&redone, redo, sizeof redone, cudaMemcpyDeviceToHost));
    if (redone)
        time.note = "the digits would not hold 1e-6 on this input: done in double";
    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c * sizeof(float), row_bytes, (size_t)n,
                            cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(digits_a));
    CUDA_CHECK(cudaFree(digits_b));
    CUDA_CHECK(cudaFree(line_a));
    CUDA_CHECK(cudaFree(line_b));
    CUDA_CHECK(cudaFree(extremes));
    CUDA_CHECK(cudaFree(redo));
    time.total = wall_seconds() - start;
    return time;
}
