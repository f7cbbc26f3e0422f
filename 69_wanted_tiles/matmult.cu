/* 69_wanted_tiles - the second pass leaves out the tiles that no strip wants.
 *
 * New: has_pair. Launch: as 68. Reads: as 68, at most.
 * Chapter: docs/69_wanted_tiles.md
 * Run: make 69_wanted_tiles && ./69_wanted_tiles/run */
#include "passes.h"

enum { PANEL = 1024 }; /* tiles of C in a panel */

/* Whether a pass has this pair of tiles, of so many down: pass 2 where a strip wants so.
 */
template <int pass>
static __device__ bool has_pair(const product &p, const strips &marked, unsigned pair,
                                unsigned down, unsigned rows) {
    const unsigned row = pair % down * CLUSTER * TILE;
    const uint64_t *flags =
        (uint64_t *)&marked.flags[pair / down * (p.n / STRIP) + row / STRIP];
    return pass == 1 ||
           (flags[0] | (row + TILE < rows ? flags[1] : 0)) & SECOND * 0x0101010101010101;
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
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + (size_t)(row + y) * p.n + column + x;
    int wants = 0;
#pragma unroll
    for (int i = 0; i < SUMS && pass == 2; i++) /* of the first pass */
        level[2][i] = __float_as_int(c[i / 4 * 8 + i / 2 % 2 * 8 * p.n + i % 2]);
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        const vector_info *right = &s->columns[x + 2 * i];
        float value[4];
        for (int j = 0; j < 4; j++)
            value[j] = (pass == 1 ? combine_first : combine_next)(
                left[j / 2], right[j % 2], level[0][i + j], level[1][i + j],
                level[2][i + j], &wants);
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    const int any = __any_sync(~0u, wants), fp64 = __any_sync(~0u, wants & IN_DOUBLE);
    if (lane == 0)
        *flag = (fp64 ? IN_DOUBLE : any ? SECOND : 0) | (pass == 2 ? SECOND : 0);
    if (lane == 0 && pass == 2)
        atomicAdd(p.again + 1, 1);
    if (any)
        marked.found[!fp64] = 1;
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
            if (has_pair<pass>(p, marked, i, down, rows))
                produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            if (has_pair<pass>(p, marked, i, down, rows))
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

static void finish(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned count = (unsigned)(p.n * p.n / (STRIP * TILE));
    if (m->found[1]) { /* slices_a lie behind slices_b */
        magnitude_kernel<<<2 * count * STRIP / BK, 512, 0, stream>>>(p.slices_b);
        CUDA_CHECK(cudaGetLastError());
        multiply<2>(m, 0, p.n, stream);
    }
    double_kernel<<<count, STRIP_THREADS, 0, stream>>>(p, find_strips(m, 0));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply<1>,
        "strips of 16 x 128 elements were computed in double",
        padded * padded / (STRIP * TILE), finish, "strips took the next products");
}
