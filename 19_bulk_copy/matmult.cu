/* 19_bulk_copy - one thread copies for all: TMA bulk copies bring the slices, and
 * barriers in shared memory count the bytes that have arrived.
 *
 * New: cp.async.bulk, and mbarriers, their phases and parity (both in bulk_copy.h).
 * Launch: 128 threads and 108 KB of shared memory for each 128 x 64 elements of C.
 * Reads: 9 n^3 / 128 bytes of slices.
 * Chapter: docs/19_bulk_copy.md
 * Run: make 19_bulk_copy && ./19_bulk_copy/run */
#include "../15_tensor_core/mma.h"
#include "../16_warp_tiles/ldmatrix.h"
#include "../18_packed_tiles/packed_tiles.h"
#include "bulk_copy.h"

enum {
    BM = 128,          /* rows of C in a block */
    BN = 64,           /* columns of C in a block */
    STAGES = 3,        /* one in use, two being filled */
    WM = 64,           /* rows of C in a warp */
    WN = 32,           /* columns of C in a warp */
    ACCUMULATORS = 64, /* of a kind in a thread */
    THREADS = 128      /* in a block */
};

/* Slices of BM rows and BN columns. */
typedef struct stage {
    signed char a[SLICES][BM][BK], b[SLICES][BN][BK];
} stage;

/* Starts to copy a stage: a tile of A, and of each slice of B a piece of one. */
static __device__ void copy_stage(stage *to, const signed char *a, const signed char *b,
                                  uint64_t *full) {
    arrive_and_expect(full, sizeof *to);
    start_bulk_copy(to->a, a, sizeof to->a, full);
    for (unsigned d = 0; d < SLICES; d++)
        start_bulk_copy(to->b[d], b + d * SLICE_BYTES, sizeof to->b[d], full);
}

static __global__ void __launch_bounds__(THREADS)
    matmult_kernel(const sliced_operands o) {
    extern __shared__ __align__(128) signed char memory[];
    stage *const stages = (stage *)memory;
    __shared__ uint64_t full[STAGES]; /* barriers: the stage is complete */
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BN;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned x = warp % (BN / WN) * WN, y = warp / (BN / WN) * WM;
    const unsigned tiles = (unsigned)o.n / BK; /* along k */
    int sum[SLICES][ACCUMULATORS] = {};
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
                            multiply_add(&sum[d + e][16 * i + 4 * j], a[d], b[e][j]);
            }
        }
    }
#pragma unroll /* for ptxas, which spills otherwise */
    for (int i = 0; i < SLICES * ACCUMULATORS; i++)
        asm volatile("" : "+r"(sum[i / ACCUMULATORS][i % ACCUMULATORS]));
#pragma unroll
    for (int i = 0; i < ACCUMULATORS; i++) {
        const size_t to_row = row + y + lane / 4 + i / 16 * 16 + i / 2 % 2 * 8,
                     to_column = column + x + lane % 4 * 2 + i / 4 % 4 * 8 + i % 2;
        o.c[to_row * o.n + to_column] = dequantize(
            sum[0][i], sum[1][i], sum[2][i], o.scale_a[to_row], o.scale_b[to_column]);
    }
}

static void multiply(const sliced_operands &o) {
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    matmult_kernel<<<dim3((unsigned)o.n / BN, (unsigned)o.n / BM), THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<packed_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
