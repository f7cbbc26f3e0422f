/* mma_floats.cpp - mma.sync of half, bfloat16 and tf32, which no step has: the 32 lanes of a warp
 * meet, and the last one computes for all (runtime/tensor/mma.cpp). */
#include "cudacpu/half_bits.h"
#include "cudacpu/ptx_arithmetic.h"
#include "cudacpu/warp_matrix.h"
#include "runtime/scheduler/block.h"
#include "runtime/tensor/matrix_product.h"

namespace cudacpu {
namespace {

enum { MMA_ROWS = 16 };

/* Sums that begin with c, which the lanes have put there. */
template <ptx::element type> void multiply_in_double(warp_tile *t) {
    enum { WORDS = 8 };
    double a[MMA_ROWS * 2 * WORDS], products[MMA_ROWS][PANEL];
    halves_to_doubles(type, MMA_ROWS * WORDS, t->a[0], a);
    multiply_halves(type, MMA_ROWS, WORDS, a, t->b, products[0], PANEL);
    for (unsigned i = 0; i < MMA_ROWS * PANEL; i++)
        t->sums[i] =
            (int32_t)float_sum(products[i / PANEL][i % PANEL] + bits_as<float>(t->sums[i]));
}

/* Of each float the 19 bits that such a number has. */
void multiply_tf32(warp_tile *t) {
    const auto value = [](uint32_t word) { return (double)bits_as<float>(word & ~0x1fffu); };
    for (unsigned row = 0; row < MMA_ROWS; row++)
        for (unsigned column = 0; column < PANEL; column++) {
            double sum = 0;
            for (unsigned k = 0; k < 8; k++)
                sum += value(t->a[row][k]) * value(t->b[k][column]);
            int32_t *const c = &t->sums[row * PANEL + column];
            *c = (int32_t)float_sum(sum + bits_as<float>(*c));
        }
}

} // namespace

namespace ptx {

void mma_sync_floats(unsigned k, element type, uint32_t *d, const uint32_t *a, const uint32_t *b,
                     const uint32_t *c, const site *where) {
    const uint32_t half_a[4] = {a[0], a[1], 0, 0}, half_b[2] = {b[0], 0};
    const bool is_half = k == 8 && type != TF32; /* of the k that is multiplied */
    fiber *f = find_fiber(where);
    int32_t *const sums = f->lane.sums;
    put_factors(f, 8, is_half ? half_a : a, is_half ? half_b : b);
    for (unsigned i = 0; i < 4; i++)
        sums[i / 2 * 64 + i % 2] = (int32_t)c[i];
    meet_warp(f,
              type == F16    ? multiply_in_double<F16>
              : type == BF16 ? multiply_in_double<BF16>
                             : multiply_tf32,
              where, "mma.sync");
    for (unsigned i = 0; i < 4; i++)
        d[i] = (uint32_t)sums[i / 2 * 64 + i % 2];
}

void mma_sync_half(unsigned k, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   const site *where) {
    uint32_t sums[4];
    for (unsigned i = 0; i < 4; i++)
        sums[i] = bits_as<uint32_t>((float)half_value((uint16_t)(c[i / 2] >> 16 * (i % 2))));
    mma_sync_floats(k, F16, sums, a, b, sums, where);
    for (unsigned i = 0; i < 2; i++)
        d[i] = half_bits(bits_as<float>(sums[2 * i])) |
               (uint32_t)half_bits(bits_as<float>(sums[2 * i + 1])) << 16;
}

} // namespace ptx
} // namespace cudacpu
