/* 21_warp_specialized - warps with roles: a producer starts all copies of a block, two
 * consumer warpgroups multiply, and none waits for another but at the barrier of a stage.
 *
 * New: empty barriers, which tell the producer that nobody needs a stage any more;
 * setmaxnreg, by which the producer's registers go to the consumers.
 * Launch: 384 threads a block; reads as 18. Chapter: docs/21_warp_specialized.md
 * Run: make 21_warp_specialized && ./21_warp_specialized/run */
#include "bulk_copy.h"
#include "tile_images.h"

enum {
    WARPGROUP = 128, /* threads */
    WG_M = 64,       /* rows of C in a warpgroup; it has TILE columns */
    WG_K = 32,       /* k in a product */
    SUMS = 64        /* of a level in a thread */
};
enum {
    PANEL = 1024,  /* tiles of C in a panel */
    STAGES = 4,    /* two in use, two on their way */
    CONSUMERS = 2, /* warpgroups, one above the other */
    THREADS = (CONSUMERS + 1) * WARPGROUP
};

/* Slices of a tile's rows and columns. */
typedef struct stage {
    signed char a[TILE_BYTES], b[TILE_BYTES];
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
    unsigned turn; /* counts the stages in use */
} pipeline;

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

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const product &p, unsigned row,
                               unsigned column) {
    const signed char *a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    for (unsigned k = 0; k < p.n;
         k += BK, pipe->turn++, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned i = pipe->turn % STAGES;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, sizeof *s);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_bulk_copy(s->b, b, TILE_BYTES, full);
    }
}

/* A warp does not need the stage of this turn any more. */
static __device__ void release(const pipeline *pipe, unsigned turn) {
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

static __global__ void __launch_bounds__(THREADS, 1) matmult_kernel(const product p) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CONSUMERS * 4); /* warps */
    }
    __syncthreads(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        if (threadIdx.x % WARPGROUP == 0)
            produce(&pipe, p, blockIdx.x * TILE, blockIdx.y * TILE);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        consume(&pipe, p, blockIdx.x * TILE, blockIdx.y * TILE);
    }
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
