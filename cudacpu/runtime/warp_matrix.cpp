/* warp_matrix.cpp - ldmatrix and mma.sync: the 32 lanes of a warp meet, and the last one computes
 * for all. */
#include "block.h"
#include "collective.h"
#include "cudacpu/ptx.h"
#include "cudacpu/warp.h"
#include "ldmatrix.h"
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

/* This lane's row, which must begin at a multiple of its 16 bytes. */
const void *find_row(uint32_t address, const site *where) {
    if (address % 16 != 0) {
        char text[80];
        snprintf(text, sizeof text, "ldmatrix: shared address 0x%x is not a multiple of 16",
                 address);
        fail_thread("misaligned address", where, text);
    }
    return from_shared(address, where);
}

} // namespace

void ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where) {
    void *const caller = __builtin_return_address(0);
    const unsigned first = first_of_warp(where);
    ldmatrix_call call = {count, transposed, nullptr, d};
    if (lane() < (int)(8 * count)) {
        call.row = find_row(address, where);
        if (observing)
            observing->accessed(call.row, 16, false, caller);
    }
    meet(
        first, 32, &call,
        [](void **all, unsigned) { load_matrices((const ldmatrix_call *const *)all); }, where,
        "ldmatrix");
}

void mma_sync(unsigned k, element a_type, element b_type, bool saturate, uint32_t *d,
              const uint32_t *a, const uint32_t *b, const uint32_t *c, const site *where) {
    const unsigned first = first_of_warp(where);
    mma_call call = {k, a_type, b_type, saturate, d, a, b, c};
    meet(
        first, 32, &call, [](void **all, unsigned) { multiply_warp((const mma_call *const *)all); },
        where, "mma.sync");
}

} // namespace cudacpu::ptx
