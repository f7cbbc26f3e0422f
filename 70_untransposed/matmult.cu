/* 70_untransposed - B is sliced as it lies, not transposed before: a tile of its slices
 * is made in shared memory, in the order of columns.
 *
 * New: slice_columns_kernel, for two kernels. Launch: as 69; this one with 512 threads
 * for 128 columns. Reads: as 69; B twice. Chapter: docs/70_untransposed.md
 * Run: make 70_untransposed && ./70_untransposed/run */
#include "wanted_tiles.h"

enum {
    PANEL = 1024,         /* tiles of C in a panel */
    COLUMN_THREADS = 512, /* in a block of slice_columns_kernel */
    SEGMENT = 16          /* slices of a vector that lie together */
};

/* Slices a segment of column x of a tile into the tile's image; adds squares. */
static __device__ void slice_segment(const float *b, size_t ldb, double scale,
                                     uint4 *image, unsigned x, unsigned segment,
                                     unsigned *square) {
    float values[SEGMENT]; /* in flight */
#pragma unroll
    for (int i = 0; i < SEGMENT; i++)
        values[i] = b[i * ldb];
    unsigned word[SLICES][SEGMENT / 4] = {};
#pragma unroll
    for (int i = 0; i < SEGMENT; i++) {
        const unsigned bytes = slice_element(values[i], scale, &square[SLICES]);
        for (int d = 0; d < SLICES; d++)
            word[d][i / 4] |= (bytes >> 8 * (SLICES - 1 - d) & 255) << 8 * (i % 4);
    }
#pragma unroll
    for (int d = 0; d < SLICES; d++) {
        const unsigned *w = word[d];
        for (int i = 0; i < SEGMENT / 4; i++)
            square[d] = (unsigned)__dp4a((int)w[i], (int)w[i], (int)square[d]);
        image[(d * SLICE_BYTES + x * BK + swizzle(x, segment)) / SEGMENT] =
            make_uint4(w[0], w[1], w[2], w[3]);
    }
}

/* Slices TILE columns, a tile after the other. */
static __global__ void __launch_bounds__(COLUMN_THREADS)
    slice_columns_kernel(const product p) {
    __shared__ uint4 image[TILE_BYTES / SEGMENT];
    __shared__ unsigned largest[TILE], squares[TILE][SLICES + 1];
    const unsigned x = threadIdx.x % TILE, y = threadIdx.x / TILE;
    const float *b = p.b + blockIdx.x * TILE + x;
    if (y == 0)
        largest[x] = 0;
    squares[x][y] = 0; /* SLICES + 1 is COLUMN_THREADS / TILE */
    __syncthreads();
    unsigned bits = 0; /* twice */
#pragma unroll 8       /* a test stays after each load */
    for (size_t k = y; k < p.n; k += COLUMN_THREADS / TILE)
        bits = max(bits, __float_as_uint(b[k * p.n]) * 2);
    atomicMax(&largest[x], bits / 2);
    __syncthreads();
    const bool held = can_hold(largest[x], p.n);
    const double scale = find_scale(largest[x], held);
    unsigned square[SLICES + 1] = {};
    uint4 *to = (uint4 *)&p.slices_b[image_layout::offset(blockIdx.x * TILE, 0, 0, p.n)];
    for (size_t k = 0; k < p.n; k += BK, to += TILE_BYTES / SEGMENT) {
        slice_segment(b + (k + y * SEGMENT) * p.n, p.n, scale, image, x, y, square);
        __syncthreads(); /* the image is complete */
        for (unsigned i = threadIdx.x; i < TILE_BYTES / SEGMENT; i += COLUMN_THREADS)
            to[i] = image[i];
        __syncthreads(); /* nobody needs it any more */
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&squares[x][d], square[d]);
    __syncthreads();
    if (y == 0)
        p.columns[blockIdx.x * TILE + x] = describe(squares[x], scale, held);
}

/* Slices B. */
static void prepare_columns(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    slice_columns_kernel<<<(unsigned)p.n / TILE, COLUMN_THREADS, 0, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}

/* Multiplies and stores a warpgroup's part of a tile of C. */
template <int pass>
static __device__ void consume(pipeline *pipe, const product &p, const strips &marked,
                               unsigned row, unsigned column, unsigned rows) {
    const unsigned lane = threadIdx.x % 32;
    int level[SLICES][SUMS] = {};
    add_products<pass>(pipe, p, level);
    unsigned char *flag =
        &marked.flags[column / TILE * (p.n / STRIP) + row / STRIP + threadIdx.x / 32];
    if (row == rows || (pass == 2 && !(*flag & SECOND)))
        return release(pipe, pipe->turn - 1);
    const unsigned turn = pipe->turn - 1, y = threadIdx.x / 32 * 16 + lane / 4,
                   x = lane % 4 * 2;
    const stage *s = &pipe->stages[turn % STAGES];
    const vector_info left[] = {s->rows[y], s->rows[y + 8]};
    float *c = p.c + (size_t)(row + y) * p.n + column + x;
    int wants = 0;
#pragma unroll
    for (int i = 0; i < SUMS && pass == 2; i++) /* of the first pass */
        level[2][i] = __float_as_int(c[i / 4 * 8 + i / 2 % 2 * 8 * p.n + i % 2]);
#pragma unroll
    for (int i = 0; i < SUMS; i += 4) {
        const vector_info *right = &s->columns[x + 2 * i];
        float value[4];
        for (int j = 0; j < 4; j++)
            value[j] = (pass == 1 ? combine_first : combine_next)(
                left[j / 2], right[j % 2], level[0][i + j], level[1][i + j],
                level[2][i + j], &wants);
        *(float2 *)&c[2 * i] = make_float2(value[0], value[1]);
        *(float2 *)&c[2 * i + 8 * p.n] = make_float2(value[2], value[3]);
    }
    release(pipe, turn);
    const int any = __any_sync(~0u, wants), fp64 = __any_sync(~0u, wants & IN_DOUBLE);
    if (lane == 0)
        *flag = (fp64 ? IN_DOUBLE : any ? SECOND : 0) | (pass == 2 ? SECOND : 0);
    if (lane == 0 && pass == 2)
        atomicAdd(p.again + 1, 1);
    if (any)
        marked.found[!fp64] = 1;
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
