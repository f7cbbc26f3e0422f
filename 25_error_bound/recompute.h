/* recompute.h - sub-tiles of C that are flagged go to a list, and a kernel computes them
 * in double, as step 13. Chapter: docs/25_error_bound.md */
#ifndef RECOMPUTE_H
#define RECOMPUTE_H
#include "../13_double_tensor/double_tensor.h"
#include "../23_tile_order/tile_order.h"
#include "error_bound.h"

enum {
    SUB_ROWS = 16, /* of a sub-tile, a warp's part of a tile; it has TILE columns */
    WHOLE = 64,    /* rows and columns of a block's tile, where all of C is computed */
    RECOMPUTE_THREADS = 128,
    RECOMPUTE_BLOCKS = 3, /* on an SM */
    RECOMPUTE_BK = 32
};
typedef double_stage<SUB_ROWS, TILE, RECOMPUTE_BK> sub_stage;
typedef double_stage<WHOLE, WHOLE, RECOMPUTE_BK> whole_stage;
enum { RECOMPUTE_BYTES = 3 * sizeof(sub_stage) }; /* these are the larger ones */

/* What the kernels of a product with a bound work on, in device memory. */
struct bounded_operands : sliced_operands {
    const float *matrix_a, *matrix_b; /* n x n */
    norms *norms_a, *norms_b;
    flagged_counts *counts;
    unsigned *list;       /* of sub-tiles, counted from the top down, column by column */
    unsigned char *flags; /* of sub-tiles (step 26) */
};

/* Whether C is spoiled as a whole. Each thread of the block takes a row of A and a column
 * of B, and expects that their elements meet at random; a sixteenth is enough, since
 * these are in nearly all sub-tiles. It says what is faster, not what is right. */
static __device__ bool is_spoiled(const bounded_operands &o) {
    const size_t i = threadIdx.x * o.n / blockDim.x,
                 j = threadIdx.x * 149 % blockDim.x * o.n / blockDim.x;
    const norms x = o.norms_a[i], y = o.norms_b[j];
    const float expected = x.sum * y.sum / (float)o.n; /* of |X| |Y| */
    const bool good = is_within(rounding_bound(x, y), expected) &&
                      is_finite((float)(expected / 65536 * o.scale_a[i] * o.scale_b[j]));
    return __syncthreads_count(!good) * 16 > (int)blockDim.x;
}

/* The number of the sub-tile at this row and column. */
static __device__ size_t count_sub_tiles(const bounded_operands &o, size_t row,
                                         size_t column) {
    return column / TILE * (o.n / SUB_ROWS) + row / SUB_ROWS;
}

/* Puts a sub-tile on the list. For one thread. */
static __device__ void list_sub_tile(const bounded_operands &o, size_t row,
                                     size_t column) {
    o.list[atomicAdd(&o.counts->listed, 1)] = (unsigned)count_sub_tiles(o, row, column);
}

/* Computes what is listed, or all of C, in double: as many blocks as are resident, which
 * take one after the other. */
static __global__ void __launch_bounds__(RECOMPUTE_THREADS, RECOMPUTE_BLOCKS)
    recompute_kernel(const bounded_operands o) {
    extern __shared__ float4 stages[];
    cudaGridDependencySynchronize(); /* for a launch that is early (step 29) */
    const size_t n = o.n;
    const unsigned down = (unsigned)(n / SUB_ROWS), whole = (unsigned)(n / WHOLE);
    if (o.counts->spoiled)
        for (unsigned i = blockIdx.x; i < whole * whole; i += gridDim.x) {
            const uint2 tile = find_tile(i, whole, whole);
            const size_t row = (size_t)tile.y * WHOLE, column = (size_t)tile.x * WHOLE;
            multiply_tile<32, 32, 3>((whole_stage *)stages, o.matrix_a + row * n, n,
                                     o.matrix_b + column, n, o.c + row * n + column, n,
                                     (unsigned)n);
            __syncthreads(); /* nobody needs the stages any more */
        }
    else
        for (unsigned i = blockIdx.x; i < o.counts->listed; i += gridDim.x) {
            const size_t row = (size_t)(o.list[i] % down) * SUB_ROWS,
                         column = (size_t)(o.list[i] / down) * TILE;
            multiply_tile<SUB_ROWS, 32, 3>((sub_stage *)stages, o.matrix_a + row * n, n,
                                           o.matrix_b + column, n, o.c + row * n + column,
                                           n, (unsigned)n);
            __syncthreads();
        }
}

