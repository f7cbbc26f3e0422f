/* warp_matrix.cpp - ldmatrix and mma.sync: the 32 lanes of a warp meet, and the last one computes
 * for all. */
#include "collective.h"
#include "cudacpu/ptx.h"
#include "ldmatrix.h"
#include "mma.h"
#include "worker.h"

namespace cudacpu::ptx {

namespace {

unsigned first_of_warp() { return cudacpu_current->thread & ~31u; }

} // namespace

void ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where) {
    void *const caller = __builtin_return_address(0);
    (void)caller;
    ldmatrix_call call = {count, transposed, nullptr, d};
    if (lane() < (int)(8 * count))
        call.row = from_shared(address, where);
    meet(
        first_of_warp(), 32, &call,
        [](void **all, unsigned) { load_matrices((const ldmatrix_call *const *)all); }, where,
        "ldmatrix");
}

void mma_sync(unsigned k, element a_type, element b_type, bool saturate, uint32_t *d,
              const uint32_t *a, const uint32_t *b, const uint32_t *c, const site *where) {
    mma_call call = {k, a_type, b_type, saturate, d, a, b, c};
    meet(
        first_of_warp(), 32, &call,
        [](void **all, unsigned) { multiply_warp((const mma_call *const *)all); }, where,
        "mma.sync");
}

} // namespace cudacpu::ptx
