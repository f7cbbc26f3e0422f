/* early_slices.h - slices A while the maxima of B are found. Chapter: docs/73_early_launch.md */
#ifndef EARLY_SLICES_H
#define EARLY_SLICES_H
#include "column_maxima.h"

/* Slices these rows of A, and B before the first. A needs nothing of the maxima, which
 * let it begin at once; slice_columns waits for both. */
static void slice(const product &p, size_t row, size_t rows, cudaStream_t stream) {
    if (row > 0)
        return slice_rows<image_layout>(&p, rows, stream);
    measure_columns(p, p.n, stream);
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    const cudaLaunchConfig_t config = {(unsigned)rows, SLICE_THREADS, 0, stream, &early, 1};
    CUDA_CHECK(
        cudaLaunchKernelEx(&config, slice_kernel<image_layout>, p.a, p.n, p.slices_a, p.rows));
    slice_columns(p, p.n, stream);
}
#endif
