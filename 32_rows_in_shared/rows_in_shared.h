/* rows_in_shared.h - slices rows of A, each of which is kept in shared memory and read
 * once. Chapter: docs/32_rows_in_shared.md */
#ifndef ROWS_IN_SHARED_H
#define ROWS_IN_SHARED_H
#include "../30_fused_slicing/fused_columns.h"
#include <cuda_pipeline.h>

/* Slices a row of A. A thread uses only those elements that it has copied itself. */
static __global__ void __launch_bounds__(SLICE_THREADS)
    slice_in_shared_kernel(const bounded_operands o) {
    extern __shared__ float4 row[];
    __shared__ norm_sums sums;
    const size_t y = o.top + blockIdx.x;
    cudaTriggerProgrammaticLaunchCompletion(); /* B may begin */
    for (unsigned i = threadIdx.x; i < o.n / 4; i += SLICE_THREADS)
        __pipeline_memcpy_async(&row[i], &o.matrix_a[y * o.n + i * 4], sizeof(float4));
    __pipeline_commit();
    if (threadIdx.x == 0)
        sums = {};
    __pipeline_wait_prior(0);
    const double scale = choose_scale(find_largest((const float *)row, o.n), o.n);
    norm_sums own = {};
    bool negative = false;
    for (unsigned i = threadIdx.x; i < o.n / 4; i += SLICE_THREADS) {
        unsigned words[SLICES];
        slice_four(row[i], isnan(scale) ? 0 : scale, words, &own);
        for (int d = 0; d < SLICES; d++)
            *(unsigned *)&o.a[packed_layout::offset(y, d, i * 4, o.n)] = words[d];
        if (words[0] & 0x80808080) {
            *(unsigned *)&o.magnitudes_a[find_magnitudes(y, i * 4, o.n)] =
                __vabs4(words[0]);
            negative = true;
        }
    }
    add_sums(&sums, own);
    negative = __syncthreads_or(negative);
    if (threadIdx.x == 0)
        store_norms(o, o.n + y, sums, scale, negative);
}

/* Slices A. */
static void slice_rows_in_shared(const bounded_operands &o) {
    if (o.n > LARGEST_N) /* slices cannot hold such rows */
        return slice_rows(o);
    const unsigned bytes = (unsigned)o.n * sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(slice_in_shared_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    slice_in_shared_kernel<<<o.rows, SLICE_THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}
#endif
