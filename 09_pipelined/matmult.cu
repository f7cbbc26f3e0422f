/* 09_pipelined - step 08 with asynchronous copies: the next tiles are copied to shared
 * memory while these are multiplied.
 *
 * A copy moves 16 bytes as they are, so the prologue also transposes A: then both tiles
 * are rows of a matrix. Launch as in 08, 96 KB of shared memory: two stages of tiles.
 * Reads what 08 reads, and writes A once more. The same bits as 08. cp.async needs
 * compute capability 8.0; below that the header copies in the usual way. Chapter:
 * docs/09_pipelined.md
 *
 *     make 09_pipelined && ./09_pipelined/run */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cuda_pipeline.h>

enum {
    THREADS = 256,      /* 8 warps, 2 side by side; in each 4 x 8 lanes */
    BN = 128,           /* columns of C in a block; its rows are BM = 16 TM */
    BK = 16,            /* columns of A's tile, rows of B's */
    TN = 8,             /* columns of C in a thread; its rows are TM, 8 or 4 */
    LENGTH = 64,        /* products in a partial sum, a plain float */
    LONG_LENGTH = 192,  /* in large matrices of ordinary operands: at most n / 8 */
    SHORT_LENGTH = 8,   /* where operands are structured */
    CLASSIFY_TILE = 64, /* rows of A, columns of B and k that a block classifies */
    LARGEST_TILE = 128  /* on the device n is rounded up to a multiple of this */
};
enum { ORDINARY, COARSE, STRUCTURED };    /* operands: see classify_vector */
static const float NEAR_INFINITY = 3e38f; /* larger sums are made again in double */

/* The shared memory of a block: the tiles in use, the tiles on their way, and the
 * compensated sums. These are used once in a partial sum: registers are too scarce for
 * them. A's tile is transposed, so that a thread finds its rows side by side. */
template <int TM> struct tile_pair { float a[BK][16 * TM], b[BK][BN]; };
template <int TM> struct shared_memory {
    tile_pair<TM> stages[2];
    float4 sum[TM][TN / 4][THREADS];
};
extern __shared__ float4 memory[];

/* Kahan's addition. What it loses stays in *partial, for the next partial sum. */
static __device__ float add(float sum, float *partial) {
    float next = sum + *partial;
    *partial -= next - sum;
    return next;
}

/* Adds each partial sum to its compensated sum. */
template <int TM>
static __device__ __forceinline__ void add_partial_sums(float (*partial)[TN],
                                                        float4 (*sum)[TN / 4][THREADS]) {
    for (int i = 0; i < TM; i++) {
        asm volatile("" ::: "memory"); /* no registers for all sums at once */
        for (int j = 0; j < TN / 4; j++) {
            float4 next = sum[i][j][threadIdx.x];
            next.x = add(next.x, &partial[i][4 * j]);
            next.y = add(next.y, &partial[i][4 * j + 1]);
            next.z = add(next.z, &partial[i][4 * j + 2]);
            next.w = add(next.w, &partial[i][4 * j + 3]);
            sum[i][j][threadIdx.x] = next;
        }
    }
}

/* Classifies 64 elements of a row of A or a column of B, step apart. STRUCTURED: the
 * rounding errors of a partial sum of 64 products may all have one sign. That is so where
 * more than 10 elements continue a straight line through the elements two and four before
 * them, or are far smaller than the mean so far; where one is far larger than most; or
 * where there are few different values. COARSE: those of a long partial sum may, since
 * there are not many values, or all end in ten zero bits. ORDINARY: all others. */
static __device__ int classify_vector(const float *x, unsigned step) {
    float largest = 0, sum = 0, before[4] = {0, 0, 0, 0};
    int count = 0, flagged = 0;
    unsigned bits = 0;   /* of all elements */
    unsigned values = 0; /* a bit for each value, though some values share one */
#pragma unroll
    for (int k = 0; k < CLASSIFY_TILE; k++) {
        float value = fabsf(x[k * step]); /* a zero is not rounded: do not count it */
        float bend = fmaf(-2, before[(k + 2) % 4], value) + before[k % 4];
        bool straight = 256 * fabsf(bend) < value;
        bool small = value > 0 && 64 * k * value < sum;
        count += value > 0;
        flagged += straight || small;
        bits |= __float_as_uint(value);
        values |= 1u << (__float_as_uint(value) * 0x9E3779B9 >> 27);
        largest = fmaxf(largest, value);
        sum += value;
        before[k % 4] = value;
    }
    int different = __popc(values);
    if (flagged > 10 || 5 * different < count || !(8 * sum >= (count - 12) * largest))
        return STRUCTURED;
    return count > 16 && (bits % 1024 == 0 || 11 * different < 3 * count) ? COARSE
                                                                          : ORDINARY;
}

