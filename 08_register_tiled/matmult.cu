/* 08_register_tiled - step 07 with 8 x 8 elements of C in the registers of each thread,
 * and the sum in two levels.
 *
 * Launch: 256 threads for each tile of 128 x 128 elements of C (64 x 128 where n is too
 * small to give every multiprocessor a tile), 80 KB of shared memory. Reads 2 n^3 / 128
 * floats of global memory, four at a time, and a quarter of a float of shared memory for
 * each product. Before it, look_kernel reads A and B once: how long a chunk of the sum
 * may be depends on them. Chapter: docs/08_register_tiled.md */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum {
    THREADS =
        256, /* 8 warps: 4 one below the other, 2 side by side; in a warp 4 x 8 lanes */
    COLUMNS = 8,        /* of C in a thread; its rows are the template's ROWS, 8 or 4 */
    TILE_COLUMNS = 128, /* of C in a block: 2 warps x 8 lanes x 8; and 4 warps x 4 lanes x
                           ROWS rows */
    DEPTH = 16,         /* columns of A's tile and rows of B's */
    CHUNK =
        64, /* products in a plain float sum; the chunks are added with compensation */
    LONG_CHUNK = 192,  /* in large matrices of even operands: at most an eighth of n */
    SHORT_CHUNK = 8,   /* of uneven operands */
    LOOK = 64,         /* rows of A, columns of B and k that a block looks at */
    LARGEST_TILE = 128 /* on the device n is rounded up to a multiple of this */
};
enum {
    EVEN,
    COARSE,
    UNEVEN
}; /* operands: even ones have long chunks, coarse ones chunks, uneven ones short chunks
    */

/* The shared memory of a block. A's tile is transposed, so that a thread finds its rows
 * side by side; the 4 more halve the bank conflicts of its writes. The sums are used once
 * in a chunk: registers are too dear for them. */
template <int ROWS> struct shared_memory {
    float tile_a[DEPTH][16 * ROWS + 4], tile_b[DEPTH][TILE_COLUMNS];
    float4 sum[ROWS][COLUMNS / 4][THREADS];
};
extern __shared__ float4 memory[];

/* Kahan's addition. What it loses is left in chunk: the next chunk starts from there. */
static __device__ float add(float sum, float *chunk) {
    float next = sum + *chunk;
    *chunk -= next - sum;
    return next;
}

/* The second level: adds each chunk to its sum. */
template <int ROWS>
static __device__ __forceinline__ void add_chunks(float (*chunk)[COLUMNS],
                                                  float4 (*sum)[COLUMNS / 4][THREADS]) {
    for (int i = 0; i < ROWS; i++) {
        asm volatile(
            "" ::
                : "memory"); /* not all sums at once: there are no registers for them */
        for (int j = 0; j < COLUMNS / 4; j++) {
            float4 next = sum[i][j][threadIdx.x];
            next.x = add(next.x, &chunk[i][4 * j]);
            next.y = add(next.y, &chunk[i][4 * j + 1]);
            next.z = add(next.z, &chunk[i][4 * j + 2]);
            next.w = add(next.w, &chunk[i][4 * j + 3]);
            sum[i][j][threadIdx.x] = next;
        }
    }
}

/* What 64 elements of a row of A or a column of B, step apart, are. UNEVEN: the rounding
 * errors of a chunk might all point in one direction, as more than 10 elements go on
 * straight from those two and four before, or are far smaller than the mean so far; or
 * one is far larger than most; or the values are few. COARSE: those of a long chunk
 * might, as the values are not many, or all elements have ten zeros at the end of their
 * 24 bits. */
static __device__ int look(const float *x, unsigned step) {
    float largest = 0, sum = 0, before[4] = {0, 0, 0, 0};
    int count = 0, suspects = 0;
    unsigned digits = 0,
             values =
                 0; /* the bits of all; a bit for each value, though some share one */
#pragma unroll
    for (int k = 0; k < LOOK; k++) {
        float value = fabsf(x[k * step]); /* a zero is not rounded: it does not count */
        float bend = fmaf(-2, before[(k + 2) % 4], value) + before[k % 4];
        bool straight = 256 * fabsf(bend) < value;
        bool small = value > 0 && 64 * k * value < sum;
        count += value > 0;
        suspects += straight || small;
        digits |= __float_as_uint(value);
        values |= 1u << (__float_as_uint(value) * 0x9E3779B9 >> 27);
        largest = fmaxf(largest, value);
        sum += value;
        before[k % 4] = value;
    }
    int different = __popc(values);
    if (suspects > 10 || 5 * different < count || !(8 * sum >= (count - 12) * largest))
        return UNEVEN;
    return count > 16 && (digits % 1024 == 0 || 11 * different < 3 * count) ? COARSE
                                                                            : EVEN;
}

/* Whether a tile has few values, so that long chunks may round many products alike: of
 * 512 elements less than two thirds set a bit of their own, of 1024. Random ones: four
 * fifths. All threads of a block take part, two elements each. */
