/* warp_matrix.cpp - ldmatrix and mma.sync: the 32 lanes of a warp meet, and the last one computes
 * for all. Programs that nobody observes have the inlined ones of cudacpu/warp_matrix.h. */
#include "block.h"
#include "collective.h"
#include "cudacpu/ptx.h"
#include "cudacpu/warp.h"
#include "ldmatrix.h"
#include "matrix_product.h"
#include "mma.h"
#include "observer.h"
#include "waiting.h"
#include <cstdio>

namespace cudacpu::ptx {

namespace {

unsigned first_of_warp(const site *where) {
    if (!cudacpu_current)
        wait_outside_kernel(where);
    return cudacpu_current->thread & ~31u;
}

} // namespace

const void *find_row(uint32_t address, const site *where) {
    if (address % 16 != 0) {
        char text[80];
        snprintf(text, sizeof text, "ldmatrix: shared address 0x%x is not a multiple of 16",
                 address);
        fail_thread("misaligned address", where, text);
    }
    return from_shared(address, where);
}

namespace {

void (*loader(unsigned count, bool transposed))(void **, unsigned) {
    if (count == 4)
        return transposed ? load_tile<4, true> : load_tile<4, false>;
    if (count == 2)
        return transposed ? load_tile<2, true> : load_tile<2, false>;
    return transposed ? load_tile<1, true> : load_tile<1, false>;
}

} // namespace

void ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where) {
    void *const caller = __builtin_return_address(0);
    const unsigned first = first_of_warp(where);
    const unsigned lane = cudacpu_current->thread % 32;
    warp_tile *t = &self->tiles[first / 32];
    if (lane < 8 * count) {
        t->rows[lane] = find_row(address, where);
        if (observing)
            observing->accessed(t->rows[lane], 16, false, caller);
    }
    meet(first, 32, t, loader(count, transposed), where, "ldmatrix");
    for (unsigned i = 0; i < count; i++)
        d[i] = t->words[lane][i];
}

void mma_sync(unsigned k, element a_type, element b_type, bool saturate, uint32_t *d,
              const uint32_t *a, const uint32_t *b, const uint32_t *c, const site *where) {
    const unsigned first = first_of_warp(where);
    mma_call call = {k, a_type, b_type, saturate, d, a, b, c};
    meet(
        first, 32, &call, [](void **all, unsigned) { multiply_warp((const mma_call *const *)all); },
        where, "mma.sync");
}

template <element a_type, element b_type, unsigned k> void multiply_tile(void **all, unsigned) {
    warp_tile *t = (warp_tile *)all[0];
    enum { WORDS = k / 4 };
    uint32_t a[16][WORDS], b[WORDS][PANEL];
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned group = lane / 4, place = lane % 4;
        for (unsigned i = 0; i < WORDS / 4; i++) {
            a[group][4 * i + place] = t->a[lane][2 * i];
            a[group + 8][4 * i + place] = t->a[lane][2 * i + 1];
            b[4 * i + place][group] = t->b[lane][i];
        }
    }
    multiply_integers(a_type, b_type, 16, WORDS, a[0], b, t->sums, PANEL);
}
template void multiply_tile<S8, S8, 32>(void **, unsigned);
template void multiply_tile<S8, U8, 32>(void **, unsigned);
template void multiply_tile<U8, S8, 32>(void **, unsigned);
template void multiply_tile<U8, U8, 32>(void **, unsigned);
template void multiply_tile<S8, S8, 16>(void **, unsigned);
template void multiply_tile<S8, U8, 16>(void **, unsigned);
template void multiply_tile<U8, S8, 16>(void **, unsigned);
template void multiply_tile<U8, U8, 16>(void **, unsigned);

template <unsigned count, bool transposed> void load_tile(void **all, unsigned) {
    warp_tile *t = (warp_tile *)all[0];
    for (unsigned i = 0; i < count; i++)
        load_matrix(transposed, t->rows + 8 * i, (uint32_t(*)[4]) & t->words[0][i]);
}
template void load_tile<1, false>(void **, unsigned);
template void load_tile<2, false>(void **, unsigned);
template void load_tile<4, false>(void **, unsigned);
template void load_tile<1, true>(void **, unsigned);
template void load_tile<2, true>(void **, unsigned);
template void load_tile<4, true>(void **, unsigned);

} // namespace cudacpu::ptx
