/* 33_small - a small product is computed by step 06's kernel, and its sums are within
 * 1e-6 of (|A| |B|), too.
 *
 * New: up to n = 320 the kernel of step 06, word for word, and one that computes
 * elements that overflowed again, in double.
 * Launch: up to n = 320 ceil(n / 16) x ceil(n / 16) blocks of 16 x 16 threads, twice;
 * above 384 threads and 203 KB of shared memory for each SM, in pairs, then 4 blocks of
 * 128 threads for each SM. Reads: up to n = 320 2 n^3 / 16 floats; above 4.5 n^3 / 128
 * bytes of slices in each pass, 6 n^3 / 128 for a split tile, and for each sub-tile in
 * double 144 to 192 n floats.
 * Chapter: docs/33_small.md
 * Run: make 33_small && ./33_small/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "../29_early_launch/product.h"
#include "../31_distributed_shared/cluster_columns.h"
#include "../32_rows_in_shared/rows_in_shared.h"

enum { SMALL = 320 }; /* up to this n step 06 is faster: measured */

namespace small {
enum { TILE = 16 };

static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    __shared__ float tile_a[TILE][TILE], tile_b[TILE][TILE];
    size_t x = threadIdx.x, y = threadIdx.y;
    size_t row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
    float sum = 0, compensation = 0;
    for (size_t k = 0; k < n; k += TILE) {
        tile_a[y][x] = row < n && k + x < n ? a[row * lda + (k + x)] : 0;
        tile_b[y][x] = k + y < n && column < n ? b[(k + y) * ldb + column] : 0;
        __syncthreads(); /* the tiles are complete */
        for (size_t i = 0; i < TILE; i++) {
            float term = tile_a[y][i] * tile_b[i][x] - compensation;
            float next = sum + term;
            compensation = (next - sum) - term;
            sum = next;
        }
        __syncthreads(); /* nobody needs them any more */
    }
    if (row < n && column < n)
        c[row * ldc + column] = sum;
}

/* Computes again what overflowed or met an infinity: Kahan's sum makes a NaN of these. */
static __global__ void replace_kernel(const float *a, const float *b, float *c, size_t ld,
                                      size_t n) {
    cudaGridDependencySynchronize();
    const size_t row = blockIdx.y * TILE + threadIdx.y,
                 column = blockIdx.x * TILE + threadIdx.x;
    if (row < n && column < n)
        c[row * ld + column] =
            replace_overflow(c[row * ld + column], a + row * ld, 1, b + column, ld, n);
}

static matmult_result multiply(const float *a, int lda, const float *b, int ldb, float *c,
                               int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    const double start = wall_seconds();
    const device_matrices m = copy_to_device(a, lda, b, ldb, n, 1);
    const size_t ld = m.n;
    const unsigned tiles = ((unsigned)n + TILE - 1) / TILE;
    kernel_timer timer = start_kernel_timer();
    matmult_kernel<<<dim3(tiles, tiles), dim3(TILE, TILE)>>>(m.a, ld, m.b, ld, m.c, ld,
                                                             (size_t)n);
    CUDA_CHECK(cudaGetLastError());
    const cudaLaunchConfig_t again =
        early_launch(dim3(tiles, tiles), dim3(TILE, TILE), 0);
    CUDA_CHECK(cudaLaunchKernelEx(&again, replace_kernel, (const float *)m.a,
                                  (const float *)m.b, m.c, ld, (size_t)n));
    result.kernel = stop_kernel_timer(&timer);
    copy_to_host(m, c, ldc, n);
    result.total = wall_seconds() - start;
    return result;
}
} // namespace small

static void multiply(const bounded_operands &o) {
    slice_rows_in_shared(o);
    slice_columns_in_cluster(o);
    multiply_slices(o);
    recompute(o);
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return n <= SMALL ? small::multiply(a, lda, b, ldb, c, ldc, n)
                      : multiply_bounded(a, lda, b, ldb, c, ldc, n, multiply);
}
