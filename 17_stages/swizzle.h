/* swizzle.h - where slices lie in shared memory, so that loads have no bank conflicts.
 * Chapter: docs/17_stages.md */
#ifndef SWIZZLE_H
#define SWIZZLE_H
#include <cuda_runtime.h>

enum { BK = 64 }; /* k in a block's tiles of slices */

/* Where a segment of 16 slices lies among the BK of a row or column. Two of these have 32
 * banks: so each second pair has another order. */
static __device__ unsigned swizzle(unsigned row, unsigned segment) {
    return 16 * (segment ^ row / 2 % 4);
}
#endif