/* Whether a tile has few values, so that long partial sums may round many products alike:
 * of 512 elements fewer than two thirds set a bit of 1024 that none before has set. Of
 * random ones four fifths do. Every thread of the block brings two elements. */
static __device__ bool has_few_values(float x, float y, unsigned *seen) {
    const float values[2] = {fabsf(x), fabsf(y)};
    int count = 0, different = 0;
    for (int i = 0; i < 2; i++) {
        unsigned hash = __float_as_uint(values[i]) * 0x9E3779B9 >> 22,
                 bit = 1u << hash % 32;
        bool is_new = values[i] > 0 && !(atomicOr(&seen[hash / 32], bit) & bit);
        count += __syncthreads_count(values[i] > 0);
        different += __syncthreads_count(is_new);
    }
    return count > 128 && 3 * different < 2 * count;
}

/* An element as 01 computes it: for sums that met an infinity or overflowed. a is
 * transposed. */
static __device__ float sum_in_double(const float *a_column, size_t lda,
                                      const float *b_column, size_t ldb, size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a_column[k * lda] * (double)b_column[k * ldb];
    return (float)sum;
}

/* Starts the copy of a tile. from is the first address that this thread copies from. */
template <int WIDTH>
static __device__ void copy_tile(float (*tile)[WIDTH], const float *from, size_t pitch) {
    const unsigned ROWS_AT_ONCE = THREADS / (WIDTH / 4);
    const unsigned row = threadIdx.x / (WIDTH / 4),
                   column = threadIdx.x % (WIDTH / 4) * 4;
    for (unsigned i = 0; i < BK; i += ROWS_AT_ONCE)
        __pipeline_memcpy_async(&tile[row + i][column], from + i * pitch, sizeof(float4));
}

/* transposed = A transposed; and *operands = the worst class of any row of A or column of
 * B, as in 08. All matrices are padded. */
static __global__ void transpose_kernel(const float *a, size_t lda, const float *b,
                                        size_t ldb, float *transposed, size_t pitch,
                                        int *operands) {
    /* A warp reads rows. Then half of the threads classify a vector each: a row of A or a
     * column of B. */
    __shared__ float tile_a[CLASSIFY_TILE][CLASSIFY_TILE + 1],
        tile_b[CLASSIFY_TILE][CLASSIFY_TILE];
    __shared__ unsigned seen_a[32], seen_b[32];
    if (threadIdx.y == 0 && threadIdx.x < 32)
        seen_a[threadIdx.x] = seen_b[threadIdx.x] = 0;
    size_t vector = (size_t)blockIdx.x * CLASSIFY_TILE,
           k = (size_t)blockIdx.y * CLASSIFY_TILE;
#pragma unroll
    for (unsigned i = 0; i < CLASSIFY_TILE; i += 4) {
        tile_a[i + threadIdx.y][threadIdx.x] =
            a[(vector + i + threadIdx.y) * lda + k + threadIdx.x];
        tile_b[i + threadIdx.y][threadIdx.x] =
            b[(k + i + threadIdx.y) * ldb + vector + threadIdx.x];
    }
    __syncthreads();
    for (unsigned i = 0; i < CLASSIFY_TILE; i += 4)
        transposed[(k + i + threadIdx.y) * pitch + vector + threadIdx.x] =
            tile_a[threadIdx.x][i + threadIdx.y];
    bool few = has_few_values(tile_a[threadIdx.y][threadIdx.x],
                              tile_a[threadIdx.y + 4][threadIdx.x], seen_a);
    few |= has_few_values(tile_b[threadIdx.y][threadIdx.x],
                          tile_b[threadIdx.y + 4][threadIdx.x], seen_b);
    if (threadIdx.y < 2) {
        int found = threadIdx.y == 0
                        ? classify_vector(tile_a[threadIdx.x], 1)
                        : classify_vector(&tile_b[0][threadIdx.x], CLASSIFY_TILE);
        if (few || found != ORDINARY)
            atomicMax(operands, found == STRUCTURED ? STRUCTURED : COARSE);
    }
}

