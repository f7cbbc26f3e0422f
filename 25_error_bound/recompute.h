/* recompute.h - sub-tiles of C that are flagged go to a list, and a kernel computes them
 * in double, as step 13. Chapter: docs/25_error_bound.md */
#ifndef RECOMPUTE_H
#define RECOMPUTE_H
#include "../13_double_tensor/double_tensor.h"
#include "../23_tile_order/tile_order.h"
#include "error_bound.h"

enum {
    WHOLE = 64, /* rows and columns of a block's tile, where all of C is computed */
    PIECE = 32, /* columns of a sub-tile in a block, where few are listed */
    PIECES = TILE / PIECE,
    RECOMPUTE_THREADS = 128,
    RECOMPUTE_BLOCKS = 4 /* on an SM */
};
typedef double_stage<SUB_ROWS, TILE, 16> sub_stage;
typedef double_stage<SUB_ROWS, PIECE, 32> piece_stage;
typedef double_stage<WHOLE, WHOLE, 32> whole_stage;
enum {
    SUB_STAGES = 5,
    WHOLE_STAGES = 3,
    RECOMPUTE_BYTES = WHOLE_STAGES * sizeof(whole_stage)
};

/* The number of the sub-tile at this row and column. */
static __device__ size_t count_sub_tiles(const bounded_operands &o, size_t row,
                                         size_t column) {
    return column / TILE * (o.n / SUB_ROWS) + row / SUB_ROWS;
}

/* Puts a sub-tile on the list. For one thread. */
static __device__ void list_sub_tile(const bounded_operands &o, size_t row,
                                     size_t column) {
    o.list[atomicAdd(&o.found->listed, 1)] = (unsigned)count_sub_tiles(o, row, column);
}

/* Whether all of C is computed in double, in larger tiles: faster, if three quarters are.
 */
static __host__ __device__ bool is_all_double(const findings &f, size_t n) {
    return is_spoiled(f, n) || 4 * (size_t)f.listed >= 3 * (n * n / (SUB_ROWS * TILE));
}

/* Whether this block takes part, where so many tiles are computed: few are on different
 * SMs. Blocks that are launched early come to an SM all at once. For one thread. */
static __device__ bool takes_part(const bounded_operands &o, unsigned count) {
    unsigned sm;
    asm("mov.u32 %0, %%smid;" : "=r"(sm));
    const unsigned before =
        atomicAdd(&o.found->blocks[sm % MOST_SMS], 1); /* on this SM */
    return before * (gridDim.x / RECOMPUTE_BLOCKS) < count;
}

/* Computes what is listed in double, or all of C. There are as many blocks as are
 * resident; each takes what comes next. */
static __global__ void __launch_bounds__(RECOMPUTE_THREADS, RECOMPUTE_BLOCKS)
    recompute_kernel(const bounded_operands o) {
    extern __shared__ float4 stages[];
    __shared__ unsigned next;
    cudaGridDependencySynchronize(); /* for a launch that is early (step 29) */
    const unsigned n = (unsigned)o.n, sub_tiles = n / SUB_ROWS, down = o.rows / WHOLE,
                   across = n / WHOLE, listed = o.found->listed;
    const bool all = is_all_double(*o.found, n), few = listed * PIECES <= gridDim.x;
    const unsigned count = all ? down * across : few ? listed * PIECES : listed;
    if (count == 0)
        return;
    if (threadIdx.x == 0)
        next = takes_part(o, count) ? atomicAdd(&o.found->taken, 1) : count;
    __syncthreads();
    for (unsigned i = next; i < count; i = next) {
        const unsigned number = all ? 0 : o.list[few ? i / PIECES : i];
        const uint2 tile = all ? find_tile(i, down, across)
                               : make_uint2(number / sub_tiles, number % sub_tiles);
        const size_t row = (size_t)tile.y * (all ? (int)WHOLE : (int)SUB_ROWS),
                     column = (size_t)tile.x * (all ? (int)WHOLE : (int)TILE) +
                              (!all && few ? i % PIECES * PIECE : 0);
        const float *a = o.matrix_a + row * n, *b = o.matrix_b + column;
        float *c = o.c + row * n + column;
        if (all)
            multiply_tile<32, 32, WHOLE_STAGES>((whole_stage *)stages, a, n, b, n, c, n,
                                                n);
        else if (few)
            multiply_tile<SUB_ROWS, 8, SUB_STAGES>((piece_stage *)stages, a, n, b, n, c,
                                                   n, n);
        else
            multiply_tile<SUB_ROWS, 32, SUB_STAGES>((sub_stage *)stages, a, n, b, n, c, n,
                                                    n);
        __syncthreads(); /* nobody needs the stages any more, nor the number before */
        if (threadIdx.x == 0)
            next = atomicAdd(&o.found->taken, 1);
        __syncthreads();
    }
}

