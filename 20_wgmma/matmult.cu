/* 20_wgmma - a warpgroup, 128 threads, starts a product of 64 x 32 by 32 x 128 slices:
 * tensor cores read both factors from shared memory while the threads go on.
 *
 * New: matrix descriptors; wgmma, which is asynchronous as copies are, so that sums are
 * there only behind a wait.
 * Launch and reads: as 18. Chapter: docs/20_wgmma.md
 * Run: make 20_wgmma && ./20_wgmma/run */
#include "tile_images.h"
#include <stdint.h>

enum {
    WARPGROUP = 128, /* threads */
    WG_M = 64,       /* rows of C in a warpgroup; it has TILE columns */
    WG_K = 32,       /* k in a product */
    SUMS = 64        /* of a level in a thread */
};
enum {
    PANEL = 1024, /* tiles of C in a panel */
    STAGES = 4,   /* one in use, three on their way */
    THREADS = 256 /* in a block, which has TILE rows and columns */
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
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

/* The matrix descriptor of vectors of a slice: their address and the distance from eight
 * of them to the next eight, both by 16 bytes; 2 is the 64-byte swizzle. */
static __device__ uint64_t make_descriptor(const signed char *vectors) {
    return __cvta_generic_to_shared(vectors) >> 4 | 8ull * BK / 16 << 32 | 2ull << 62;
}

/* Starts sum += A B: 64 x 128 sums of 32 products. Of each eight columns, with g = lane /
 * 4, l = lane % 4 a lane of warp w has columns 2 l and 2 l + 1 of row 16 w + g, then of
 * row 16 w + g + 8. */
static __device__ void start_products(int (&sum)[SUMS], uint64_t a, uint64_t b) {
#define R4(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
    asm volatile("{ .reg .pred add; setp.ne.b32 add, 1, 0;"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
                 "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
                 "%58, %59, %60, %61, %62, %63}, %64, %65, add; }"
                 : R16(0), R16(16), R16(32), R16(48)
                 : "l"(a), "l"(b));
}

/* Before the first of a group of products. */
static __device__ void fence_sums() { asm volatile("wgmma.fence.sync.aligned;"); }

/* Ends a group of products. */
static __device__ void commit_products() {
    asm volatile("wgmma.commit_group.sync.aligned;");
}

/* Waits for all but the last GROUPS groups. */
template <int GROUPS> static __device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(GROUPS) : "memory");
}

/* Waits for all; tells the compiler that the sums change now and not before. */
static __device__ void finish_products(int (&level)[SLICES][SUMS]) {
    wait_for_products<0>();
#pragma unroll
    for (int i = 0; i < SLICES * SUMS; i++)
        asm volatile("" : "+r"(level[i / SUMS][i % SUMS])::"memory");
}

static __global__ void __launch_bounds__(THREADS) matmult_kernel(const product p) {
    extern __shared__ __align__(1024) signed char memory[];
    stage *const stages = (stage *)memory;
    __shared__ uint64_t full[STAGES]; /* barriers: the stage has come */
    const size_t row = (size_t)blockIdx.x * TILE, column = (size_t)blockIdx.y * TILE;
    const unsigned warpgroup = threadIdx.x / WARPGROUP, lane = threadIdx.x % 32;
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
        const stage *s = &stages[k % STAGES];
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
        __syncthreads(); /* nobody needs stage k - 1 any more */
        const unsigned next = k + STAGES - 1;
        if (threadIdx.x == 0 && next < tiles)
            copy_stage(&stages[next % STAGES], from_a + (size_t)next * TILE_BYTES,
                       from_b + (size_t)next * TILE_BYTES, &full[next % STAGES]);
    }
    finish_products(level);
    const size_t first_row = row + threadIdx.x / 32 * 16 + lane / 4,
                 first_column = column + lane % 4 * 2;
    int again = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i++)
        again |= store(&p, first_row + i / 2 % 2 * 8, first_column + i / 4 * 8 + i % 2,
                       level[0][i], level[1][i], level[2][i]);
    for (int i = 0; again && i < SUMS; i++)
        compute_again(&p, first_row + i / 2 % 2 * 8, first_column + i / 4 * 8 + i % 2);
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
