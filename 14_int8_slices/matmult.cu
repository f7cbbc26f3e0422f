/* 14_int8_slices - a float is cut into three 8-bit slices, and six exact integer products
 * of slices make one product of floats.
 *
 * New: slice_kernel scales and rounds rows of A and columns of B to integers
 * X = 65536 x0 + 256 x1 + x2. matmult_kernel sums products by level: x0 y0; x0 y1 + x1
 * y0; x0 y2 + x1 y1 + x2 y0. What may be off by more than 1e-6 is done again, in double.
 * Launch: 256 threads for each 64 x 64 elements of C; reads 6 n^3 / 64 bytes of slices.
 * Chapter: docs/14_int8_slices.md
 * Run: make 14_int8_slices && ./14_int8_slices/run */
#include "../08_blocked_sum/replace_overflow.h"
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "panels.h"

enum {
    SLICES = 3,       /* of an element */
    LARGEST_N = 43904 /* a level's sum stays below (2 * 127 * 128 + 128^2) n < 2^31 */
};

enum {
    TILE = 128,   /* rows and columns are padded to a multiple of it */
    PANEL = 512,  /* tiles of C in a panel */
    BM = 64,      /* rows of C in a block; as many columns */
    BK = 64,      /* k in a block's tiles of slices */
    THREADS = 256 /* in a block */
};

/* Of a vector X, a scaled and rounded row of A or column of B; |.| is a length. */
typedef struct vector_info {
    float rounding; /* |ex|, ex the errors of rounding; infinite if X cannot hold it */
    float all;      /* at least |X| + |ex| */
    float middle;   /* 16 |x1| + |x2| / 32 */
    float low;      /* 16 |x2| */
    double unit;    /* the value where X = 256 */
} vector_info;

/* Slices rows of n floats, a block for each. */
static __global__ void slice_kernel(const float *__restrict__ matrix, size_t n,
                                    signed char *__restrict__ slices,
                                    vector_info *infos) {
    __shared__ unsigned largest, squares[SLICES + 1]; /* of slices, of errors */
    const float *row = matrix + blockIdx.x * n;
    if (threadIdx.x == 0)
        largest = squares[0] = squares[1] = squares[2] = squares[SLICES] = 0;
    __syncthreads();
    unsigned bits = 0; /* twice; without the sign they have the order of the floats */
#pragma unroll 8       /* a test stays after each load */
    for (size_t k = threadIdx.x * 4; k < n; k += blockDim.x * 4) {
        const uint4 four = *(const uint4 *)&row[k];
        bits = max(max(bits, four.x * 2), max(max(four.y * 2, four.z * 2), four.w * 2));
    }
    atomicMax(&largest, bits / 2);
    __syncthreads();
    const int held = largest < 0x7f800000 && n <= LARGEST_N; /* no infinity and no NaN */
    int exponent; /* the scale: an integer up to 254 times a power of two */
    const double part = frexp((double)__uint_as_float(largest), &exponent),
                 scale = held && largest ? ldexp(floor(127 / part), 16 - exponent) : 0;
    unsigned square[SLICES + 1] = {};
    for (size_t k = threadIdx.x * 4; k < n; k += blockDim.x * 4) {
        const float4 four = *(const float4 *)&row[k];
        const float values[] = {four.x, four.y, four.z, four.w};
        unsigned word[SLICES] = {};
        for (int i = 0; i < 4; i++) {
            /* Adding 1.5 * 2^52 rounds to an integer, the sum's last bits. Adding 128 to
             * each byte and taking it away without a borrow makes the bytes signed. */
            const double value = values[i], sum = fma(value, scale, 0x1.8p52),
                         error = fma(value, scale, 0x1.8p52 - sum); /* exact */
            unsigned x = ((unsigned)__double_as_longlong(sum) + 0x808080) ^ 0x808080;
            for (int d = 0; d < SLICES; d++)
                word[d] |= (x >> 8 * (SLICES - 1 - d) & 255) << 8 * i;
            square[SLICES] +=
                (unsigned)__double_as_longlong(fma(error, error, 0x1p36)) + (error != 0);
        }
        for (int d = 0; d < SLICES; d++) {
            *(unsigned *)&slices[(blockIdx.x * SLICES + d) * n + k] = word[d];
            square[d] = (unsigned)__dp4a((int)word[d], (int)word[d], (int)square[d]);
        }
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&squares[d], square[d]);
    __syncthreads();
    if (threadIdx.x == 0) {
        const float x0 = sqrtf((float)squares[0]), x1 = sqrtf((float)squares[1]),
                    x2 = sqrtf((float)squares[2]),
                    rounding = held ? sqrtf((float)squares[3]) / 256 : INFINITY;
        infos[blockIdx.x] = {rounding, 65536 * x0 + 256 * x1 + x2 + rounding,
                             16 * x1 + x2 / 32, 16 * x2, scale > 0 ? 256 / scale : 0};
    }
}

