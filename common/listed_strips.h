/* listed_strips.h - computes strips that are listed in double.
 * Chapter: docs/84_many_gpus.md */
#ifndef LISTED_STRIPS_H
#define LISTED_STRIPS_H
#include "wanted_columns.h"

/* Lists the strips whose flags are set. Before the list stands how many. */
static __global__ void list_kernel(const unsigned char *flags, unsigned count, unsigned *list) {
    const unsigned strip = blockIdx.x * blockDim.x + threadIdx.x;
    if (strip < count && flags[strip] & IN_DOUBLE)
        list[1 + atomicAdd(list, 1)] = strip;
}

static __global__ void __launch_bounds__(STRIP_THREADS, 4)
    listed_kernel(const product p, const unsigned *list) {
    compute_wanted(p, list[1 + blockIdx.x]);
}
#endif