template <int TM, bool SHORT>
static __global__ void
__launch_bounds__(THREADS, 2) /* two blocks on an SM: one waits, one computes */
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, size_t n, unsigned length, const int *operands) {
    const int found = *operands;
    if ((found == STRUCTURED) != SHORT)
        return; /* the other kernel has the right length */
    if (found != ORDINARY)
        length = LENGTH;
    shared_memory<TM> *shared = (shared_memory<TM> *)(float4 *)memory;
    const size_t BM = 16 * TM;
    const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    /* Neighbouring lanes share a row, every second pair shares a column: so the 16-byte
     * loads of a warp merge. */
    const unsigned lane_x = (lane & 1) | (lane >> 1 & 6),
                   lane_y = (lane >> 1 & 1) | (lane >> 3 & 2);
    /* This thread's first element in the tile. It has four rows and, 16 below, four more;
     * four columns and, 32 to the right, four more. */
    const unsigned y = warp / 2 * 4 * TM + lane_y * 4, x = warp % 2 * 64 + lane_x * 4;
    /* The first addresses that this thread copies from. */
    const float *next_a =
        a + thread / (BM / 4) * lda + blockIdx.y * BM + thread % (BM / 4) * 4;
    const float *next_b =
        b + thread / (BN / 4) * ldb + (size_t)blockIdx.x * BN + thread % (BN / 4) * 4;
    const unsigned k_end = (unsigned)(n + 2 * BK - 1) / (2 * BK) *
                           (2 * BK); /* the padding behind n is zero */

    float partial[TM][TN] = {};
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN / 4; j++)
            shared->sum[i][j][thread] = make_float4(0, 0, 0, 0);
    copy_tile(shared->stages[0].a, next_a, lda);
    copy_tile(shared->stages[0].b, next_b, ldb);
    next_a += BK * lda;
    next_b += BK * ldb;
    __pipeline_commit();
    unsigned k_copied = BK;
    for (unsigned k = 0; k < k_end;) {
        for (const unsigned end = k + length < k_end ? k + length : k_end; k < end;
             k += 2 * BK)
#pragma unroll /* more than two tiles do not fit the instruction cache */
            for (unsigned stage = 0; stage < 2; stage++) {
                __pipeline_wait_prior(0);
                __syncthreads(); /* all copies have arrived; the other stage is free */
                if (k_copied < k_end) {
                    copy_tile(shared->stages[1 - stage].a, next_a, lda);
                    copy_tile(shared->stages[1 - stage].b, next_b, ldb);
                }
                next_a += BK * lda;
                next_b += BK * ldb;
                k_copied += BK;
                __pipeline_commit();
                const tile_pair<TM> &tiles = shared->stages[stage];
#pragma unroll
                for (int i = 0; i < BK; i++) {
                    __align__(16) float fragment_a[TM], fragment_b[TN];
                    for (int j = 0; j < TN; j += 4)
                        *(float4 *)&fragment_b[j] =
                            *(const float4 *)&tiles.b[i][x + 8 * j];
                    for (int j = 0; j < TM; j += 4)
                        *(float4 *)&fragment_a[j] =
                            *(const float4 *)&tiles.a[i][y + 4 * j];
                    /* serpentine: see the chapter */
                    for (int row = 0; row < TM; row += 2) {
                        for (int column = 0; column < TN; column++)
                            partial[row][column] =
                                fmaf(fragment_a[row], fragment_b[column],
                                     partial[row][column]);
                        for (int column = TN - 1; column >= 0; column--)
                            partial[row + 1][column] =
                                fmaf(fragment_a[row + 1], fragment_b[column],
                                     partial[row + 1][column]);
                    }
                    if (SHORT && i % SHORT_LENGTH == SHORT_LENGTH - 1)
                        add_partial_sums<TM>(partial, shared->sum);
                }
            }
        add_partial_sums<TM>(partial, shared->sum);
    }

    size_t row = (size_t)blockIdx.y * BM + y, column = (size_t)blockIdx.x * BN + x;
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN / 4; j++) {
            const size_t to_row = row + i % 4 + i / 4 * 16, to_column = column + 32 * j;
            __align__(16) float sum[4];
            *(float4 *)sum = shared->sum[i][j][thread];
            for (int k = 0; k < 4; k++) /* Kahan's sum makes a NaN of an infinity */
                if (!(fabsf(sum[k]) < NEAR_INFINITY) && to_row < n && to_column + k < n)
                    sum[k] = sum_in_double(a + to_row, lda, b + to_column + k, ldb, n);
            ((float4 *)c)[(to_row * ldc + to_column) / 4] = *(const float4 *)sum;
        }
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int sm_count, shared_bytes; /* SMs; the most shared memory that a block can have */
    CUDA_CHECK(cudaDeviceGetAttribute(&sm_count, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&shared_bytes,
                                      cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if ((size_t)shared_bytes < sizeof(shared_memory<4>)) {
        fprintf(stderr,
                "09_pipelined needs %zu bytes of shared memory in a block; this device "
                "has %d\n",
                sizeof(shared_memory<4>), shared_bytes);
        exit(77);
    }
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t padded = ((size_t)n + LARGEST_TILE - 1) / LARGEST_TILE *
                    LARGEST_TILE;     /* rows and columns */
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMemset(
        device_c, 0,
        pitch_c * padded)); /* A is copied to C's memory and transposed from there */
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemcpy2D(device_c, pitch_c, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    int *device_operands, operands; /* ORDINARY, COARSE or STRUCTURED */
    CUDA_CHECK(cudaMalloc(&device_operands, sizeof operands));
    CUDA_CHECK(cudaMemset(device_operands, 0, sizeof operands));

    unsigned long_length = LENGTH;
    while (long_length < LONG_LENGTH && long_length + LENGTH <= (unsigned)n / 8)
        long_length += LENGTH;
    unsigned tiles = (unsigned)(padded / LARGEST_TILE);
    bool large = tiles * tiles >= (unsigned)sm_count &&
                 (size_t)shared_bytes >= sizeof(shared_memory<8>);
    if (large)
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<8, false>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        sizeof(shared_memory<8>)));
    else
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<4, false>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        sizeof(shared_memory<4>)));
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<4, true>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    sizeof(shared_memory<4>)));

    kernel_timer timer = start_kernel_timer();
    transpose_kernel<<<dim3((unsigned)padded / CLASSIFY_TILE,
                            (unsigned)padded / CLASSIFY_TILE),
                       dim3(CLASSIFY_TILE, 4)>>>(
        device_c, pitch_c / sizeof(float), device_b, pitch_b / sizeof(float), device_a,
        pitch_a / sizeof(float), device_operands);
    CUDA_CHECK(cudaGetLastError());
    if (large)
        matmult_kernel<8, false>
            <<<dim3(tiles, tiles), THREADS, sizeof(shared_memory<8>)>>>(
                device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float),
                device_c, pitch_c / sizeof(float), n, long_length, device_operands);
    else
        matmult_kernel<4, false>
            <<<dim3(tiles, 2 * tiles), THREADS, sizeof(shared_memory<4>)>>>(
                device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float),
                device_c, pitch_c / sizeof(float), n, long_length, device_operands);
    CUDA_CHECK(cudaGetLastError());
    matmult_kernel<4, true>
        <<<dim3(tiles, 2 * tiles), THREADS, sizeof(shared_memory<4>)>>>(
            device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float),
            device_c, pitch_c / sizeof(float), n, long_length, device_operands);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(
        cudaMemcpy(&operands, device_operands, sizeof operands, cudaMemcpyDeviceToHost));
    if (operands == STRUCTURED)
        result.note = "structured operands: partial sums of 8 products";
    else if (operands == COARSE && long_length > LENGTH)
        result.note = "coarse operands: partial sums of 64 products";
    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(device_operands));
    result.total = wall_seconds() - start;
    return result;
}
