/* 22_persistent - a block for each SM takes tiles of C in turn: the copies of the next
 * one start while the consumers still store the last.
 *
 * New: loops over tiles, in which stages and their phases go on; vector_infos come with a
 * tile's last stage; two floats in a store. Launch: 384 threads for each SM; reads as 18.
 * Chapter: docs/22_persistent.md
 * Run: make 22_persistent && ./22_persistent/run */
#include "bulk_copy.h"
#include "wgmma.h"

enum {
    PANEL = 1024,  /* tiles of C in a panel */
    STAGES = 4,    /* two in use, two on their way */
    CONSUMERS = 2, /* warpgroups, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
    vector_info rows[TILE], columns[TILE]; /* come with the last k of a tile of C */
} stage;

/* A barrier has phases. One ends when so many threads have arrived and all bytes that
 * they expect have come; then the next begins. */
static __device__ void init_barrier(uint64_t *barrier, unsigned arrivals) {
    asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(barrier), "r"(arrivals));
    asm volatile("fence.mbarrier_init.release.cluster;");
}

/* Arrives, and expects so many bytes. */
static __device__ void arrive_and_expect(uint64_t *barrier, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.b64 _, [%0], %1;" ::"l"(barrier), "r"(bytes));
}

/* Waits for the end of the latest phase of this parity; they are 0, 1, 0, 1 and so on. */
static __device__ void wait_for_phase(uint64_t *barrier, unsigned parity) {
    asm volatile("{ .reg .pred ended;"
                 "again: mbarrier.try_wait.parity.b64 ended, [%0], %1;"
                 "@!ended bra again; }" ::"l"(barrier),
                 "r"(parity)
                 : "memory");
}

/* The stages of a block and their barriers: it has come; nobody needs it any more. */
typedef struct pipeline {
    stage *stages;
    uint64_t *full, *empty;
    unsigned turn; /* counts the stages in use, over all tiles of C */
} pipeline;

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const product &p, unsigned row,
                               unsigned column) {
    const signed char *a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    for (unsigned k = 0; k < p.n;
         k += BK, pipe->turn++, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned i = pipe->turn % STAGES, last = k + BK == p.n;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, last ? sizeof *s : 2 * TILE_BYTES);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_bulk_copy(s->b, b, TILE_BYTES, full);
        if (last) {
            start_bulk_copy(s->rows, p.rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p.columns + column, sizeof s->columns, full);
        }
    }
}

/* A warp does not need the stage of this turn any more. */
static __device__ void release(const pipeline *pipe, unsigned turn) {
    __syncwarp(); /* all lanes have read */
    if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.b64 _, [%0];" ::"l"(&pipe->empty[turn % STAGES])
                     : "memory");
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const product &p, unsigned row,
                               unsigned column) {
    const unsigned warpgroup = threadIdx.x / WARPGROUP, lane = threadIdx.x % 32;
    int level[SLICES][SUMS] = {};
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
                for (int e = 0; d + e < SLICES; e++)
                    start_products(level[d + e], a + (d * SLICE_BYTES + l) / 16,
                                   b + (e * SLICE_BYTES + l) / 16);
        commit_products();
        wait_for_products<1>();
        if (k > 0)
            release(pipe, pipe->turn - 1);
    }
    finish_products(level);
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
        for (int j = 0; j < 4; j++) {
            value[j] = combine(left[j / 2], right[j % 2], level[0][i + j],
                               level[1][i + j], level[2][i + j]);
            again |= must_repeat(value[j]);
        }
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    for (int i = 0; again && i < SUMS; i++)
        compute_again(&p, first_row + i / 2 % 2 * 8, first_column + i / 4 * 8 + i % 2);
}

static __global__ void __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, unsigned rows) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    const unsigned down = rows / TILE, tiles = down * (unsigned)(p.n / TILE);
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CONSUMERS * 4); /* warps */
    }
    __syncthreads(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x; threadIdx.x % WARPGROUP == 0 && i < tiles;
             i += gridDim.x)
            produce(&pipe, p, i % down * TILE, i / down * TILE);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x; i < tiles; i += gridDim.x)
            consume(&pipe, p, i % down * TILE, i / down * TILE);
    }
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    matmult_kernel<<<(unsigned)blocks, THREADS, bytes, stream>>>(p, (unsigned)rows);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
