/* columns.h - slices columns of B as they lie, a block for each tile.
 * Chapter: docs/30_fused_slicing.md
 */
#ifndef COLUMNS_H
#define COLUMNS_H
#include "column_segments.h"

enum { COLUMN_THREADS = 256 }; /* in a block */

/* Of a column: its largest element's bits; squares of slices and errors, summed. */
typedef struct column_sums {
    unsigned *largest, *squares[SLICES + 1];
} column_sums;

/* Slices a tile: BK elements of TILE columns. Its image is made in shared memory. The
 * last rows come first: some are still in the L2. */
static __global__ void __launch_bounds__(COLUMN_THREADS, 4)
    slice_columns_kernel(const product p, size_t ldb, const column_sums s) {
    __shared__ uint4 image[TILE_BYTES / SEGMENT];
    const unsigned x = threadIdx.x % TILE;
    const size_t column = blockIdx.x * TILE + x, first = p.n - (blockIdx.y + 1) * (size_t)BK;
    const unsigned largest = s.largest[column];
    const double scale = find_scale(largest, can_hold(largest, p.n));
    unsigned square[SLICES + 1] = {};
    for (unsigned k = threadIdx.x / TILE * SEGMENT; k < BK; k += COLUMN_THREADS / TILE * SEGMENT) {
        slice_segment(&p.b[(first + k) * ldb + column], ldb, scale, image, x, k / SEGMENT, square);
    }
    for (int d = 0; d <= SLICES; d++)
        atomicAdd(&s.squares[d][column], square[d]);
    __syncthreads();
    uint4 *to = (uint4 *)&p.slices_b[image_layout::offset(blockIdx.x * TILE, 0, first, p.n)];
    for (unsigned i = threadIdx.x; i < TILE_BYTES / SEGMENT; i += COLUMN_THREADS)
        to[i] = image[i];
}

/* What the bound needs of each column. */
static __global__ void describe_columns_kernel(const product p, const column_sums s) {
    const size_t x = blockIdx.x * TILE + threadIdx.x;
    const unsigned squares[] = {s.squares[0][x], s.squares[1][x], s.squares[2][x],
                                s.squares[SLICES][x]};
    const unsigned largest = s.largest[x];
    const bool held = can_hold(largest, p.n);
    p.columns[x] = describe(squares, find_scale(largest, held), held);
}
#endif