static unsigned count_sms() {
    int device, sms;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    return (unsigned)sms;
}

/* A piece of device memory: so many elements of this type from *next on, 256 bytes apart.
 */
template <class type> static type *take(char **next, size_t count) {
    type *piece = (type *)*next;
    *next += (count * sizeof(type) + 255) / 256 * 256;
    return piece;
}

/* Divides memory for a product; without memory, returns how many bytes it takes. */
static size_t divide(const device_matrices &m, bounded_operands *o) {
    char *next = (char *)m.more;
    const size_t n = m.n;
    o->n = n;
    o->c = m.c;
    o->matrix_a = m.a;
    o->matrix_b = m.b;
    o->b = take<signed char>(&next, 2 * SLICES * n * n);
    o->a = o->b + SLICES * n * n; /* as step 14 does, so that a kernel writes both */
    o->scale_b = take<double>(&next, 2 * n);
    o->scale_a = o->scale_b + n;
    o->norms_b = take<norms>(&next, 2 * n);
    o->norms_a = o->norms_b + n;
    o->counts = take<flagged_counts>(&next, 1);
    o->list = take<unsigned>(&next, n * n / (SUB_ROWS * TILE));
    o->flags = take<unsigned char>(&next, n * n / (SUB_ROWS * TILE));
    return (size_t)(next - (char *)m.more);
}

/* Slices B, transposed in the memory of C, and A, and finds their norms. */
[[maybe_unused]] static void slice_with_norms(const bounded_operands &o) {
    const unsigned rows = (unsigned)o.n;
    transpose_kernel<<<dim3(rows / SIDE, rows / SIDE), dim3(SIDE, 8)>>>(o.matrix_b, o.n,
                                                                        o.c, o.n);
    CUDA_CHECK(cudaGetLastError());
    slice_with_norms_kernel<packed_layout><<<2 * rows, SLICE_THREADS>>>(
        o.c, o.matrix_a, o.n, o.b, o.scale_b, o.norms_b, o.counts);
    CUDA_CHECK(cudaGetLastError());
}

/* matmultCUDA of a step whose products have a bound. multiply launches all kernels. */
static matmult_result multiply_bounded(const float *a, int lda, const float *b, int ldb,
                                       float *c, int ldc, int n,
                                       void (*multiply)(const bounded_operands &)) {
    static char note[120];
    matmult_result result = {0, 0, NULL};
    const double start = wall_seconds();
    bounded_operands o;
    device_matrices m = {pad(n), NULL, NULL, NULL, NULL};
    m = copy_to_device(a, lda, b, ldb, n, divide(m, &o));
    divide(m, &o);
    kernel_timer timer = start_kernel_timer();
    multiply(o);
    result.kernel = stop_kernel_timer(&timer);

    flagged_counts counts;
    CUDA_CHECK(cudaMemcpy(&counts, o.counts, sizeof counts, cudaMemcpyDeviceToHost));
    if (counts.spoiled)
        result.note = "all was computed in double";
    else if (counts.listed + counts.next > 0) {
        char *next = note;
        if (counts.next > 0)
            next += snprintf(note, sizeof note, "%u sub-tiles got the next products, ",
                             counts.next);
        snprintf(next, (size_t)(note + sizeof note - next),
                 "%u sub-tiles of %d x %d were computed in double", counts.listed,
                 SUB_ROWS, TILE);
        result.note = note;
    }
    copy_to_host(m, c, ldc, n);
    result.total = wall_seconds() - start;
    return result;
}
#endif
