/* sliced_product.h - a product of slices: its memory, and its kernels before the product.
 * Chapter: docs/14_int8_slices.md */
#ifndef SLICED_PRODUCT_H
#define SLICED_PRODUCT_H
#include "../12_async_copy/transpose.h"
#include "cuda_check.h"
#include "panels.h"
#include "sliced_element.h"

enum { TILE = 128 }; /* rows and columns are padded to a multiple of it */

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
template <class layout> static void prepare(const device_matrices *m, cudaStream_t stream) {
    const product p = find_product(m, 0);
    const unsigned n = (unsigned)m->n, side = n / SIDE;
    transpose_kernel<<<dim3(side, side), dim3(SIDE, 8), 0, stream>>>(m->b, n, m->c, n);
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
 * extra in bytes. prepare_b slices B. */
template <class layout>
static matmult_result multiply_slices(
    const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n, size_t panel,
    void (*multiply)(const device_matrices *, size_t, size_t, cudaStream_t),
    const char *note = "elements were computed again, in double", size_t extra = 0,
    void (*finish)(const device_matrices *, cudaStream_t) = NULL, const char *second_note = NULL,
    void (*prepare_b)(const device_matrices *, cudaStream_t) = prepare<layout>) {
    const size_t padded = pad_to_tile(n, TILE);
    const size_t more = 2 * padded * (SLICES * padded + sizeof(vector_info)) + extra;
    const panel_plan plan = {TILE, panel, more, prepare_b, multiply, note, second_note, finish};
    return multiply_in_panels(a, lda, b, ldb, c, ldc, n, &plan);
}
#endif