/* Some rows of C = A B on the device, and what is made of A and B. */
typedef struct product {
    size_t n; /* padded */
    const float *a, *b;
    float *c;
    unsigned long long *again; /* how many elements were computed again */
    signed char *slices_a, *slices_b;
    vector_info *rows, *columns;
} product;

/* Stores an element of C; or computes it again, where its error may be above 1e-6. */
static __device__ void store(const product *p, size_t row, size_t column, int level0,
                             int level1, int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float bound = left.rounding * right.all + left.all * right.rounding +
                        left.middle * right.low + left.low * right.middle;
    float value = (float)((double)sum * left.unit * right.unit);
    if (!(bound <= 0.85e-6f * 65536 * fabsf((float)sum))) { /* the rest is for value */
        value = INFINITY;
        atomicAdd(p->again, 1);
    }
    p->c[row * p->n + column] =
        replace_overflow(value, p->a + row * p->n, 1, p->b + column, p->n, p->n);
}

/* Slices of BM vectors, four in a word; + 4: for fewer bank conflicts. */
typedef int slice_tile[BM][SLICES][BK / 4 + 4];

static __device__ void copy_tile(slice_tile tile, const signed char *from, size_t n) {
    for (unsigned i = threadIdx.x; i < BM * SLICES * (BK / 16); i += THREADS) {
        const unsigned j = i / (BK / 16), k = i % (BK / 16) * 16;
        *(int4 *)&tile[j / SLICES][j % SLICES][k / 4] = *(const int4 *)&from[j * n + k];
    }
}

/* A thread has 4 x 4 elements, 16 rows and columns apart. */
static __global__ void __launch_bounds__(THREADS) matmult_kernel(const product p) {
    __shared__ __align__(16) slice_tile tile_a, tile_b;
    const size_t row = (size_t)blockIdx.y * BM, column = (size_t)blockIdx.x * BM;
    const unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    int level[SLICES][4][4] = {};
    for (size_t k = 0; k < p.n; k += BK) {
        copy_tile(tile_a, p.slices_a + row * SLICES * p.n + k, p.n);
        copy_tile(tile_b, p.slices_b + column * SLICES * p.n + k, p.n);
        __syncthreads(); /* the tiles are complete */
        for (int l = 0; l < BK / 4; l++)
            for (int d = 0; d < SLICES; d++)
                for (int e = 0; d + e < SLICES; e++)
                    for (int i = 0; i < 4; i++)
                        for (int j = 0; j < 4; j++)
                            level[d + e][i][j] =
                                __dp4a(tile_a[y + 16 * i][d][l], tile_b[x + 16 * j][e][l],
                                       level[d + e][i][j]);
        __syncthreads(); /* nobody needs them any more */
    }
#pragma unroll
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            store(&p, row + y + 16 * i, column + x + 16 * j, level[0][i][j],
                  level[1][i][j], level[2][i][j]);
}

/* The product from this row on, with what it needs beside the matrices. */
static product find_product(const device_matrices *m, size_t row) {
    const size_t start = row * m->n;
    signed char *slices = (signed char *)m->more;
    vector_info *infos = (vector_info *)(slices + 2 * SLICES * m->n * m->n);
    return {m->n,         m->a + start,       m->b,
            m->c + start, m->count,           slices + SLICES * (m->n * m->n + start),
            slices,       infos + m->n + row, infos};
}

/* Slices B, transposed in the memory of C. */
static void prepare(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned n = (unsigned)m->n, side = n / SIDE;
    transpose_kernel<<<dim3(side, side), dim3(SIDE, 8), 0, stream>>>(m->b, n, m->c, n);
    CUDA_CHECK(cudaGetLastError());
    slice_kernel<<<n, THREADS, 0, stream>>>(m->c, n, p.slices_b, p.columns);
    CUDA_CHECK(cudaGetLastError());
}

static void multiply(const device_matrices *m, size_t row, size_t rows,
                     cudaStream_t stream) {
    const product p = find_product(m, row);
    slice_kernel<<<(unsigned)rows, THREADS, 0, stream>>>(p.a, p.n, p.slices_a, p.rows);
    CUDA_CHECK(cudaGetLastError());
    const dim3 blocks((unsigned)p.n / BM, (unsigned)rows / BM);
    matmult_kernel<<<blocks, THREADS, 0, stream>>>(p);
    CUDA_CHECK(cudaGetLastError());
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    const size_t padded = pad_to_tile(n, TILE);
    const size_t more = 2 * padded * (SLICES * padded + sizeof(vector_info));
    const panel_plan plan = {TILE,    PANEL,    more,
                             prepare, multiply, "elements were computed again, in double",
                             NULL,    NULL};
    return multiply_in_panels(a, lda, b, ldb, c, ldc, n, &plan);
}
