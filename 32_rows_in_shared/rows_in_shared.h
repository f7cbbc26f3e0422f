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
    cudaTriggerProgrammaticLaunchCompletion(); /* B may begin */
    for (unsigned i = threadIdx.x; i < o.n / 4; i += SLICE_THREADS)
        __pipeline_memcpy_async(&row[i], &o.matrix_a[blockIdx.x * o.n + i * 4],
                                sizeof(float4));
    __pipeline_commit();
    if (threadIdx.x == 0)
        sums = {};
    __pipeline_wait_prior(0);
    const unsigned largest = find_largest((const float *)row, o.n);
    const bool held = can_hold(largest, o.n);
    const double scale = held ? find_scale(largest) : 0;
    norm_sums own = {};
    for (unsigned i = threadIdx.x; i < o.n / 4; i += SLICE_THREADS) {
        unsigned words[SLICES];
        slice_four(row[i], scale, words, &own);
        for (int d = 0; d < SLICES; d++)
            *(unsigned *)&o.a[packed_layout::offset(blockIdx.x, d, i * 4, o.n)] =
                words[d];
    }
    add_sums(&sums, own);
    __syncthreads();
    if (threadIdx.x == 0) {
        const norms found = find_norms(sums, held);
        if (spoils(found, o.n))
            atomicAdd(&o.found->rows, 1);
        o.norms_a[blockIdx.x] = found;
        o.scale_a[blockIdx.x] = scale > 0 ? 256 / scale : 0;
    }
}

/* Slices A. */
static void slice_rows_in_shared(const bounded_operands &o) {
    if (o.n > LARGEST_N) /* slices cannot hold such rows */
        return slice_rows(o);
    const unsigned bytes = (unsigned)o.n * sizeof(float);
    CUDA_CHECK(cudaFuncSetAttribute(slice_in_shared_kernel,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    slice_in_shared_kernel<<<(unsigned)o.n, SLICE_THREADS, bytes>>>(o);
    CUDA_CHECK(cudaGetLastError());
}
#endif
