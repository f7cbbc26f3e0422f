/* bounded_call.h - the host's part of a product with a bound.
 * Chapter: docs/25_error_bound.md */
#ifndef BOUNDED_CALL_H
#define BOUNDED_CALL_H
#include "recompute.h"

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
    o->a = take<signed char>(&next, 2 * SLICES * n * n);
    o->b = o->a + SLICES * n * n;
    o->scale_a = take<double>(&next, n);
    o->scale_b = take<double>(&next, n);
    o->norms_a = take<norms>(&next, n);
    o->norms_b = take<norms>(&next, n);
    o->counts = take<flagged_counts>(&next, 1);
    o->list = take<unsigned>(&next, n * n / (SUB_ROWS * TILE));
    o->flags = take<unsigned char>(&next, n * n / (SUB_ROWS * TILE));
    return (size_t)(next - (char *)m.more);
}

/* Slices A and B, B transposed in the memory of C, and finds their norms. */
[[maybe_unused]] static void slice_with_norms(const bounded_operands &o) {
    const unsigned rows = (unsigned)o.n;
    transpose_kernel<<<dim3(rows / SIDE, rows / SIDE), dim3(SIDE, 8)>>>(o.matrix_b, o.n,
                                                                        o.c, o.n);
    CUDA_CHECK(cudaGetLastError());
    slice_with_norms_kernel<packed_layout>
        <<<rows, SLICE_THREADS>>>(o.c, o.n, o.b, o.scale_b, o.norms_b, o.counts);
    CUDA_CHECK(cudaGetLastError());
    slice_with_norms_kernel<packed_layout>
        <<<rows, SLICE_THREADS>>>(o.matrix_a, o.n, o.a, o.scale_a, o.norms_a, o.counts);
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
