/* 14_int8_slices - a float is cut into three 8-bit slices, and six exact integer products
 * of slices make one product of floats.
 *
 * New: slice_kernel (slices.h) scales and rounds rows of A and columns of B to integers
 * X = 65536 x0 + 256 x1 + x2. matmult_kernel sums the products of slices in three
 * accumulators: x0 y0; x0 y1 + x1 y0; x0 y2 + x1 y1 + x2 y0. The rest is left out.
 * Launch: 256 threads for each 64 x 64 elements of C; before, a block for each row or
 * column that is sliced. Reads: 6 n^3 / 64 bytes of slices, n padded to 128.
 * Chapter: docs/14_int8_slices.md
 * Run: make 14_int8_slices && ./14_int8_slices/run */
#include "sliced_call.h"

enum {
    BM = 64,      /* rows of C in a block; as many columns */
    BK = 64,      /* k in a block's tiles of slices */
    THREADS = 256 /* in a block */
};

/* Slices of BM rows or columns, four in a word; + 4: for fewer bank conflicts. */
typedef int slice_tile[BM][SLICES][BK / 4 + 4];

static __device__ void copy_tile(slice_tile tile, const signed char *from, size_t n) {
    for (unsigned i = threadIdx.x; i < BM * SLICES * (BK / 16); i += THREADS) {
        const unsigned j = i / (BK / 16), k = i % (BK / 16) * 16;
        *(int4 *)&tile[j / SLICES][j % SLICES][k / 4] = *(const int4 *)&from[j * n + k];
    }
}

/* A thread has 4 x 4 elements, 16 rows and columns apart. */
static __global__ void __launch_bounds__(THREADS)
    matmult_kernel(const sliced_operands o) {
    __shared__ __align__(16) slice_tile tile_a, tile_b;
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BM;
    const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    int sum[SLICES][4][4] = {}; /* the accumulators */
    for (size_t k = 0; k < o.n; k += BK) {
        copy_tile(tile_a, o.a + plain_layout::offset(row, 0, k, o.n), o.n);
        copy_tile(tile_b, o.b + plain_layout::offset(column, 0, k, o.n), o.n);
        __syncthreads(); /* the tiles are complete */
        for (int l = 0; l < BK / 4; l++)
            for (int d = 0; d < SLICES; d++)
                for (int e = 0; d + e < SLICES; e++)
                    for (int i = 0; i < 4; i++)
                        for (int j = 0; j < 4; j++)
                            sum[d + e][i][j] =
                                __dp4a(tile_a[y + 16 * i][d][l], tile_b[x + 16 * j][e][l],
                                       sum[d + e][i][j]);
        __syncthreads(); /* nobody needs them any more */
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            const size_t to_row = row + y + 16 * i, to_column = column + x + 16 * j;
            o.c[to_row * o.n + to_column] =
                dequantize(sum[0][i][j], sum[1][i][j], sum[2][i][j], o.scale_a[to_row],
                           o.scale_b[to_column]);
        }
}

static void multiply(const sliced_operands &o) {
    const unsigned tiles = (unsigned)o.n / BM;
    matmult_kernel<<<dim3(tiles, tiles), THREADS>>>(o);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    return multiply_slices<plain_layout>(a, lda, b, ldb, c, ldc, n, multiply);
}