static __device__ bool few_values(float x, float y, unsigned *seen) {
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

/* *operands = what the worst row of A or column of B is. A block looks at LOOK elements
 * of LOOK rows and columns. */
static __global__ void look_kernel(const float *a, size_t lda, const float *b, size_t ldb,
                                   int *operands) {
    /* A warp reads rows; then half of the threads look, along a row of A or down a column
     * of B. */
    __shared__ float tile_a[LOOK][LOOK + 1], tile_b[LOOK][LOOK];
    __shared__ unsigned seen_a[32], seen_b[32];
    if (threadIdx.y == 0 && threadIdx.x < 32)
        seen_a[threadIdx.x] = seen_b[threadIdx.x] = 0;
    size_t line = (size_t)blockIdx.x * LOOK, k = (size_t)blockIdx.y * LOOK;
#pragma unroll
    for (unsigned i = 0; i < LOOK; i += 4) {
        tile_a[i + threadIdx.y][threadIdx.x] =
            a[(line + i + threadIdx.y) * lda + k + threadIdx.x];
        tile_b[i + threadIdx.y][threadIdx.x] =
            b[(k + i + threadIdx.y) * ldb + line + threadIdx.x];
    }
    __syncthreads();
    bool few = few_values(tile_a[threadIdx.y][threadIdx.x],
                          tile_a[threadIdx.y + 4][threadIdx.x], seen_a);
    few |= few_values(tile_b[threadIdx.y][threadIdx.x],
                      tile_b[threadIdx.y + 4][threadIdx.x], seen_b);
    if (threadIdx.y < 2) {
        int found = threadIdx.y == 0 ? look(tile_a[threadIdx.x], 1)
                                     : look(&tile_b[0][threadIdx.x], LOOK);
        if (few || found != EVEN)
            atomicMax(operands, found == UNEVEN ? UNEVEN : COARSE);
    }
}

/* An element as 01 computes it: for sums that met an infinity or left the range of float.
 */
static __device__ float in_double(const float *a_row, const float *b_column, size_t ldb,
                                  size_t n) {
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += (double)a_row[k] * (double)b_column[k * ldb];
    return (float)sum;
}

template <int ROWS, bool SHORT>
static __global__ void
__launch_bounds__(THREADS,
                  2) /* two blocks on a multiprocessor: one loads, one computes */
    matmult_kernel(const float *a, size_t lda, const float *b, size_t ldb, float *c,
                   size_t ldc, size_t n, unsigned length, const int *operands) {
    const int found = *operands;
    if ((found == UNEVEN) != SHORT)
        return; /* the other kernel has the right chunks */
    if (found != EVEN)
        length = CHUNK;
    shared_memory<ROWS> *shared = (shared_memory<ROWS> *)(float4 *)memory;
    const size_t TILE_ROWS = 16 * ROWS;
    const unsigned thread = threadIdx.x, warp = thread / 32, lane = thread % 32;
    /* Lanes that are neighbours share a row, every second two share a column: so a warp's
     * loads of 16 bytes merge. */
    const unsigned lane_x = (lane & 1) | (lane >> 1 & 6),
                   lane_y = (lane >> 1 & 1) | (lane >> 3 & 2);
    /* This thread's first element in the tile; its rows are four and, 16 below, four; its
     * columns so, 32 apart. */
    const unsigned y = warp / 2 * 4 * ROWS + lane_y * 4, x = warp % 2 * 64 + lane_x * 4;
    /* What this thread loads: four floats of a row. */
    const unsigned a_row = thread / 4, a_column = thread % 4 * 4, b_row = thread / 32,
                   b_column = thread % 32 * 4;
    const float *next_a = a + ((size_t)blockIdx.y * TILE_ROWS + a_row) * lda + a_column;
    const float *next_b = b + b_row * ldb + (size_t)blockIdx.x * TILE_COLUMNS + b_column;

    float chunk[ROWS][COLUMNS] = {};
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS / 4; j++)
            shared->sum[i][j][thread] = make_float4(0, 0, 0, 0);
    for (size_t k = 0; k < n;) {
        for (const size_t end = k + length < n ? k + length : n; k < end; k += 2 * DEPTH)
#pragma unroll /* two tiles; more are too long for the instruction cache */
            for (int part = 0; part < 2; part++) {
                float4 loaded_a[ROWS / 4], loaded_b[2];
                for (int i = 0; i < ROWS / 4; i++)
                    loaded_a[i] = *(const float4 *)(next_a + 64 * i * lda);
                for (int i = 0; i < 2; i++)
                    loaded_b[i] = *(const float4 *)(next_b + 8 * i * ldb);
                next_a += DEPTH;
                next_b += DEPTH * ldb;
                __syncthreads(); /* nobody needs the tiles any more */
                for (int i = 0; i < ROWS / 4; i++) {
                    shared->tile_a[a_column][a_row + 64 * i] = loaded_a[i].x;
                    shared->tile_a[a_column + 1][a_row + 64 * i] = loaded_a[i].y;
                    shared->tile_a[a_column + 2][a_row + 64 * i] = loaded_a[i].z;
                    shared->tile_a[a_column + 3][a_row + 64 * i] = loaded_a[i].w;
                }
                for (int i = 0; i < 2; i++)
                    *(float4 *)&shared->tile_b[b_row + 8 * i][b_column] = loaded_b[i];
                __syncthreads(); /* the tiles are complete */
#pragma unroll
                for (int i = 0; i < DEPTH; i++) {
                    __align__(16) float part_a[ROWS], part_b[COLUMNS];
                    for (int j = 0; j < COLUMNS; j += 4)
                        *(float4 *)&part_b[j] =
                            *(const float4 *)&shared->tile_b[i][x + 8 * j];
                    for (int j = 0; j < ROWS; j += 4)
                        *(float4 *)&part_a[j] =
                            *(const float4 *)&shared->tile_a[i][y + 4 * j];
                    for (int row = 0; row < ROWS;
                         row += 2) { /* to and fro: see the chapter */
                        for (int column = 0; column < COLUMNS; column++)
                            chunk[row][column] =
                                fmaf(part_a[row], part_b[column], chunk[row][column]);
                        for (int column = COLUMNS - 1; column >= 0; column--)
                            chunk[row + 1][column] = fmaf(part_a[row + 1], part_b[column],
                                                          chunk[row + 1][column]);
                    }
                    if (SHORT && i % SHORT_CHUNK == SHORT_CHUNK - 1)
                        add_chunks<ROWS>(chunk, shared->sum);
                }
            }
        add_chunks<ROWS>(chunk, shared->sum);
    }

    size_t row = (size_t)blockIdx.y * TILE_ROWS + y,
           column = (size_t)blockIdx.x * TILE_COLUMNS + x;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS / 4; j++) {
            const size_t to_row = row + i % 4 + i / 4 * 16, to_column = column + 32 * j;
            __align__(16) float sum[4];
            *(float4 *)sum = shared->sum[i][j][thread];
            for (int k = 0; k < 4; k++) /* Kahan's sum makes a NaN of an infinity */
                if (!(fabsf(sum[k]) < 3e38f) && to_row < n && to_column + k < n)
                    sum[k] = in_double(a + to_row * lda, b + to_column + k, ldb, n);
            *(float4 *)&c[to_row * ldc + to_column] = *(const float4 *)sum;
        }
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    int multiprocessors, shared_bytes; /* of the device; the most that a block can have */
    CUDA_CHECK(
        cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&shared_bytes,
                                      cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t padded = ((size_t)n + LARGEST_TILE - 1) / LARGEST_TILE *
                    LARGEST_TILE;     /* rows and columns */
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, padded * sizeof(float), padded));
    CUDA_CHECK(cudaMemset(device_a, 0, pitch_a * padded));
    CUDA_CHECK(cudaMemset(device_b, 0, pitch_b * padded));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    int *device_operands, operands; /* EVEN, COARSE or UNEVEN */
    CUDA_CHECK(cudaMalloc(&device_operands, sizeof operands));
    CUDA_CHECK(cudaMemset(device_operands, 0, sizeof operands));

    unsigned long_chunk = CHUNK;
    while (long_chunk < LONG_CHUNK && long_chunk + CHUNK <= (unsigned)n / 8)
        long_chunk += CHUNK;
    unsigned tiles = (unsigned)(padded / LARGEST_TILE);
    bool large = tiles * tiles >= (unsigned)multiprocessors &&
                 (size_t)shared_bytes >= sizeof(shared_memory<8>);
    if (large)
        CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<8, false>,
                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        sizeof(shared_memory<8>)));

    kernel_timer timer = start_kernel_timer();
    look_kernel<<<dim3((unsigned)padded / LOOK, (unsigned)padded / LOOK),
                  dim3(LOOK, 4)>>>(device_a, pitch_a / sizeof(float), device_b,
                                   pitch_b / sizeof(float), device_operands);
    CUDA_CHECK(cudaGetLastError());
    if (large)
        matmult_kernel<8, false>
            <<<dim3(tiles, tiles), THREADS, sizeof(shared_memory<8>)>>>(
                device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float),
                device_c, pitch_c / sizeof(float), n, long_chunk, device_operands);
    else
        matmult_kernel<4, false>
            <<<dim3(tiles, 2 * tiles), THREADS, sizeof(shared_memory<4>)>>>(
                device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float),
                device_c, pitch_c / sizeof(float), n, long_chunk, device_operands);
    CUDA_CHECK(cudaGetLastError());
    matmult_kernel<4, true>
        <<<dim3(tiles, 2 * tiles), THREADS, sizeof(shared_memory<4>)>>>(
            device_a, pitch_a / sizeof(float), device_b, pitch_b / sizeof(float),
            device_c, pitch_c / sizeof(float), n, long_chunk, device_operands);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(
        cudaMemcpy(&operands, device_operands, sizeof operands, cudaMemcpyDeviceToHost));
    if (operands == UNEVEN)
        result.note = "uneven operands: chunks of 8 products";
    else if (operands == COARSE && long_chunk > CHUNK)
        result.note = "coarse operands: chunks of 64 products";
    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    CUDA_CHECK(cudaFree(device_operands));
    result.total = wall_seconds() - start;
    return result;
}
