/* mma.cpp - the arithmetic of mma.sync, m16n8 with 8-bit integers, half and bfloat16.
 *
 * A lane is in group lane / 4, at place lane % 4 of it. Word i of a row of A, 4 bytes along k, is
 * held at place i % 4; words 4 and above are in later registers. Of C, a lane has two neighbours of
 * row group and of row group + 8. */
#include "mma.h"
#include "cudacpu/half_bits.h"
#include "matrix_product.h"

namespace cudacpu {

uint32_t integer_sum(int32_t product, uint32_t c, bool saturate) {
    const int64_t sum = (int64_t)product + (int32_t)c;
    if (saturate && sum != (int32_t)sum)
        return sum < 0 ? 0x80000000 : 0x7fffffff;
    return (uint32_t)sum;
}

uint32_t float_sum(double sum) { return sum != sum ? 0x7fffffff : bits_as<uint32_t>((float)sum); }

namespace {

enum { ROWS = 16 };

template <unsigned words>
void gather(const mma_call *const *lanes, uint32_t (*a)[words], uint32_t (*b)[PANEL]) {
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned group = lane / 4, place = lane % 4;
        const uint32_t *const own_a = lanes[lane]->a, *const own_b = lanes[lane]->b;
        for (unsigned i = 0; i < words / 4; i++) {
            a[group][i * 4 + place] = own_a[i * 2];
            a[group + 8][i * 4 + place] = own_a[i * 2 + 1];
            b[i * 4 + place][group] = own_b[i];
        }
    }
}

template <unsigned words> void multiply_bytes(const mma_call *const *lanes) {
    uint32_t a[ROWS][words], b[words][PANEL];
    int32_t sums[ROWS][PANEL];
    gather<words>(lanes, a, b);
    multiply_integers(lanes[0]->a_type, lanes[0]->b_type, ROWS, words, a[0], b, sums[0], PANEL);
    for (unsigned lane = 0; lane < 32; lane++) {
        const int32_t *const low = &sums[lane / 4][lane % 4 * 2], *const high = low + 8 * PANEL;
        uint32_t *const d = lanes[lane]->d;
        const uint32_t *const c = lanes[lane]->c, c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
        if (!lanes[0]->saturate) {
            d[0] = c0 + (uint32_t)low[0];
            d[1] = c1 + (uint32_t)low[1];
            d[2] = c2 + (uint32_t)high[0];
            d[3] = c3 + (uint32_t)high[1];
            continue;
        }
        d[0] = integer_sum(low[0], c0, true);
        d[1] = integer_sum(low[1], c1, true);
        d[2] = integer_sum(high[0], c2, true);
        d[3] = integer_sum(high[1], c3, true);
    }
}

void multiply_in_double(const mma_call *const *lanes) {
    enum { WORDS = 8 };
    uint32_t a[ROWS][WORDS], b[WORDS][PANEL];
    double a_values[ROWS * 2 * WORDS], sums[ROWS][PANEL];
    gather<WORDS>(lanes, a, b);
    halves_to_doubles(lanes[0]->a_type, ROWS * WORDS, a[0], a_values);
    multiply_halves(lanes[0]->b_type, ROWS, WORDS, a_values, b, sums[0], PANEL);
    for (unsigned lane = 0; lane < 32; lane++)
        for (unsigned i = 0; i < 4; i++)
            lanes[lane]->d[i] = float_sum(sums[lane / 4 + i / 2 * 8][lane % 4 * 2 + i % 2] +
                                          bits_as<float>(lanes[lane]->c[i]));
}

} // namespace

void multiply_warp(const mma_call *const *lanes) {
    if (!is_integer(lanes[0]->a_type))
        multiply_in_double(lanes);
    else if (lanes[0]->k == 32)
        multiply_bytes<8>(lanes);
    else
        multiply_bytes<4>(lanes);
}

} // namespace cudacpu
