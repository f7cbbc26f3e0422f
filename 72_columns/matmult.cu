/* 72_columns - B is sliced by as many blocks as it has tiles, which share sums.
 *
 * New: the sums, describe_columns_kernel.
 * Launch: as 71, with 256 threads for each tile of slices. Reads: as 71.
 * Chapter: docs/72_columns.md
 * Run: make 72_columns && ./72_columns/run */
#include "column_segments.h"
#include "consumer.h"

enum {
    PANEL = 1024,        /* tiles of C in a panel */
    MAXIMA_BLOCKS = 32,  /* one below the other */
    COLUMN_THREADS = 256 /* in a block */
};

/* Of a column: its largest element's bits; squares of slices and errors, summed. */
typedef struct column_sums {
    unsigned *largest, *squares[SLICES + 1];
} column_sums;

/* The largest of each column, TILE columns in a block; ldb: of B or a share of B. */
static __global__ void column_maxima_kernel(const product p, size_t ldb,
                                            const column_sums s) {
    const size_t x = blockIdx.x * TILE + threadIdx.x % 32 * 4,
                 rows = (unsigned)p.n / gridDim.y, first = blockIdx.y * rows;
    __shared__ unsigned largest[TILE]; /* of this block */
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

/* Slices a tile: BK elements of TILE columns. Its image is made in shared memory. The
 * last rows come first: some are still in the L2. */
static __global__ void __launch_bounds__(COLUMN_THREADS, 4)
    slice_columns_kernel(const product p, size_t ldb, const column_sums s) {
    __shared__ uint4 image[TILE_BYTES / SEGMENT];
    const unsigned x = threadIdx.x % TILE;
    const size_t column = blockIdx.x * TILE + x,
                 first = p.n - (blockIdx.y + 1) * (size_t)BK;
    const unsigned largest = s.largest[column];
    const double scale = find_scale(largest, can_hold(largest, p.n));
    unsigned square[SLICES + 1] = {};
    for (unsigned k = threadIdx.x / TILE * SEGMENT; k < BK;
         k += COLUMN_THREADS / TILE * SEGMENT) {
        slice_segment(&p.b[(first + k) * ldb + column], ldb, scale, image, x, k / SEGMENT,
                      square);
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&s.squares[d][column], square[d]);
    __syncthreads();
    uint4 *to =
        (uint4 *)&p.slices_b[image_layout::offset(blockIdx.x * TILE, 0, first, p.n)];
    for (unsigned i = threadIdx.x; i < TILE_BYTES / SEGMENT; i += COLUMN_THREADS)
        to[i] = image[i];
}

/* What the bound needs of each column. */
static __global__ void describe_columns_kernel(const product p, const column_sums s) {
    const size_t x = blockIdx.x * TILE + threadIdx.x;
    const unsigned squares[] = {s.squares[0][x], s.squares[1][x], s.squares[2][x],
                                s.squares[SLICES][x]};
    const unsigned largest = s.largest[x];
    const bool held = can_hold(largest, p.n);
    p.columns[x] = describe(squares, find_scale(largest, held), held);
}

/* The sums lie in the memory of C, which nobody needs yet. */
static column_sums find_sums(const product &p) {
    unsigned *sums = (unsigned *)p.c;
    return {sums, {sums + p.n, sums + 2 * p.n, sums + 3 * p.n, sums + 4 * p.n}};
}

/* Slices B. */
static void prepare_columns(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const dim3 grid((unsigned)p.n / TILE, MAXIMA_BLOCKS),
        tiles(grid.x, (unsigned)p.n / BK);
    CUDA_CHECK(cudaMemsetAsync(p.c, 0, (SLICES + 2) * p.n * sizeof(unsigned), stream));
    column_maxima_kernel<<<grid, COLUMN_THREADS, 0, stream>>>(p, p.n, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
    slice_columns_kernel<<<tiles, COLUMN_THREADS, 0, stream>>>(p, p.n, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
    describe_columns_kernel<<<grid.x, TILE, 0, stream>>>(p, find_sums(p));
    CUDA_CHECK(cudaGetLastError());
}

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
        slice_rows<image_layout>(&p, rows, stream);
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
        prepare_columns);
}
