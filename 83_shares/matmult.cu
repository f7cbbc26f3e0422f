/* 83_shares - each device has rows of A and of C, and all of B.
 *
 * New: shares of the matrices, one for each rank; NCCL, which gathers B.
 * Launch: as 33, in each device. Reads: as 33, for the rows of a share; B twice.
 * Chapter: docs/83_shares.md
 * Run: make 83_shares && ./83_shares/run */
#include "column_maxima.h"
#include "halves.h"
#include "quick_consumer.h"
#include "rows_once.h"
#include "shares.h"
#include "wanted_columns.h"

enum {
    PANEL = 1024, /* tiles of C in a panel */
    SMALL = 384   /* up to this padded n double does it all, and is more exact */
};

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
    sync_cluster();                  /* the barriers are there */
    cudaGridDependencySynchronize(); /* and now the slices */
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
            if (pass == 1)
                consume_first(&pipe, p, marked, row, i / down * TILE, rows);
            else if (has_pair<2>(p, marked, i, down, rows))
                consume<2>(&pipe, p, marked, row, i / down * TILE, rows);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

template <int pass>
static void multiply(const share *s, size_t row, size_t rows, cudaStream_t stream) {
    const strips marked = {s->flags + row / STRIP, s->found};
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel<pass>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    const unsigned clusters = (unsigned)blocks / CLUSTER, across = (unsigned)s->n / TILE,
                   tiles = (unsigned)rows / TILE * across,
                   pairs = (unsigned)(rows / TILE + 1) / CLUSTER * across;
    /* rounds, a half of a tile in each block; all take twice as long as halves */
    const bool halves =
        pass == 1 && (tiles - 1) / clusters + 1 < ((pairs - 1) / clusters + 1) * 2;
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {
        clusters * CLUSTER, THREADS, bytes, stream, &early, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, matmult_kernel<pass>, find_part(s, row, 0),
                                  marked, (unsigned)rows, halves));
}

/* Lists the strips whose flags are set. Before the list stands how many. */
static __global__ void list_kernel(const unsigned char *flags, unsigned count,
                                   unsigned *list) {
    const unsigned strip = blockIdx.x * blockDim.x + threadIdx.x;
    if (strip < count && flags[strip] & IN_DOUBLE)
        list[1 + atomicAdd(list, 1)] = strip;
}

static __global__ void __launch_bounds__(STRIP_THREADS, 4)
    listed_kernel(const product p, const unsigned *list) {
    compute_wanted(p, list[1 + blockIdx.x]);
}

/* Each rank gets all columns of B and slices them. */
static void prepare_share(const rank *r, const share *s, cudaStream_t stream,
                          cudaStream_t) {
    if (s->n <= SMALL) { /* all strips of its rows in double */
        CUDA_CHECK(cudaMemset2DAsync(s->flags, s->n / STRIP, IN_DOUBLE, s->count / STRIP,
                                     s->n / TILE, stream));
        CUDA_CHECK(cudaMemsetAsync(s->rows, 0xff, (s->count + s->n) * sizeof(vector_info),
                                   stream)); /* NaN */
        CUDA_CHECK(cudaMemsetAsync(s->c, 0xff, s->count * s->n * sizeof(float), stream));
        s->found[0] = 1;
        return;
    }
    product p = find_part(s, 0, 0);
    float *b = gather_columns(r, s->b, s->n / TILE, TILE, stream);
    p.b = b;
    if (s->count > 0) { /* else there is no memory for the sums, and no need */
        measure_columns(p, s->n, stream);
        slice_columns(p, s->n, stream);
    }
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaFree(b));
}

/* Multiplies rows of a share. */
static void multiply_rows(const rank *, const share *s, size_t row, size_t rows,
                          cudaStream_t stream) {
    const product p = find_part(s, row, 0);
    if (s->n <= SMALL)
        return;
    slice_rows_once(p, rows, stream);
    multiply<1>(s, row, rows, stream);
}

/* What strips want. Those in double need B itself, which no rank has: if one of them
 * needs it, all take part. */
static void finish(const rank *r, const share *s, cudaStream_t stream) {
    if (s->found[1]) { /* slices_b lie behind slices_a */
        magnitude_kernel<<<(unsigned)((s->count + s->n) / TILE * (s->n / BK)), 512, 0,
                           stream>>>(s->slices_a);
        CUDA_CHECK(cudaGetLastError());
        multiply<2>(s, 0, s->count, stream);
        CUDA_CHECK(cudaStreamSynchronize(stream));
    }
    if (!largest_of_ranks(r, s->found[0]))
        return;
    product p = find_part(s, 0, 0);
    float *b = gather_columns(r, s->b, s->n / TILE, TILE, stream);
    p.b = b;
    const unsigned count = (unsigned)(s->n * s->n / (STRIP * TILE));
    unsigned *list = (unsigned *)(s->flags + count), listed;
    CUDA_CHECK(cudaMemsetAsync(list, 0, sizeof listed, stream));
    list_kernel<<<(count + 255) / 256, 256, 0, stream>>>(s->flags, count, list);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(
        cudaMemcpyAsync(&listed, list, sizeof listed, cudaMemcpyDeviceToHost, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    if (listed > 0)
        listed_kernel<<<listed, STRIP_THREADS, 0, stream>>>(p, list);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaStreamSynchronize(stream));
    CUDA_CHECK(cudaFree(b));
}

static share_result multiply_share(const rank *r, const ranked_call *c) {
    const share_plan plan = {PANEL, prepare_share, multiply_rows, finish};
    return multiply_in_share(r, c, &plan);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const ranked_call call = {a, lda, b, ldb, c, ldc, n};
    return perform_call(&call, multiply_share,
                        "strips of 16 x 128 elements were computed in double",
                        "strips took the next products");
}
