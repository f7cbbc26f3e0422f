/* 21_warp_specialized - warps with roles: a producer starts all copies of a block, two
 * consumer warpgroups multiply, and they wait for each other only at a stage's barriers.
 *
 * New: empty barriers, which tell the producer that nobody needs a stage any more
 * (pipeline.h); setmaxnreg, by which the producer's registers go to the consumers.
 * Launch: 384 threads, 3 warpgroups, and 192 KB of shared memory for each 128 x 128
 * elements of C. Reads: 6 n^3 / 128 bytes of slices.
 * Chapter: docs/21_warp_specialized.md
 * Run: make 21_warp_specialized && ./21_warp_specialized/run */
#include "../19_bulk_copy/bulk_copy.h"
#include "pipeline.h"

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const sliced_operands &o, size_t row,
                               size_t column) {
    const signed char *a = o.a + packed_layout::offset(row, 0, 0, o.n),
                      *b = o.b + packed_layout::offset(column, 0, 0, o.n);
    for (size_t k = 0; k < o.n; k += BK, a += TILE_BYTES, b += TILE_BYTES) {
        stage *s = &pipe->stages[pipe->index];
        uint64_t *full = &pipe->full[pipe->index];
        wait_for_phase(&pipe->empty[pipe->index], pipe->phase ^ 1);
        arrive_and_expect(full, sizeof *s);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_bulk_copy(s->b, b, TILE_BYTES, full);
        advance(pipe);
    }
}

/* A warp does not need this stage any more. */
static __device__ void release(const pipeline *pipe, unsigned index) {
    if (threadIdx.x % 32 == 0)
        asm volatile("mbarrier.arrive.b64 _, [%0];" ::"l"(&pipe->empty[index])
                     : "memory");
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const sliced_operands &o, size_t row,
                               size_t column) {
    const unsigned y = threadIdx.x / WARPGROUP * WG_M; /* of the warpgroup's rows */
    int sum[SLICES][ACCUMULATORS];
    clear(sum);
    unsigned previous = STAGES; /* none */
    for (size_t k = 0; k < o.n; k += BK) {
        const stage *s = &pipe->stages[pipe->index];
        wait_for_phase(&pipe->full[pipe->index], pipe->phase);
        start_stage(sum, s->a + y * BK, s->b);
        wait_for_products<1>(); /* those of the stage before */
        if (k > 0)
            release(pipe, previous);
        previous = pipe->index;
        advance(pipe);
    }
    finish_products(sum);
    store(o, row, column, sum);
}

static __global__ void __launch_bounds__(THREADS, 1)
    matmult_kernel(const sliced_operands o) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0, 0};
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CONSUMERS * 4); /* warps */
    }
    __syncthreads(); /* the barriers are ready */
    const size_t row = (size_t)blockIdx.x * TILE, column = (size_t)blockIdx.y * TILE;
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x % WARPGROUP == 0)
            produce(&pipe, o, row, column);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(&pipe, o, row, column);
    }
}

static void multiply(const sliced_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage), tiles = (unsigned)o.n / TILE;
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<<<dim3(tiles, tiles), THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<packed_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
