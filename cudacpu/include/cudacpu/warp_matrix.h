/* warp_matrix.h - ldmatrix and mma.sync of 8-bit integers, inlined into the program: each lane puts
 * its registers where the product wants them, and takes its own from the result. An observer has
 * the functions of ptx.h instead. */
#ifndef CUDACPU_WARP_MATRIX_H
#define CUDACPU_WARP_MATRIX_H
#include "cudacpu/meeting.h"
#include "cudacpu/ptx.h"
#include <cstring>

namespace cudacpu {
/* Wrapped around, or clamped. */
uint32_t integer_sum(int32_t product, uint32_t c, bool saturate);
} // namespace cudacpu

namespace cudacpu::ptx {

#ifdef CUDACPU_INSPECT
inline constexpr auto &warp_ldmatrix = ldmatrix;
inline constexpr auto &warp_mma = mma_sync;
#else

/* What the last lane does, with the tile of its warp. */
template <element a_type, element b_type, unsigned k> void multiply_tile(void **all, unsigned);
template <unsigned count, bool transposed> void load_tile(void **all, unsigned);

/* The address of this lane's row for ldmatrix, which must be a multiple of 16. */
const void *find_row(uint32_t address, const site *where);

__attribute__((always_inline)) inline void
warp_ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where) {
    const fiber *f = cudacpu_current;
    if (__builtin_expect(!f, 0))
        wait_outside_kernel(where);
    const unsigned lane = f->thread % 32;
    warp_tile *tile = &cudacpu_meeting_places->tiles[f->thread / 32];
    if (lane < 8 * count)
        tile->rows[lane] = find_row(address, where);
    meet(f->thread - lane, 32, tile,
         count == 4   ? (transposed ? load_tile<4, true> : load_tile<4, false>)
         : count == 2 ? (transposed ? load_tile<2, true> : load_tile<2, false>)
                      : (transposed ? load_tile<1, true> : load_tile<1, false>),
         where, "ldmatrix");
    for (unsigned i = 0; i < count; i++)
        d[i] = tile->words[lane][i];
}

__attribute__((always_inline)) inline void warp_mma(unsigned k, element a_type, element b_type,
                                                    bool saturate, uint32_t *d, const uint32_t *a,
                                                    const uint32_t *b, const uint32_t *c,
                                                    const site *where) {
    const fiber *f = cudacpu_current;
    if (__builtin_expect(!f, 0))
        wait_outside_kernel(where);
    const unsigned lane = f->thread % 32;
    warp_tile *tile = &cudacpu_meeting_places->tiles[f->thread / 32];
    std::memcpy(tile->a[lane], a, k / 8 * sizeof *a);
    std::memcpy(tile->b[lane], b, k / 16 * sizeof *b);
    meet(f->thread - lane, 32, tile,
         k == 32 ? (a_type == S8
                        ? (b_type == S8 ? multiply_tile<S8, S8, 32> : multiply_tile<S8, U8, 32>)
                        : (b_type == S8 ? multiply_tile<U8, S8, 32> : multiply_tile<U8, U8, 32>))
                 : (a_type == S8
                        ? (b_type == S8 ? multiply_tile<S8, S8, 16> : multiply_tile<S8, U8, 16>)
                        : (b_type == S8 ? multiply_tile<U8, S8, 16> : multiply_tile<U8, U8, 16>)),
         where, "mma.sync");
    for (unsigned i = 0; i < 4; i++) {
        const int32_t product = tile->sums[2 * lane + i / 2 * 64 + i % 2];
        d[i] = saturate ? integer_sum(product, c[i], true) : c[i] + (uint32_t)product;
    }
}
#endif

} // namespace cudacpu::ptx
#endif
