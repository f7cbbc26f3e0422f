/* 20_wgmma - a warpgroup, 128 threads, starts a product of 64 x 32 by 32 x 128 slices:
 * tensor cores read both operands from shared memory while the threads go on.
 *
 * New: wgmma (wgmma.h), matrix descriptors; it is asynchronous as copies are, so that
 * accumulators are ready only behind a wait.
 * Launch: 256 threads, 2 warpgroups, and 192 KB of shared memory for each 128 x 128
 * elements of C. Reads: 6 n^3 / 128 bytes of slices.
 * Chapter: docs/20_wgmma.md
 * Run: make 20_wgmma && ./20_wgmma/run */
#include "../19_bulk_copy/bulk_copy.h"
#include "wgmma.h"

enum {
    STAGES = 4,   /* one in use, three being filled */
    THREADS = 256 /* in a block, which has TILE rows and columns of C */
};

/* Starts to copy a stage. */
static __device__ void copy_stage(stage *to, const signed char *a, const signed char *b,
                                  uint64_t *full) {
    arrive_and_expect(full, sizeof *to);
    start_bulk_copy(to->a, a, TILE_BYTES, full);
    start_bulk_copy(to->b, b, TILE_BYTES, full);
}

static __global__ void __launch_bounds__(THREADS)
    matmult_kernel(const sliced_operands o) {
    extern __shared__ __align__(1024) signed char memory[];
    stage *const stages = (stage *)memory;
    __shared__ uint64_t full[STAGES]; /* barriers: the stage is complete */
    const size_t row = (size_t)blockIdx.x * TILE, column = (size_t)blockIdx.y * TILE;
    const unsigned y = threadIdx.x / WARPGROUP * WG_M; /* of the warpgroup's rows */
    const unsigned tiles = (unsigned)o.n / BK;         /* along k */
    int sum[SLICES][ACCUMULATORS];
    clear(sum);
    const signed char *from_a = o.a + packed_layout::offset(row, 0, 0, o.n),
                      *from_b = o.b + packed_layout::offset(column, 0, 0, o.n);
    if (threadIdx.x < STAGES)
        init_barrier(&full[threadIdx.x], 1);
    __syncthreads(); /* the barriers are ready */
    for (unsigned i = 0; threadIdx.x == 0 && i < min(STAGES - 1, tiles); i++)
        copy_stage(&stages[i], from_a + i * TILE_BYTES, from_b + i * TILE_BYTES,
                   &full[i]);
    for (unsigned k = 0; k < tiles; k++) {
        wait_for_phase(&full[k % STAGES], k / STAGES % 2);
        const stage *tile = &stages[k % STAGES];
        start_stage(sum, tile->a + y * BK, tile->b);
        wait_for_products<1>(); /* those of stage k - 1 */
        __syncthreads();        /* nobody needs it any more */
        const unsigned next = k + STAGES - 1;
        if (threadIdx.x == 0 && next < tiles)
            copy_stage(&stages[next % STAGES], from_a + (size_t)next * TILE_BYTES,
                       from_b + (size_t)next * TILE_BYTES, &full[next % STAGES]);
    }
    finish_products(sum);
    store(o, row, column, sum);
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
