/* sliced_product.h - a product of slices: its memory, its kernels before the product, and how an
 * element of C is made of its sums. Chapter: docs/14_int8_slices.md */
#ifndef SLICED_PRODUCT_H
#define SLICED_PRODUCT_H
#include "cuda_check.h"
#include "panels.h"
#include "replace_overflow.h"
#include "slices.h"
#include "transpose.h"

enum { TILE = 128 }; /* rows and columns are padded to a multiple of it */

/* Some rows of C = A B on the device, and what is made of A and B. */
typedef struct product {
    size_t n; /* padded */
    const float *a, *b;
    float *c;
    signed char *slices_a, *slices_b;
    vector_info *rows, *columns;
    unsigned long long *again; /* how many elements were computed again */
} product;

/* Stores an element of C, or infinity where its error may be above 1e-6. Returns whether it must
 * be computed again. */
static __device__ int store(const product *p, size_t row, size_t column, int level0, int level1,
                            int level2) {
    const vector_info left = p->rows[row], right = p->columns[column];
    const long long sum = level0 * 65536LL + level1 * 256LL + level2;
    const float bound = left.rounding * right.all + left.all * right.rounding +
                        left.middle * right.low + left.low * right.middle;
    float value = (float)((double)sum * left.unit * right.unit);
    if (!(bound <= 0.85e-6f * 65536 * fabsf((float)sum))) /* the rest is for value */
        value = INFINITY;
    p->c[row * p->n + column] = value;
    return !(fabsf(value) < 3e38f);
}

/* Computes an element that must be computed again, in double. */
static inline __device__ void compute_again(const product *p, size_t row, size_t column) {
    float *element = &p->c[row * p->n + column];
    if (isinf(*element))
        atomicAdd(p->again, 1);
    *element = replace_overflow(*element, p->a + row * p->n, 1, p->b + column, p->n, p->n);
}

/* The product from this row on, with what it needs beside the matrices. */
static product find_product(const device_matrices *m, size_t row) {
    const size_t n = m->n;
    signed char *slices_b = (signed char *)m->more, *slices_a = slices_b + SLICES * n * n;
    vector_info *columns = (vector_info *)(slices_a + SLICES * n * n), *rows = columns + n;
    return {n,        m->a + row * n, m->b,    m->c + row * n, slices_a + row * SLICES * n,
            slices_b, rows + row,     columns, m->count};
}

/* Slices B, transposed in the memory of C. */
template <class layout> static void prepare(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned n = (unsigned)m->n;
    transpose_kernel<<<dim3(n / SIDE, n / SIDE), dim3(SIDE, 8), 0, stream>>>(m->b, n, m->c, n);
    CUDA_CHECK(cudaGetLastError());
    slice_kernel<layout><<<n, SLICE_THREADS, 0, stream>>>(m->c, n, p.slices_b, p.columns);
    CUDA_CHECK(cudaGetLastError());
}

/* Slices these rows of A. */
template <class layout> static void slice_rows(const product *p, size_t rows, cudaStream_t stream) {
    slice_kernel<layout>
        <<<(unsigned)rows, SLICE_THREADS, 0, stream>>>(p->a, p->n, p->slices_a, p->rows);
    CUDA_CHECK(cudaGetLastError());
}

/* matmultCUDA, with so many tiles of C in a panel, TILE x TILE each; the rest as panels.h has it,
 * extra in bytes. */
template <class layout>
static matmult_result
multiply_slices(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n,
                size_t panel,
                void (*multiply)(const device_matrices *, size_t, size_t, cudaStream_t),
                const char *note = "elements were computed again, in double", size_t extra = 0,
                void (*finish)(const device_matrices *, size_t, size_t, cudaStream_t) = NULL,
                const char *second_note = NULL) {
    const size_t padded = pad_to_tile(n, TILE);
    const size_t more = 2 * padded * (SLICES * padded + sizeof(vector_info)) + extra;
    const panel_plan plan = {TILE,     panel, more,        prepare<layout>,
                             multiply, note,  second_note, finish};
    return multiply_in_panels(a, lda, b, ldb, c, ldc, n, &plan);
}
#endif
