/* 19_bulk_copy - one thread copies for all: TMA bulk copies bring the slices, and
 * barriers in shared memory count the bytes that have come.
 *
 * New: mbarriers, their phases and parity; cp.async.bulk.
 * Launch and reads: as 18. Chapter: docs/19_bulk_copy.md
 * Run: make 19_bulk_copy && ./19_bulk_copy/run */
#include "tile_images.h"
#include "warp_products.h"
#include <stdint.h>

enum {
    PANEL = 1024, /* tiles of C in a panel */
    STAGES = 4,   /* one in use, three on their way */
    WM = 64,      /* rows of C in a warp */
    WN = 32,      /* columns of C in a warp */
    SUMS = 64,    /* of a level in a thread */
    THREADS = 256 /* in a block, which has TILE rows and columns */
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[SLICES][TILE][BK], b[SLICES][TILE][BK];
} stage;

static __device__ unsigned shared_address(const void *p) {
    return (unsigned)__cvta_generic_to_shared(p);
}

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

/* Starts a copy from device memory; the barrier counts its bytes. */
static __device__ void start_bulk_copy(void *to, const void *from, unsigned bytes,
                                       uint64_t *barrier) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(shared_address(to)),
                 "l"(from), "r"(bytes), "r"(shared_address(barrier)));
}

/* Starts to copy a stage. */
static __device__ void copy_stage(stage *to, const signed char *a, const signed char *b,
                                  uint64_t *full) {
    arrive_and_expect(full, sizeof *to);
    start_bulk_copy(to->a, a, sizeof to->a, full);
    start_bulk_copy(to->b, b, sizeof to->b, full);
}

static __global__ void __launch_bounds__(THREADS) matmult_kernel(const product p) {
    extern __shared__ __align__(1024) signed char memory[];
    stage *const stages = (stage *)memory;
    __shared__ uint64_t full[STAGES]; /* barriers: the stage has come */
    const size_t row = (size_t)blockIdx.x * TILE, column = (size_t)blockIdx.y * TILE;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (TILE / WN) * WM, x = warp % (TILE / WN) * WN;
    const unsigned tiles = (unsigned)p.n / BK; /* along k */
    int level[SLICES][SUMS] = {};
    const signed char *from_a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *from_b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    if (threadIdx.x < STAGES)
        init_barrier(&full[threadIdx.x], 1);
    __syncthreads(); /* the barriers are there */
    for (unsigned i = 0; threadIdx.x == 0 && i < min(STAGES - 1, tiles); i++)
        copy_stage(&stages[i], from_a + i * TILE_BYTES, from_b + i * TILE_BYTES,
                   &full[i]);
    for (unsigned k = 0; k < tiles; k++) {
        wait_for_phase(&full[k % STAGES], k / STAGES % 2);
        __syncthreads(); /* stage k is complete, and nobody needs k - 1 any more */
        const unsigned next = k + STAGES - 1;
        if (threadIdx.x == 0 && next < tiles)
            copy_stage(&stages[next % STAGES], from_a + (size_t)next * TILE_BYTES,
                       from_b + (size_t)next * TILE_BYTES, &full[next % STAGES]);
        const stage *tile = &stages[k % STAGES];
        for (unsigned l = 0; l < BK / 16; l += 2) {
            int a[SLICES][4], b[SLICES][WN / 8][2];
            for (int e = 0; e < SLICES; e++)
                for (int j = 0; j < WN / 8; j += 2) {
                    const unsigned i = x + 8 * j + lane / 16 * 8 + lane % 8;
                    load_matrices(b[e][j], &tile->b[e][i][swizzle(i, l + lane / 8 % 2)]);
                }
            for (int i = 0; i < WM / 16; i++) {
                const unsigned j = y + 16 * i + lane % 16;
                for (int d = 0; d < SLICES; d++)
                    load_matrices(a[d], &tile->a[d][j][swizzle(j, l + lane / 16)]);
                for (int d = 0; d < SLICES; d++)
                    for (int e = 0; d + e < SLICES; e++)
                        for (int j = 0; j < WN / 8; j++)
                            multiply_add(&level[d + e][16 * i + 4 * j], a[d], b[e][j]);
            }
        }
    }
    const size_t first_row = row + y + lane / 4, first_column = column + x + lane % 4 * 2;
    int again = 0;
#pragma unroll
    for (int i = 0; i < SLICES * SUMS; i++) /* for ptxas, which spills them otherwise */
        asm volatile("" : "+r"(level[i / SUMS][i % SUMS]));
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        again |= store(&p, first_row + i / 16 * 16 + i / 2 % 2 * 8,
                       first_column + i / 4 % 4 * 8 + i % 2, level[0][i], level[1][i],
                       level[2][i]);
    for (int i = 0; again && i < SUMS; i++)
        compute_again(&p, first_row + i / 16 * 16 + i / 2 % 2 * 8,
                      first_column + i / 4 % 4 * 8 + i % 2);
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 blocks((unsigned)rows / TILE, (unsigned)p.n / TILE);
    matmult_kernel<<<blocks, THREADS, bytes, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
