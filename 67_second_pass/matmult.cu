/* 67_second_pass - the lower bound of |A| |B| is found on tensor cores, by a second pass.
 *
 * New: the second pass, over |x0| |y0|; magnitude_kernel; another flag.
 * Launch: as 65; where a strip wants it, magnitude_kernel and the second pass.
 * Reads: as 24, in each pass. Chapter: docs/67_second_pass.md
 * Run: make 67_second_pass && ./67_second_pass/run */
#include "double_kernel.h"
#include "pipeline.h"

enum { PANEL = 1024 }; /* tiles of C in a panel */
enum { SECOND = 2 };   /* a flag that a strip may have, beside IN_DOUBLE */

/* An element from its sums, and whether its error may be above 1e-6 of it. */
static __device__ float combine_first(const vector_info &left, const vector_info &right,
                                      int level0, int level1, int level2, int *again) {
    const double exact = add_levels(level0, level1, level2);
    const float value = (float)(exact * left.unit * right.unit);
    *again |= must_repeat(value) ||
              !is_within(error_bound(left, right), 65536 * fabsf((float)exact));
    return value;
}

/* Whether an element is within 1e-6 of |A| |B|. X and 65536 x0 differ by a vector no
 * longer than rest, so |X| |Y| is at least 2^32 |x0| |y0| less two products of lengths;
 * 0.999 is for the rounding here. */
static __device__ bool is_proven(const vector_info &left, const vector_info &right,
                                 int magnitude) {
    const float rest_left = 16 * left.middle + left.low / 32 + left.rounding,
                rest_right = 16 * right.middle + right.low / 32 + right.rounding,
                least = 0.999f * 0x1p32f * (float)magnitude - rest_left * right.all -
                        left.all * rest_right;
    return is_within(error_bound(left, right), least);
}

/* Adds up the products of a tile of C, of which the last stage is kept. */
template <int pass>
static __device__ void add_products(pipeline *pipe, const product &p,
                                    int (&level)[SLICES][SUMS]) {
    const unsigned warpgroup = threadIdx.x / WARPGROUP;
    for (unsigned k = 0; k < p.n; k += BK, pipe->turn++) {
        const unsigned i = pipe->turn % STAGES;
        wait_for_phase(&pipe->full[i], pipe->turn / STAGES % 2);
        const stage *s = &pipe->stages[i];
        const uint64_t a = make_descriptor(s->a + warpgroup * WG_M * BK),
                       b = make_descriptor(s->b);
        fence_sums();
#pragma unroll
        for (int l = 0; l < BK; l += WG_K)
#pragma unroll
            for (int d = 0; d < SLICES; d++)
#pragma unroll
                for (int e = 0; d + e < (pass == 1 ? SLICES : 1); e++)
                    start_products(level[d + e], a + (d * SLICE_BYTES + l) / 16,
                                   b + (e * SLICE_BYTES + l) / 16);
        commit_products();
        wait_for_products<1>();
        if (k > 0)
            release(pipe, pipe->turn - 1);
    }
    finish_products(level);
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
template <int pass>
static __device__ void consume(pipeline *pipe, const product &p, const strips &marked,
                               unsigned row, unsigned column, unsigned rows) {
    const unsigned lane = threadIdx.x % 32;
    int level[SLICES][SUMS] = {};
    add_products<pass>(pipe, p, level);
    unsigned char *flag =
        &marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + threadIdx.x / 32];
    if (row == rows || (pass == 2 && !(*flag & SECOND)))
        return release(pipe, pipe->turn - 1);
    const unsigned turn = pipe->turn - 1, y = threadIdx.x / 32 * 16 + lane / 4,
                   x = lane % 4 * 2;
    const stage *s = &pipe->stages[turn % STAGES];
    const size_t first_row = row + y, first_column = column + x;
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + first_row * p.n + first_column;
    int again = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        const vector_info *right = &s->columns[x + 2 * i];
        float value[4];
        for (int j = 0; j < 4; j++)
            if (pass == 1)
                value[j] = combine_first(left[j / 2], right[j % 2], level[0][i + j],
                                         level[1][i + j], level[2][i + j], &again);
            else
                again |= must_repeat(c[2 * i + j / 2 * 8 * p.n + j % 2]) ||
                         !is_proven(left[j / 2], right[j % 2], level[0][i + j]);
        if (pass == 2)
            continue;
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    again = __any_sync(~0u, again);
    if (lane == 0)
        *flag = !again ? 0 : pass == 1 ? (int)SECOND : (int)IN_DOUBLE;
    if (lane == 0 && pass == 2)
        atomicAdd(p.again + 1, 1);
    if (again)
        marked.found[pass == 1] = 1;
}

template <int pass>
static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips marked, unsigned rows) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    const unsigned rank = blockIdx.x % CLUSTER, down = (rows / TILE + 1) / CLUSTER,
                   pairs = down * (unsigned)(p.n / TILE);
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CLUSTER * CONSUMERS * 4); /* warps */
    }
    sync_cluster(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            consume<pass>(&pipe, p, marked, row, i / down * TILE, rows);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

template <int pass>
static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    if (pass == 1)
        slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    matmult_kernel<pass>
        <<<(unsigned)blocks / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
            p, find_strips(m, row), (unsigned)rows);
    CUDA_CHECK(cudaGetLastError());
}

/* |x0| in place of x0, for a tile of slices. */
static __global__ void magnitude_kernel(signed char *slices) {
    uint64_t *x = (uint64_t *)&slices[(size_t)blockIdx.x * TILE_BYTES];
    for (unsigned i = threadIdx.x; i < SLICE_BYTES / sizeof *x; i += blockDim.x) {
        const uint64_t negative = x[i] >> 7 & 0x0101010101010101; /* no byte is -128 */
        x[i] = (x[i] ^ negative * 255) + negative;
    }
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const unsigned count = (unsigned)(m->n * m->n / (STRIP * TILE));
    if (m->found[1]) { /* slices_a lie behind slices_b */
        magnitude_kernel<<<2 * count * STRIP / BK, 512, 0, stream>>>(
            find_product(m, 0).slices_b);
        CUDA_CHECK(cudaGetLastError());
        multiply<2>(m, 0, m->n, stream);
    }
    double_kernel<<<count, STRIP_THREADS, 0, stream>>>(find_product(m, 0),
                                                       find_strips(m, 0));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply<1>,
        "strips of 16 x 128 elements were computed in double",
        padded * padded / (STRIP * TILE), finish, "strips were held against |A| |B|");
}
