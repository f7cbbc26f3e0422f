/* 19_wgmma - the products of step 18 by wgmma: 128 threads, a warpgroup, start 64 x 128 x
 * 32 products at once, and tensor cores read both factors from shared memory.
 *
 * New: matrix descriptors, and products that are asynchronous as copies are: a
 * warpgroup starts a stage's twelve and waits for those of the stage before.
 * Launch: two warpgroups for each 128 x 128 elements of C; reads 6 n^3 / 128 bytes of
 * slices.
 * Chapter: docs/19_wgmma.md
 * Run: make 19_wgmma && ./19_wgmma/run */
#include "bulk_copy.h"

enum {
    PANEL = 512,                 /* tiles of C in a panel */
    WARPGROUP = 128,             /* threads */
    WG_M = 64,                   /* rows of C in a warpgroup */
    WG_K = 32,                   /* k in a product */
    THREADS = 2 * WARPGROUP,     /* in a block */
    SUMS = 64,                   /* a thread's part of 64 x 128 sums */
    STAGES = 4,                  /* so many tiles of A and of B fit */
    STAGE_BYTES = 2 * TILE_BYTES /* A's tile, then B's */
};

/* The matrix descriptor of vectors of a slice in shared memory: in units of 16 bytes
 * their address, and the distance from 8 vectors to the next 8; 2 is the 64-byte swizzle.
 * The address begins with a vector whose number is a multiple of 8, and may be moved by
 * bytes / 16. */
static __device__ uint64_t make_descriptor(const void *vectors) {
    return shared_address(vectors) >> 4 | (uint64_t)(8 * BK >> 4) << 32 |
           (uint64_t)2 << 62;
}

/* Before the first product after the registers of sums were written. */
static __device__ void fence_sums() {
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

/* Starts sum += A B, 64 x 128 sums of 32 products each. Thread t of the warpgroup holds
 * rows t / 32 * 16 + t % 32 / 4 and 8 below; sum[4 j], [4 j + 1] are of the first row,
 * columns 8 j + t % 4 * 2 and the next, sum[4 j + 2], [4 j + 3] of the second row. */
static __device__ void start_products(int (&sum)[SUMS], uint64_t a, uint64_t b) {
#define R4(i) "+r"(sum[i]), "+r"(sum[i + 1]), "+r"(sum[i + 2]), "+r"(sum[i + 3])
#define R16(i) R4(i), R4(i + 4), R4(i + 8), R4(i + 12)
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, 1, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k32.s32.s8.s8 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, "
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, "
                 "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, "
                 "%58, %59, %60, %61, %62, %63}, %64, %65, add;\n}"
                 : R16(0), R16(16), R16(32), R16(48)
                 : "l"(a), "l"(b));
#undef R16
#undef R4
}

/* The products that were started become a group. */
static __device__ void commit_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

/* Waits for all but the newest GROUPS groups of products. */
template <int GROUPS> static __device__ void wait_for_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(GROUPS) : "memory");
}

/* Waits for all products; only then may a thread read its sums. The compiler knows
 * nothing of that: it is told that the wait changes them. */
static __device__ void finish_products(int (&level)[SLICES][SUMS]) {
    wait_for_products<0>();
#pragma unroll
    for (int i = 0; i < SLICES * SUMS; i++)
        asm volatile("" : "+r"(level[i / SUMS][i % SUMS])::"memory");
}

static __global__ void __launch_bounds__(THREADS, 1) matmult_kernel(const product p) {
    extern __shared__ __align__(1024) signed char stages[];
    __shared__ uint64_t full[STAGES];
    const size_t row = (size_t)blockIdx.y * TILE, column = (size_t)blockIdx.x * TILE;
    const signed char *tiles_a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *tiles_b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    const unsigned tiles = (unsigned)(p.n / BK), warpgroup = threadIdx.x / WARPGROUP;
    auto start_copies =
        [&](unsigned i) { /* of tiles i, by one thread */
                          uint64_t *barrier = &full[i % STAGES];
                          signed char *stage = stages + i % STAGES * STAGE_BYTES;
                          arrive_and_expect(barrier, STAGE_BYTES);
                          start_bulk_copy(stage, tiles_a + (size_t)i * TILE_BYTES,
                                          TILE_BYTES, barrier);
                          start_bulk_copy(stage + TILE_BYTES,
                                          tiles_b + (size_t)i * TILE_BYTES, TILE_BYTES,
                                          barrier);
        };
    if (threadIdx.x == 0) {
        for (unsigned s = 0; s < STAGES; s++)
            init_barrier(&full[s], 1);
        fence_barrier_init();
        for (unsigned i = 0; i < STAGES - 1 && i < tiles; i++)
            start_copies(i);
    }
    __syncthreads(); /* the barriers are there */

    int level[SLICES][SUMS] = {};
    for (unsigned i = 0; i < tiles; i++) {
        const signed char *stage = stages + i % STAGES * STAGE_BYTES;
        const uint64_t a = make_descriptor(stage + warpgroup * WG_M * BK),
                       b = make_descriptor(stage + TILE_BYTES);
        wait_for_phase(&full[i % STAGES], i / STAGES % 2);
        fence_sums();
#pragma unroll
        for (int k = 0; k < BK; k += WG_K)
#pragma unroll
            for (int d = 0; d < SLICES; d++)
#pragma unroll
                for (int e = 0; d + e < SLICES; e++)
                    start_products(level[d + e], a + (d * SLICE_BYTES + k) / 16,
                                   b + (e * SLICE_BYTES + k) / 16);
        commit_products();
        wait_for_products<1>(); /* those of the stage before */
        __syncthreads();        /* the other warpgroup's too: that stage is free */
        if (threadIdx.x == 0 && i + STAGES - 1 < tiles)
            start_copies(i + STAGES - 1);
    }
    finish_products(level);
    const size_t lane = threadIdx.x % 32, y = row + threadIdx.x / 32 * 16 + lane / 4,
                 x = column + lane % 4 * 2;
#pragma unroll
    for (int j = 0; j < SUMS; j++)
        store(&p, y + j % 4 / 2 * 8, x + j / 4 * 8 + j % 2, level[0][j], level[1][j],
              level[2][j]);
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const int bytes = STAGES * STAGE_BYTES;
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const dim3 blocks((unsigned)p.n / TILE, (unsigned)rows / TILE);
    matmult_kernel<<<blocks, THREADS, bytes, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<image_layout>(a, lda, b, ldb, c, ldc, n, PANEL, multiply);
}
