/* 73_early_launch - A is sliced while the largest elements of B's columns are found.
 *
 * New: slice, which starts slice_kernel by programmatic dependent launch.
 * Launch: as 72, A before B's slices. Reads: as 72. Chapter: docs/73_early_launch.md
 * Run: make 73_early_launch && ./73_early_launch/run */
#include "columns.h"
#include "consumer.h"

enum {
    PANEL = 1024,      /* tiles of C in a panel */
    MAXIMA_BLOCKS = 32 /* one below the other */
};

/* The largest of each column, TILE columns in a block; ldb: of B or a share of B. */
static __global__ void column_maxima_kernel(const product p, size_t ldb,
                                            const column_sums s) {
    const size_t x = blockIdx.x * TILE + threadIdx.x % 32 * 4,
                 rows = (unsigned)p.n / gridDim.y, first = blockIdx.y * rows;
    cudaTriggerProgrammaticLaunchCompletion(); /* slice_kernel may begin */
    __shared__ unsigned largest[TILE];         /* of this block */
    if (threadIdx.x < TILE)
        largest[threadIdx.x] = 0;
    __syncthreads();
    unsigned bits[4] = {}; /* twice */
#pragma unroll 8           /* loads in flight */
    for (size_t k = first + threadIdx.x / 32; k < first + rows;
         k += COLUMN_THREADS / 32) {
        const uint4 four = *(const uint4 *)&p.b[k * ldb + x];
        const unsigned next[] = {four.x * 2, four.y * 2, four.z * 2, four.w * 2};
        for (int i = 0; i < 4; i++)
            bits[i] = max(bits[i], next[i]);
    }
    for (int i = 0; i < 4; i++)
        atomicMax(&largest[threadIdx.x % 32 * 4 + i], bits[i] / 2);
    __syncthreads();
    if (threadIdx.x < TILE)
        atomicMax(&s.largest[blockIdx.x * TILE + threadIdx.x], largest[threadIdx.x]);
}

/* The sums lie in the memory of C, which nobody needs yet. */
static column_sums find_sums(const product &p) {
    unsigned *sums = (unsigned *)p.c;
    return {sums, {sums + p.n, sums + 2 * p.n, sums + 3 * p.n, sums + 4 * p.n}};
}

/* Finds them. B has ldb columns. */
static void measure_columns(const product &p, size_t ldb, cudaStream_t stream) {
    const dim3 grid((unsigned)ldb / TILE, MAXIMA_BLOCKS);
    CUDA_CHECK(cudaMemsetAsync(p.c, 0, (SLICES + 2) * p.n * sizeof(unsigned), stream));
    column_maxima_kernel<<<grid, COLUMN_THREADS, 0, stream>>>(p, ldb, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
}

/* Slices them. */
static void slice_columns(const product &p, size_t ldb, cudaStream_t stream) {
    const dim3 grid((unsigned)ldb / TILE, (unsigned)p.n / BK);
    slice_columns_kernel<<<grid, COLUMN_THREADS, 0, stream>>>(p, ldb, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
    describe_columns_kernel<<<grid.x, TILE, 0, stream>>>(p, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
}

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

/* B waits for the first rows of A. */
static void prepare_nothing(const device_matrices *, cudaStream_t) {}

template <int pass>
static __global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    matmult_kernel(const product p, const strips marked, unsigned rows) {
    extern __shared__ __align__(1024) signed char memory[];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    pipeline pipe = {(stage *)memory, full, empty, 0};
    const unsigned rank = blockIdx.x % CLUSTER, down = (rows / TILE + 1) / CLUSTER,
                   pairs = down * (unsigned)(p.n / TILE);
    if (threadIdx.x < STAGES) {
        init_barrier(&full[threadIdx.x], 1);
        init_barrier(&empty[threadIdx.x], CLUSTER * CONSUMERS * 4); /* warps */
    }
    sync_cluster(); /* the barriers are there */
    if (threadIdx.x / WARPGROUP == CONSUMERS) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
        for (unsigned i = blockIdx.x / CLUSTER; threadIdx.x % WARPGROUP == 0 && i < pairs;
             i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            if (has_pair<pass>(p, marked, i, down, rows))
                produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
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
    if (pass == 1)
        slice(p, row, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    matmult_kernel<pass>
        <<<(unsigned)blocks / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
            p, find_strips(m, row), (unsigned)rows);
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
        prepare_nothing);
}
