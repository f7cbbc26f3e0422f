/* column_segments.h - slices a segment of a column of B as it lies.
 * Chapter: docs/30_fused_slicing.md */
#ifndef COLUMN_SEGMENTS_H
#define COLUMN_SEGMENTS_H
#include "tile_images.h"

enum { SEGMENT = 16 }; /* slices of a vector that lie together */

/* Slices a segment of column x of a tile into the tile's image; adds squares. */
static __device__ void slice_segment(const float *b, size_t ldb, double scale, uint4 *image,
                                     unsigned x, unsigned segment, unsigned *square) {
    float values[SEGMENT]; /* in flight */
#pragma unroll
    for (int i = 0; i < SEGMENT; i++)
        values[i] = b[i * ldb];
    unsigned word[SLICES][SEGMENT / 4] = {};
#pragma unroll
    for (int i = 0; i < SEGMENT; i++) {
        const unsigned bytes = slice_element(values[i], scale, &square[SLICES]);
        for (int d = 0; d < SLICES; d++)
            word[d][i / 4] |= (bytes >> 8 * (SLICES - 1 - d) & 255) << 8 * (i % 4);
    }
#pragma unroll
    for (int d = 0; d < SLICES; d++) {
        const unsigned *w = word[d];
        for (int i = 0; i < SEGMENT / 4; i++)
            square[d] = (unsigned)__dp4a((int)w[i], (int)w[i], (int)square[d]);
        image[(d * SLICE_BYTES + x * BK + swizzle(x, segment)) / SEGMENT] =
            make_uint4(w[0], w[1], w[2], w[3]);
    }
}
#endif
