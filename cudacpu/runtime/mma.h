/* mma.h - the arithmetic of mma.sync, and which lane holds what: given the registers of a warp's 32
 * lanes. Nothing here waits for anybody. */
#ifndef CUDACPU_RUNTIME_MMA_H
#define CUDACPU_RUNTIME_MMA_H
#include "cudacpu/warp_matrix.h"

namespace cudacpu {

/* A lane's part of an m16n8 product: as ptx::mma_sync has it. d may be a, b or c. */
struct mma_call {
    unsigned k;
    ptx::element a_type, b_type;
    bool saturate;
    uint32_t *d;
    const uint32_t *a, *b, *c;
};

/* d = a b + c, for 32 lanes with the same shape. Integers: exactly, then wrapped around, or clamped
 * with saturate. F16 and BF16: the products are exact, they are summed with c in double in the
 * order of k, c last, and the sum is rounded once to float; a GPU truncates within its sum, so the
 * last bits differ. On both the error is at most (k + 1) 2^-23 times the sum of the absolute
 * products and of |c|. */
void multiply_warp(const mma_call *const *lanes);

/* What a register gets: integer_sum (cudacpu/warp_matrix.h), and */
uint32_t float_sum(double sum); /* of every NaN a GPU's */

} // namespace cudacpu
#endif
