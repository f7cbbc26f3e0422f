/* 75_small - a small product is computed in double at once, which is more exact too.
 *
 * New: prepare_small. Launch: as 74; up to n = 384 double_kernel alone. Reads: as 74.
 * Chapter: docs/75_small.md
 * Run: make 75_small && ./75_small/run */
#include "column_maxima.h"
#include "consumer.h"
#include "halves.h"

enum {
    PANEL = 1024, /* tiles of C in a panel */
    SMALL = 384   /* up to this padded n double does it all, and is more exact */
};

/* Slices these rows of A, and B before the first. A needs nothing of the maxima, which
 * let it begin at once; slice_columns waits for both. */
static void slice(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    if (row > 0)
        return slice_rows<image_layout>(&p, rows, stream);
    measure_columns(p, p.n, stream);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {(unsigned)rows, SLICE_THREADS, 0,
                                       stream,         &early,        1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, slice_kernel<image_layout>, p.a, p.n,
                                  p.slices_a, p.rows));
    slice_columns(p, p.n, stream);
}

/* B waits for the first rows of A. In a small product all strips are done in double. */
static void prepare_small(const device_matrices *m, cudaStream_t stream) {
    if (m->n > SMALL)
        return;
    const strips marked = find_strips(m, 0);
    CUDA_CHECK(
        cudaMemsetAsync(marked.flags, IN_DOUBLE, m->n * m->n / (STRIP * TILE), stream));
    *marked.found = 1;
}

template <int pass>
static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips marked, unsigned rows, bool halves) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    const unsigned rank = blockIdx.x % CLUSTER,
                   down = halves ? rows / TILE : (rows / TILE + 1) / CLUSTER,
                   pairs = down * (unsigned)(p.n / TILE);
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x],
                     CLUSTER * (halves ? 1 : CONSUMERS) * 4); /* warps */
    }
    sync_cluster(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const unsigned row = (halves ? i % down : i % down * CLUSTER + rank) * TILE;
            if (halves)
                produce_half(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
            else if (has_pair<pass>(p, marked, i, down, rows))
                produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else if (!halves || threadIdx.x / WARPGROUP == rank) {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (halves ? i % down : i % down * CLUSTER + rank) * TILE;
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
    if (p.n <= SMALL)
        return;
    if (pass == 1)
        slice(p, row, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    const unsigned clusters = (unsigned)blocks / CLUSTER, across = (unsigned)p.n / TILE,
                   tiles = (unsigned)rows / TILE * across,
                   pairs = (unsigned)(rows / TILE + 1) / CLUSTER * across;
    /* rounds, a half of a tile in each block; all take twice as long as halves */
    const bool halves =
        pass == 1 && (tiles - 1) / clusters + 1 < ((pairs - 1) / clusters + 1) * 2;
    matmult_kernel<pass><<<clusters * CLUSTER, THREADS, bytes, stream>>>(
        p, find_strips(m, row), (unsigned)rows, halves);
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
        padded * padded / (STRIP * TILE), finish, "strips took the next products",
        prepare_small);
}
