/* magnitude.h - a kernel that takes the signs from slices. Chapter: docs/26_next_products.md */
#ifndef MAGNITUDE_H
#define MAGNITUDE_H
#include "tile_images.h"
#include <stdint.h>

/* |x0| in place of x0, for a tile of slices. */
static __global__ void magnitude_kernel(signed char *slices) {
    uint64_t *x = (uint64_t *)&slices[(size_t)blockIdx.x * TILE_BYTES];
    for (unsigned i = threadIdx.x; i < SLICE_BYTES / sizeof *x; i += blockDim.x) {
        const uint64_t negative = x[i] >> 7 & 0x0101010101010101; /* no byte is -128 */
        x[i] = (x[i] ^ negative * 255) + negative;
    }
}
#endif
