/* rows_first.h - slices A before the maxima of B are found. Chapter: docs/39_rows_once.md */
#ifndef ROWS_FIRST_H
#define ROWS_FIRST_H
#include "column_maxima.h"
#include "rows_once.h"
#include "whole_columns.h"

enum { MAXIMA = 128 }; /* blocks of the maxima, one below the other */

/* Slices these rows of A, and B after the first ones. The maxima of B need nothing of A:
 * they begin before all of it is sliced. slice_columns waits for both. */
static void slice(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    const size_t bytes = (SLICES + 2) * p.n * sizeof(unsigned); /* of sums */
    if (row == 0 && p.n > WHOLE_UP_TO)
        CUDA_CHECK(cudaMemsetAsync(p.c, 0, bytes, stream));
    slice_rows_once(p, rows, stream);
    if (row > 0)
        return;
    if (p.n <= WHOLE_UP_TO)
        return slice_whole_columns(p, stream);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {
        dim3((unsigned)p.n / TILE, MAXIMA), COLUMN_THREADS, 0, stream, &early, 1};
    CUDA_CHECK(cudaLaunchKernelEx(&config, column_maxima_kernel, p, p.n, find_sums(p)));
    slice_columns(p, p.n, stream);
}
#endif
