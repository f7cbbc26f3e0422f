/* mma.cpp - ldmatrix and mma.sync: the 32 lanes of a warp meet, and the last one computes
 * for all. Programs that nobody observes have the inlined ones of cudacpu/warp_matrix.h. */
#include "cudacpu/half_bits.h"
#include "cudacpu/warp_matrix.h"
#include "matrix_product.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include <cstring>

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

/* A matrix of 8 x 8 elements of 16 bits: a lane gets two neighbours of row lane / 4, or,
 * transposed, of column lane / 4. */
void load_matrix(const void *const *rows, uint32_t *words) {
    for (unsigned row = 0; row < 8; row++)
        memcpy(words + 4 * row, rows[row], 16);
}
void load_transposed(const void *const *rows, uint32_t *words) {
    uint16_t element[8][8];
    for (unsigned row = 0; row < 8; row++)
        memcpy(element[row], rows[row], sizeof element[row]);
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned column = lane / 4, first = lane % 4 * 2;
        words[lane] = element[first][column] | (uint32_t)element[first + 1][column] << 16;
    }
}

template <ptx::element a_type, ptx::element b_type, unsigned k>
void multiply_integer_tile(warp_tile *t) {
    enum { WORDS = k / 4 };
    uint32_t a[MMA_ROWS * WORDS];
    if (WORDS < 8)
        for (unsigned row = 0; row < MMA_ROWS; row++)
            memcpy(a + row * WORDS, t->a[row], WORDS * sizeof *a);
    multiply_integers(a_type, b_type, MMA_ROWS, WORDS, WORDS < 8 ? a : t->a[0], t->b, t->sums,
                      PANEL);
}

template <unsigned rows, unsigned k> void multiply_double_tile(warp_tile *t) {
    multiply_f64(rows, k, t->a_f64, t->b_f64, t->sums_f64);
}

template <unsigned count, bool transposed> void load_matrices(warp_tile *t) {
    for (unsigned i = 0; i < count; i++)
        (transposed ? load_transposed : load_matrix)(t->rows + 8 * i, t->words[i]);
}

} // namespace

namespace ptx {

void (*const multiply_tile[2][2][2])(warp_tile *) = {
    {{multiply_integer_tile<S8, S8, 16>, multiply_integer_tile<S8, U8, 16>},
     {multiply_integer_tile<U8, S8, 16>, multiply_integer_tile<U8, U8, 16>}},
    {{multiply_integer_tile<S8, S8, 32>, multiply_integer_tile<S8, U8, 32>},
     {multiply_integer_tile<U8, S8, 32>, multiply_integer_tile<U8, U8, 32>}}};
void (*const multiply_f64_tile[4])(warp_tile *) = {
    multiply_double_tile<8, 4>, multiply_double_tile<16, 4>, multiply_double_tile<16, 8>,
    multiply_double_tile<16, 16>};
void (*const load_tile[3][2])(warp_tile *) = {{load_matrices<1, false>, load_matrices<1, true>},
                                              {load_matrices<2, false>, load_matrices<2, true>},
                                              {load_matrices<4, false>, load_matrices<4, true>}};

void fail_row(uint32_t address, const site *where) {
    fail_thread("misaligned address", where, "ldmatrix: shared address ", print("0x%x", address),
                " is not a multiple of 16");
}

void ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where) {
    void *const caller = PROGRAM_CALLER;
    if (observers::any() && address % 16 == 0 && find_fiber(where)->thread % 32 < 8 * count)
        tell(&observer::accessed, from_shared(address, where), 16, false, caller);
    warp_ldmatrix(d, count, transposed, address, where);
}

void mma_sync(unsigned k, element a_type, element b_type, bool saturate, uint32_t *d,
              const uint32_t *a, const uint32_t *b, const uint32_t *c, const site *where) {
    if (is_integer(a_type))
        return warp_mma(k, a_type, b_type, saturate, d, a, b, c, where);
    fiber *f = find_fiber(where);
    int32_t *const sums = f->lane.sums;
    put_factors(f, 8, a, b);
    for (unsigned i = 0; i < 4; i++)
        sums[i / 2 * 64 + i % 2] = (int32_t)c[i];
    meet_warp(f,
              a_type == F16    ? multiply_in_double<F16>
              : a_type == BF16 ? multiply_in_double<BF16>
                               : multiply_tf32,
              where, "mma.sync");
    for (unsigned i = 0; i < 4; i++)
        d[i] = (uint32_t)sums[i / 2 * 64 + i % 2];
}

void mma_sync_f64(unsigned rows, unsigned k, uint64_t *d, const uint64_t *a, const uint64_t *b,
                  const uint64_t *c, const site *where) {
    warp_mma_f64(rows, k, d, a, b, c, where);
}

void mma_sync_k8(element type, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                 const site *where) {
    const uint32_t whole_a[4] = {a[0], a[1], 0, 0}, whole_b[2] = {b[0], 0};
    mma_sync(16, type, type, false, d, whole_a, whole_b, c, where);
}

void mma_sync_half(unsigned k, uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c,
                   const site *where) {
    uint32_t sums[4];
    for (unsigned i = 0; i < 4; i++)
        sums[i] = bits_as<uint32_t>((float)half_value((uint16_t)(c[i / 2] >> 16 * (i % 2))));
    if (k == 8)
        mma_sync_k8(F16, sums, a, b, sums, where);
    else
        mma_sync(16, F16, F16, false, sums, a, b, sums, where);
    for (unsigned i = 0; i < 2; i++)
        d[i] = half_bits(bits_as<float>(sums[2 * i])) |
               (uint32_t)half_bits(bits_as<float>(sums[2 * i + 1])) << 16;
}

} // namespace ptx
} // namespace cudacpu
