/* 18_bulk_copy - one thread copies for all: TMA bulk copies bring the slices, and
 * barriers in shared memory count the bytes that have come.
 *
 * New: slices lie in device memory as they will lie in a stage, so that a copy needs no
 * order of its own; mbarriers, their phases and parity; cp.async.bulk.
 * Launch and reads: as 17. Chapter: docs/18_bulk_copy.md
 * Run: make 18_bulk_copy && ./18_bulk_copy/run */
#include "sliced_product.h"
#include <stdint.h>

enum {
    PANEL = 512,  /* tiles of C in a panel */
    SMALL = 1408, /* up to this n there are few tiles, and BM is 64 */
    BN = 64,      /* columns of C in a block */
    BK = 64,      /* k in a block's tiles of slices */
    STAGES = 3,   /* one in use, two on their way */
    WN = 32,      /* columns of C in a warp; its rows are BM / 2 */
    THREADS = 128 /* in a block */
};

/* Slices of BM rows and BN columns. */
template <int BM> struct stage { signed char a[SLICES][BM][BK], b[SLICES][BN][BK]; };

/* Where a segment of 16 slices lies among the BK of a vector. Two vectors have 32 banks:
 * so each second pair has another order. */
static __device__ unsigned swizzle(unsigned vector, unsigned segment) {
    return 16 * (segment ^ vector / 2 % 4);
}

/* A tile: TILE vectors, BK slices of each. Tiles lie one after another along k. */
enum { SLICE_BYTES = TILE * BK, TILE_BYTES = SLICES * SLICE_BYTES };
struct image_layout {
    static __device__ size_t offset(size_t i, int d, size_t k, size_t n) {
        const size_t tile = i / TILE * (n / BK) + k / BK, vector = i % TILE;
        return tile * TILE_BYTES + d * SLICE_BYTES + vector * BK +
               swizzle(vector, k % BK / 16) + k % 16;
    }
};

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
template <int BM>
static __device__ void copy_stage(stage<BM> *to, const signed char *a,
                                  const signed char *b, uint64_t *full) {
    arrive_and_expect(full, sizeof *to);
    for (unsigned d = 0; d < SLICES; d++) {
        start_bulk_copy(to->a[d], a + d * SLICE_BYTES, sizeof to->a[d], full);
        start_bulk_copy(to->b[d], b + d * SLICE_BYTES, sizeof to->b[d], full);
    }
}

/* Loads four matrices of 8 vectors x 16 slices, a word of each into each lane. Lanes 0 to
 * 7 have the addresses of the first one's vectors, lanes 8 to 15 of the second's. */
static __device__ void load_matrices(int *words, const signed char *vector) {
    const unsigned from = (unsigned)__cvta_generic_to_shared(vector);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "r"(from));
}

/* Adds 16 rows of A times 8 columns of B, 32 products each. With g = lane / 4, l = lane %
 * 4 a lane holds the words l and l + 4 of rows g and g + 8 of A and of column g of B; its
 * sums are of the same rows, columns 2 l and 2 l + 1. */
static __device__ void multiply_add(int *sum, const int *a, const int *b) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

template <int BM>
static __global__ void __launch_bounds__(THREADS) matmult_kernel(const product p) {
    enum { WM = BM / 2 };
    extern __shared__ __align__(128) signed char memory[];
    stage<BM> *const stages = (stage<BM> *)memory;
    __shared__ uint64_t full[STAGES]; /* barriers: the stage has come */
    const size_t row = (size_t)blockIdx.x * BM, column = (size_t)blockIdx.y * BN;
    const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const unsigned y = warp / (BN / WN) * WM, x = warp % (BN / WN) * WN;
    const unsigned tiles = (unsigned)p.n / BK; /* along k */
    int level[SLICES][WM / 16][WN / 8][4] = {};
    const signed char *from_a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *from_b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    if (threadIdx.x < STAGES)
        init_barrier(&full[threadIdx.x], 1);
    __syncthreads(); /* the barriers are there */
    for (unsigned i = 0; threadIdx.x == 0 && i < STAGES - 1; i++)
        copy_stage(&stages[i], from_a + i * TILE_BYTES, from_b + i * TILE_BYTES,
                   &full[i]);
    for (unsigned k = 0; k < tiles; k++) {
        wait_for_phase(&full[k % STAGES], k / STAGES % 2);
        __syncthreads(); /* stage k is complete, and nobody needs k - 1 any more */
        const unsigned next = k + STAGES - 1;
        if (threadIdx.x == 0 && next < tiles)
            copy_stage(&stages[next % STAGES], from_a + (size_t)next * TILE_BYTES,
                       from_b + (size_t)next * TILE_BYTES, &full[next % STAGES]);
        const stage<BM> *tile = &stages[k % STAGES];
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
                            multiply_add(level[d + e][i][j], a[d], b[e][j]);
            }
        }
    }
    const size_t first_row = row + y + lane / 4, first_column = column + x + lane % 4 * 2;
    int again = 0;
#pragma unroll
    for (int i = 0; i < WM / 16; i++)
        for (int j = 0; j < WN / 8; j++)
            for (int s = 0; s < 4; s++)
                again |= store(&p, first_row + 16 * i + s / 2 * 8,
                               first_column + 8 * j + s % 2, level[0][i][j][s],
                               level[1][i][j][s], level[2][i][j][s]);
    for (unsigned i = 0; again && i < WM / 8; i++)
        for (unsigned j = 0; j < WN / 4; j++)
            compute_again(&p, first_row + 8 * i, first_column + j / 2 * 8 + j % 2);
}

template <int BM> static void launch(const product *p, size_t rows, cudaStream_t stream) {
    const unsigned bytes = STAGES * sizeof(stage<BM>);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<BM>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 blocks((unsigned)rows / BM, (unsigned)p->n / BN);
    matmult_kernel<BM><<<blocks, THREADS, bytes, stream>>>(*p);
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    if (p.n <= SMALL)
        launch<64>(&p, rows, stream);
    else
        launch<128>(&p, rows, stream);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
