/* mrg32k3a.cpp - MRG32k3a far ahead: a step is a matrix of each recurrence, so 2^i steps are a
 * matrix too, the square of that of 2^(i - 1). */
#include "cudacpu/mrg32k3a.h"
#include <array>
#include <cstdint>
#include <vector>

namespace cudacpu {
namespace {

enum { POWERS = 127 + 64 };
typedef std::array<std::array<uint64_t, 3>, 3> matrix;

matrix square(const matrix &m, uint64_t modulus) {
    matrix result = {};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                result[i][j] = (result[i][j] + m[i][k] * m[k][j] % modulus) % modulus;
    return result;
}

/* last: the next number's factors of the three before it. */
std::vector<matrix> make_powers(const std::array<uint64_t, 3> &last, uint64_t modulus) {
    std::vector<matrix> powers = {{{{0, 1, 0}, {0, 0, 1}, last}}};
    while (powers.size() < POWERS)
        powers.push_back(square(powers.back(), modulus));
    return powers;
}

void skip(unsigned *state, const std::vector<matrix> &powers, uint64_t modulus,
          unsigned long long n, unsigned power) {
    for (; n; n >>= 1, power++) {
        if (!(n & 1))
            continue;
        const uint64_t s[3] = {state[0], state[1], state[2]};
        for (int i = 0; i < 3; i++) {
            uint64_t sum = 0;
            for (int k = 0; k < 3; k++)
                sum += powers[power][i][k] * s[k] % modulus;
            state[i] = (unsigned)(sum % modulus);
        }
    }
}

} // namespace

void skip_mrg(unsigned *s1, unsigned *s2, unsigned long long n, unsigned power) {
    static const auto &first = *new std::vector<matrix>(
                          make_powers({MRG_MODULUS_1 - 810728, 1403580, 0}, MRG_MODULUS_1)),
                      &second = *new std::vector<matrix>(
                          make_powers({MRG_MODULUS_2 - 1370589, 0, 527612}, MRG_MODULUS_2));
    skip(s1, first, MRG_MODULUS_1, n, power);
    skip(s2, second, MRG_MODULUS_2, n, power);
}

} // namespace cudacpu