/* At least those of a cluster: a grid is not empty. */
static unsigned count_sms() {
    int device, sms;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device));
    return max((unsigned)sms, (unsigned)CLUSTER);
}

/* A piece of device memory: so many elements of this type from *next on, 256 bytes apart.
 */
template <class type> static type *take(char **next, size_t count) {
    type *piece = (type *)*next;
    *next += (count * sizeof(type) + 255) / 256 * 256;
    return piece;
}

/* Divides memory for a product with so many rows of A; without memory, returns how many
 * bytes it takes. */
static size_t divide(const device_matrices &m, size_t rows, bounded_operands *o) {
    char *next = (char *)m.more;
    const size_t n = m.n;
    o->n = o->ldb = n;
    o->c = m.c;
    o->matrix_a = m.a;
    o->matrix_b = m.b;
    o->top = o->left = 0;
    o->rows = (unsigned)rows;
    o->columns = (unsigned)n;
    o->found = take<findings>(&next, 1);
    o->signs_b = take<int>(&next, (n + rows) / TILE);
    o->signs_a = o->signs_b + n / TILE;
    o->b = take<signed char>(&next, SLICES * (n + rows) * n);
    o->a = o->b + SLICES * n * n; /* as step 14 does, so that a kernel writes both */
    o->scale_b = take<double>(&next, n + rows);
    o->scale_a = o->scale_b + n;
    o->norms_b = take<norms>(&next, n + rows);
    o->norms_a = o->norms_b + n;
    o->spoils_b = take<unsigned>(&next, n + rows);
    o->spoils_a = o->spoils_b + n;
    o->magnitudes_b = take<signed char>(&next, (n + rows) * n);
    o->magnitudes_a = o->magnitudes_b + n * n;
    o->list = take<unsigned>(&next, n * n / (SUB_ROWS * TILE));
    o->flags = take<unsigned char>(&next, n * n / (SUB_ROWS * TILE));
    return (size_t)(next - (char *)m.more);
}

/* Slices B, transposed in the memory of C, and A, and finds their norms. */
[[maybe_unused]] static void slice_with_norms(const bounded_operands &o) {
    const unsigned n = (unsigned)o.n;
    transpose_kernel<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, 8)>>>(o.matrix_b, o.n, o.c,
                                                                  o.n);
    CUDA_CHECK(cudaGetLastError());
    slice_with_norms_kernel<<<2 * n, SLICE_THREADS>>>(o, 0);
    CUDA_CHECK(cudaGetLastError());
}

/* What slicing sets where it finds something, and the magnitudes without signs. */
static void clear_findings(const bounded_operands &o) {
    CUDA_CHECK(cudaMemsetAsync(o.found, 0, sizeof *o.found));
    CUDA_CHECK(cudaMemsetAsync(o.signs_b, 0, (o.n + o.rows) / TILE * sizeof(int)));
    CUDA_CHECK(cudaMemsetAsync(o.magnitudes_b, 0, (o.n + o.rows) * o.n));
}

static findings read_findings(const bounded_operands &o) {
    findings found;
    CUDA_CHECK(cudaMemcpy(&found, o.found, sizeof found, cudaMemcpyDeviceToHost));
    return found;
}

/* What the result's note says; NULL, where nothing was found. */
static const char *describe_findings(const findings &f, size_t n) {
    static char note[120];
    if (is_all_double(f, n))
        return "all was computed in double";
    snprintf(note, sizeof note,
             "of %zu sub-tiles %u got the next products, %u were computed in double",
             n * n / (SUB_ROWS * TILE), f.next, f.listed);
    return f.next + f.listed > 0 ? note : NULL;
}

/* matmultCUDA of a step whose products have a bound. multiply launches all kernels. */
[[maybe_unused]] static matmult_result
multiply_bounded(const float *a, int lda, const float *b, int ldb, float *c, int ldc,
                 int n, void (*multiply)(const bounded_operands &)) {
    matmult_result result = {0, 0, NULL};
    const double start = wall_seconds();
    bounded_operands o;
    device_matrices m = {pad(n), NULL, NULL, NULL, NULL};
    m = copy_to_device(a, lda, b, ldb, n, divide(m, m.n, &o));
    divide(m, m.n, &o);
    clear_findings(o);
    kernel_timer timer = start_kernel_timer();
    multiply(o);
    result.kernel = stop_kernel_timer(&timer);
    result.note = describe_findings(read_findings(o), o.n);
    copy_to_host(m, c, ldc, n);
    result.total = wall_seconds() - start;
    return result;
}
#endif
