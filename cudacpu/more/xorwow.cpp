/* xorwow.cpp - XORWOW far ahead: a step is linear in the five words' 160 bits, so 2^i steps are a
 * matrix of bits, the square of that of 2^(i - 1). */
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace cudacpu {

void skip_xorwow(unsigned *v, unsigned long long subsequence, unsigned long long offset);

namespace {

enum { WORDS = 5, BITS = 32 * WORDS, SUBSEQUENCE = 67 };
typedef std::array<uint32_t, WORDS> words;
typedef std::array<words, BITS> bit_matrix; /* row i: where bit i alone leads to */

words multiply(const bit_matrix &m, const words &v) {
    words result = {};
    for (unsigned i = 0; i < BITS; i++)
        if (v[i / 32] >> i % 32 & 1)
            for (unsigned j = 0; j < WORDS; j++)
                result[j] ^= m[i][j];
    return result;
}

words step(const words &v) {
    const uint32_t t = v[0] ^ v[0] >> 2;
    return {v[1], v[2], v[3], v[4], v[4] ^ v[4] << 4 ^ (t ^ t << 1)};
}

std::vector<bit_matrix> make_powers() {
    std::vector<bit_matrix> powers(SUBSEQUENCE + 64);
    for (unsigned i = 0; i < BITS; i++) {
        words bit = {};
        bit[i / 32] = 1u << i % 32;
        powers[0][i] = step(bit);
    }
    for (std::size_t p = 1; p < powers.size(); p++)
        for (unsigned i = 0; i < BITS; i++)
            powers[p][i] = multiply(powers[p - 1], powers[p - 1][i]);
    return powers;
}

} // namespace

void skip_xorwow(unsigned *v, unsigned long long subsequence, unsigned long long offset) {
    if (!subsequence && !offset)
        return;
    static const std::vector<bit_matrix> &powers = *new std::vector<bit_matrix>(make_powers());
    words w = {v[0], v[1], v[2], v[3], v[4]};
    for (unsigned i = 0; i < 64; i++) {
        if (offset >> i & 1)
            w = multiply(powers[i], w);
        if (subsequence >> i & 1)
            w = multiply(powers[SUBSEQUENCE + i], w);
    }
    for (unsigned j = 0; j < WORDS; j++)
        v[j] = w[j];
}

} // namespace cudacpu
