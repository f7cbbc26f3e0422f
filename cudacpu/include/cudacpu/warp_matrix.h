/* warp_matrix.h - ldmatrix, mma.sync of 8-bit integers and of f64, inlined: each lane puts its
 * registers where the product wants them, and takes its own from the result. An observer has
 * the functions of ptx.h instead.
 *
 * A lane is in group lane / 4, at place lane % 4 of it. Word i of a row of A, 4 bytes along k, is
 * held at place i % 4 of the group of the row; words 4 and above, and rows 8 and above, are in
 * later registers. B's columns likewise. Of C, a lane has two neighbours of row group and of row
 * group + 8. With f64 an element is such a word, and a row has 4, 8 or 16. */
#ifndef CUDACPU_WARP_MATRIX_H
#define CUDACPU_WARP_MATRIX_H
#include "cudacpu/meeting.h"
#include "cudacpu/ptx.h"
#include "cudacpu/shared_address.h"
#include <cstring>

namespace cudacpu {
/* Wrapped around, or clamped. */
uint32_t integer_sum(int32_t product, uint32_t c, bool saturate);
} // namespace cudacpu

namespace cudacpu::ptx {

#ifdef CUDACPU_INSPECT
inline constexpr auto &warp_ldmatrix = ldmatrix;
inline constexpr auto &warp_mma = mma_sync;
inline constexpr auto &warp_mma_f64 = mma_sync_f64;
#else

/* What the last lane does: by k (16, 32) and the types of a and b (S8, U8); of f64 by k, with 8
 * rows and with 16; by the count of matrices (1, 2, 4) and whether they are transposed. */
extern void (*const multiply_tile[2][2][2])(warp_tile *);
extern void (*const multiply_f64_tile[4])(warp_tile *);
extern void (*const load_tile[3][2])(warp_tile *);

/* The address of a row for ldmatrix was not a multiple of 16. */
void fail_row(uint32_t address, const site *where);

__attribute__((always_inline)) inline void
warp_ldmatrix(uint32_t *d, unsigned count, bool transposed, uint32_t address, const site *where) {
    fiber *f = find_fiber(where);
    if (f->lane.lane < 8 * count) {
        if (__builtin_expect(address % 16 != 0, 0))
            fail_row(address, where);
        f->lane.tile->rows[f->lane.lane] = from_shared(address, where);
    }
    meet_warp(f, load_tile[count / 2][transposed], where, "ldmatrix");
    const uint32_t *const words = f->lane.tile->words[0] + f->lane.lane;
    for (unsigned i = 0; i < count; i++)
        d[i] = words[32 * i];
}

__attribute__((always_inline)) inline void put_factors(const fiber *f, unsigned k_words,
                                                       const uint32_t *a, const uint32_t *b) {
    uint32_t *const own_a = f->lane.a, *const own_b = f->lane.b;
    for (unsigned i = 0; i < k_words / 4; i++) {
        own_a[4 * i] = a[2 * i];
        own_a[4 * i + 64] = a[2 * i + 1];
        own_b[32 * i] = b[i];
    }
}

__attribute__((always_inline)) inline void warp_mma(unsigned k, element a_type, element b_type,
                                                    bool saturate, uint32_t *d, const uint32_t *a,
                                                    const uint32_t *b, const uint32_t *c,
                                                    const site *where) {
    fiber *f = find_fiber(where);
    put_factors(f, k / 4, a, b);
    meet_warp(f, multiply_tile[k == 32][a_type == U8][b_type == U8], where, "mma.sync");
    typedef uint64_t pairs __attribute__((vector_size(16)));
    typedef uint32_t words __attribute__((vector_size(16)));
    uint64_t low, high; /* two products each */
    std::memcpy(&low, f->lane.sums, 8);
    std::memcpy(&high, f->lane.sums + 64, 8);
    const words products = (words)(pairs){low, high};
    if (!saturate) {
        words sums;
        std::memcpy(&sums, c, sizeof sums);
        sums += products;
        std::memcpy(d, &sums, sizeof sums);
        return;
    }
    for (unsigned i = 0; i < 4; i++)
        d[i] = integer_sum((int32_t)products[i], c[i], true);
}

__attribute__((always_inline)) inline void warp_mma_f64(unsigned rows, unsigned k, uint64_t *d,
                                                        const uint64_t *a, const uint64_t *b,
                                                        const uint64_t *c, const site *where) {
    fiber *f = find_fiber(where);
    warp_tile *const t = f->lane.tile;
    const unsigned group = f->lane.lane / 4, place = f->lane.lane % 4;
    for (unsigned i = 0; i < rows * k / 32; i++)
        std::memcpy(&t->a_f64[group + i % (rows / 8) * 8][place + i / (rows / 8) * 4], &a[i], 8);
    for (unsigned i = 0; i < k / 4; i++)
        std::memcpy(&t->b_f64[place + 4 * i][group], &b[i], 8);
    for (unsigned i = 0; i < rows / 4; i += 2)
        std::memcpy(&t->sums_f64[group + 4 * i][2 * place], &c[i], 16);
    meet_warp(f, multiply_f64_tile[rows == 8 ? 0 : 1 + k / 8], where, "mma.sync");
    for (unsigned i = 0; i < rows / 4; i += 2)
        std::memcpy(&d[i], &t->sums_f64[group + 4 * i][2 * place], 16);
}
#endif

} // namespace cudacpu::ptx
#endif
