/* 64_strips - where the error bound fails, a warp flags its strip of 16 x 128 elements of
 * C, and another kernel computes such strips in double.
 *
 * New: flags, and a word of the host's memory that tells it whether one is set.
 * Launch: a block for each SM, which takes tiles of C in turn, each pair two of them;
 * for flags also 64 threads a strip. Reads: as 24. Chapter: docs/64_strips.md
 * Run: make 64_strips && ./64_strips/run */
#include "clusters.h"

enum {
    PANEL = 1024, /* tiles of C in a panel */
    STRIP = 16,   /* rows of a strip, which has a tile's columns */
    DEPTH = 8,    /* k in a tile of double_kernel */
    TN = 2,       /* columns of a thread there */
    IN_DOUBLE = 1 /* a strip's flag */
};

/* What says which strips are to be computed in double, from a row on. */
typedef struct strips {
    unsigned char *flags; /* from the top down, then of the next columns */
    unsigned *found;      /* in the host's memory: whether one is set */
} strips;

/* Starts the copies for a tile of C, in one thread. */
static __device__ void produce(pipeline *pipe, const product &p, unsigned row,
                               unsigned column, unsigned rank) {
    const signed char *a = p.slices_a + image_layout::offset(row, 0, 0, p.n),
                      *b = p.slices_b + image_layout::offset(column, 0, 0, p.n);
    for (unsigned k = 0; k < p.n;
         k += BK, pipe->turn++, a += TILE_BYTES, b += TILE_BYTES) {
        const unsigned i = pipe->turn % STAGES, last = k + BK == p.n;
        stage *s = &pipe->stages[i];
        uint64_t *full = &pipe->full[i];
        wait_for_phase(&pipe->empty[i], pipe->turn / STAGES % 2 ^ 1);
        arrive_and_expect(full, last ? sizeof *s : 2 * TILE_BYTES);
        start_bulk_copy(s->a, a, TILE_BYTES, full);
        start_multicast_copy(s->b + rank * HALF, b + rank * HALF, HALF, full);
        if (last) {
            start_bulk_copy(s->rows, p.rows + row, sizeof s->rows, full);
            start_bulk_copy(s->columns, p.columns + column, sizeof s->columns, full);
        }
    }
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
static __device__ void consume(pipeline *pipe, const product &p, const strips &marked,
                               unsigned row, unsigned column, unsigned rows) {
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
    if (row == rows) /* the last pair has one tile */
        return release(pipe, pipe->turn - 1);
    const unsigned turn = pipe->turn - 1, y = threadIdx.x / 32 * 16 + lane / 4,
                   x = lane % 4 * 2;
    const stage *s = &pipe->stages[turn % STAGES];
    const size_t first_row = row + y, first_column = column + x;
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + first_row * p.n + first_column;
    int again = 0;
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        const vector_info *right = &s->columns[x + 2 * i];
        float value[4];
        for (int j = 0; j < 4; j++) {
            value[j] = combine(left[j / 2], right[j % 2], level[0][i + j],
                               level[1][i + j], level[2][i + j]);
            again |= must_repeat(value[j]);
        }
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    again = __any_sync(~0u, again);
    if (lane == 0)
        marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + threadIdx.x / 32] =
            again ? IN_DOUBLE : 0;
    if (again)
        *marked.found = 1;
}

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
            produce(&pipe, p, min(row, rows - TILE), i / down * TILE, rank);
        }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
        for (unsigned i = blockIdx.x / CLUSTER; i < pairs; i += gridDim.x / CLUSTER) {
            const unsigned row = (i % down * CLUSTER + rank) * TILE;
            consume(&pipe, p, marked, row, i / down * TILE, rows);
        }
    }
    sync_cluster(); /* the other block may still write into this one's memory */
}

/* Computes a strip in double, if its flag is set, with the sums of 01. A thread has TN
 * columns: each value of A serves TN products. */
static __global__ void __launch_bounds__(TILE / TN)
    double_kernel(const product p, const strips marked) {
    __shared__ __align__(16) double tile_a[DEPTH][STRIP];
    if (!(marked.flags[blockIdx.x] & IN_DOUBLE))
        return;
    const size_t down = p.n / STRIP, row = blockIdx.x % down * STRIP, t = threadIdx.x,
                 column = blockIdx.x / down * TILE + t;
    double sum[STRIP][TN] = {};
    for (size_t k = 0; k < p.n; k += DEPTH) {
        float b[DEPTH][TN]; /* in flight */
#pragma unroll
        for (int i = 0; i < DEPTH * TN; i++)
            b[i / TN][i % TN] = p.b[(k + i / TN) * p.n + column + i % TN * (TILE / TN)];
        __syncthreads(); /* nobody needs the last tile of A */
        for (unsigned i = t / DEPTH; i < STRIP; i += TILE / TN / DEPTH)
            tile_a[t % DEPTH][i] = p.a[(row + i) * p.n + k + t % DEPTH];
        __syncthreads();
#pragma unroll
        for (int l = 0; l < DEPTH; l++)
#pragma unroll
            for (int i = 0; i < STRIP * TN; i++)
                sum[i / TN][i % TN] =
                    fma(tile_a[l][i / TN], (double)b[l][i % TN], sum[i / TN][i % TN]);
    }
#pragma unroll
    for (int i = 0; i < STRIP * TN; i++)
        p.c[(row + i / TN) * p.n + column + i % TN * (TILE / TN)] =
            (float)sum[i / TN][i % TN];
    if (t == 0)
        atomicAdd(p.again, 1);
}

/* The strips from this row on; their flags lie behind what find_product finds. */
static strips find_strips(const device_matrices *m, size_t row) {
    return {(unsigned char *)(find_product(m, 0).rows + m->n) + row / STRIP, m->found};
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_rows<image_layout>(&p, rows, stream);
    const unsigned bytes = STAGES * sizeof(stage);
    CUDA_CHECK(cudaFuncSetAttribute(matmult_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    int device, blocks; /* as many as SMs */
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&blocks, cudaDevAttrMultiProcessorCount, device));
    matmult_kernel<<<(unsigned)blocks / CLUSTER * CLUSTER, THREADS, bytes, stream>>>(
        p, find_strips(m, row), (unsigned)rows);
    CUDA_CHECK(cudaGetLastError());
}

static void finish(const device_matrices *m, cudaStream_t stream) {
    const unsigned count = (unsigned)(m->n * m->n / (STRIP * TILE));
    double_kernel<<<count, TILE / TN, 0, stream>>>(find_product(m, 0), find_strips(m, 0));
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    return multiply_slices<image_layout>(
        a, lda, b, ldb, c, ldc, n, PANEL, multiply,
        "strips of 16 x 128 elements were computed in double",
        padded * padded / (STRIP * TILE), finish);
}
