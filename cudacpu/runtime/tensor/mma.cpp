/* mma.cpp - ldmatrix and mma.sync: the 32 lanes of a warp meet, and the last one computes
 * for all. Programs that nobody observes have the inlined ones of cudacpu/warp_matrix.h. */
#include "cudacpu/warp_matrix.h"
#include "matrix_product.h"
#include "runtime/host/observer.h"
#include "runtime/scheduler/block.h"
#include <cstring>

namespace cudacpu {

namespace {

enum { MMA_ROWS = 16 };

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
    warp_mma(k, a_type, b_type, saturate, d, a, b, c, where);
}

void mma_sync_f64(unsigned rows, unsigned k, uint64_t *d, const uint64_t *a, const uint64_t *b,
                  const uint64_t *c, const site *where) {
    warp_mma_f64(rows, k, d, a, b, c, where);
}

} // namespace ptx
} // namespace cudacpu
