/* matrix_product.cpp - rows of A times a panel of 8 columns of B. */
#include "matrix_product.h"
#include "cudacpu/half_bits.h"
#include "cudacpu/warp_matrix.h"
#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>
#endif

namespace cudacpu {
namespace {

/* ---- with vpdpbusd: four products of an unsigned and a signed byte, added to each of 8 sums ----
 */

#if defined(__x86_64__) && defined(__linux__)
#define WITH_VNNI __attribute__((target("avx512vnni,avx512vl")))

/* B's signs decide which factor is the unsigned one. Where A's are wrong for that, 128 is added to
 * each element of A or taken away (the same bit of a byte), and 128 times the sum of B's column
 * makes up for it. */
template <bool b_signed>
WITH_VNNI __attribute__((always_inline)) inline __m256i add_products(__m256i sums, __m256i a,
                                                                     __m256i b) {
    return b_signed ? _mm256_dpbusd_epi32(sums, a, b) : _mm256_dpbusd_epi32(sums, b, a);
}

template <bool b_signed>
WITH_VNNI void multiply(bool shift, unsigned rows, unsigned words, const uint32_t *a,
                        const uint32_t (*b)[PANEL], int32_t *sums, unsigned next_row) {
    const __m256i highest = _mm256_set1_epi8((char)0x80), zero = _mm256_setzero_si256();
    __m256i shifted = zero;
    if (shift) {
        for (unsigned i = 0; i < words; i++)
            shifted =
                add_products<b_signed>(shifted, highest, _mm256_loadu_si256((const __m256i *)b[i]));
        shifted = _mm256_sub_epi32(zero, shifted);
    }
    alignas(32) uint32_t flipped[MOST_ROWS * MOST_WORDS];
    if (shift) {
        for (unsigned i = 0; i < rows * words; i += 8)
            _mm256_store_si256((__m256i *)(flipped + i),
                               _mm256_loadu_si256((const __m256i *)(a + i)) ^ highest);
        a = flipped;
    }
    for (unsigned row = 0; row < rows; row += 4, a += 4 * words, sums += 4 * next_row) {
        __m256i s0 = shifted, s1 = shifted, s2 = shifted, s3 = shifted;
        for (unsigned i = 0; i < words; i++) {
            const __m256i v = _mm256_loadu_si256((const __m256i *)b[i]);
            s0 = add_products<b_signed>(s0, _mm256_set1_epi32((int)a[i]), v);
            s1 = add_products<b_signed>(s1, _mm256_set1_epi32((int)a[words + i]), v);
            s2 = add_products<b_signed>(s2, _mm256_set1_epi32((int)a[2 * words + i]), v);
            s3 = add_products<b_signed>(s3, _mm256_set1_epi32((int)a[3 * words + i]), v);
        }
        _mm256_storeu_si256((__m256i *)sums, s0);
        _mm256_storeu_si256((__m256i *)(sums + next_row), s1);
        _mm256_storeu_si256((__m256i *)(sums + 2 * next_row), s2);
        _mm256_storeu_si256((__m256i *)(sums + 3 * next_row), s3);
    }
}

bool has_vnni() {
    static const bool has =
        __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl");
    return has;
}
#endif

/* ---- for every CPU: loops over vectors of the compiler's, which makes of them what it has ---- */

typedef float floats __attribute__((vector_size(32), aligned(4)));
typedef double doubles __attribute__((vector_size(32), aligned(8)));
typedef int32_t integers __attribute__((vector_size(32), aligned(4)));
typedef uint32_t bit_words __attribute__((vector_size(32), aligned(4)));

ALSO_WITH("avx2")
void bytes_to_floats(ptx::element type, unsigned words, const uint32_t *from, float *to) {
    const signed char *bytes = (const signed char *)from;
    const unsigned char *unsigned_bytes = (const unsigned char *)from;
    if (type == ptx::S8)
        for (unsigned i = 0; i < words * 4; i++)
            to[i] = bytes[i];
    else
        for (unsigned i = 0; i < words * 4; i++)
            to[i] = unsigned_bytes[i];
}

ALSO_WITH("avx2")
void panel_to_floats(ptx::element type, unsigned words, const uint32_t (*from)[PANEL],
                     float (*to)[PANEL]) {
    for (unsigned i = 0; i < words; i++, to += 4)
        for (unsigned byte = 0; byte < 4; byte++) {
            const bit_words high = *(const bit_words *)from[i] << (24 - 8 * byte);
            const integers values = type == ptx::S8 ? (integers)high >> 24 : (integers)(high >> 24);
            *(floats *)to[byte] = __builtin_convertvector(values, floats);
        }
}

/* In float, for which every CPU has vector instructions: every sum of 32 products is exact, as
 * 32 * 255 * 255 < 2^24. Eight vectors of sums are under way at once. */
ALSO_WITH("fma")
void multiply_floats(unsigned rows, unsigned depth, const float *a, const float (*b)[PANEL],
                     int32_t *sums, unsigned next_row) {
    for (unsigned row = 0; row < rows; row += 8, a += 8 * depth) {
        floats s[8] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
        for (unsigned k = 0; k < depth; k++)
#pragma GCC unroll 8
            for (unsigned i = 0; i < 8; i++)
                s[i] += a[i * depth + k] * *(const floats *)b[k];
        for (unsigned i = 0; i < 8; i++)
            *(integers *)(sums + (row + i) * next_row) = __builtin_convertvector(s[i], integers);
    }
}

/* Four rows of two vectors each. */
ALSO_WITH("fma")
void multiply_doubles(unsigned rows, unsigned depth, const double *a, const double (*b)[PANEL],
                      double *sums, unsigned next_row) {
    for (unsigned row = 0; row < rows; row += 4, a += 4 * depth) {
        doubles s[8] = {{0}, {0}, {0}, {0}, {0}, {0}, {0}, {0}};
        for (unsigned k = 0; k < depth; k++)
#pragma GCC unroll 8
            for (unsigned i = 0; i < 8; i++)
                s[i] += a[i / 2 * depth + k] * *(const doubles *)(b[k] + i % 2 * 4);
        for (unsigned i = 0; i < 8; i++)
            *(doubles *)(sums + (row + i / 2) * next_row + i % 2 * 4) = s[i];
    }
}

} // namespace

ALSO_WITH("fma")
void multiply_f64(unsigned rows, unsigned depth, const double (*a)[16], const double (*b)[PANEL],
                  double (*__restrict sums)[PANEL]) {
    for (unsigned k = 0; k < depth; k++)
        for (unsigned row = 0; row < rows; row++)
#pragma GCC unroll 1 /* unrolled, it is not vectorised */
            for (unsigned j = 0; j < PANEL; j++)
                sums[row][j] = __builtin_fma(a[row][k], b[k][j], sums[row][j]);
}

uint32_t integer_sum(int32_t product, uint32_t c, bool saturate) {
    const int64_t sum = (int64_t)product + (int32_t)c;
    if (saturate && sum != (int32_t)sum)
        return sum < 0 ? 0x80000000 : 0x7fffffff;
    return (uint32_t)sum;
}

uint32_t float_sum(double sum) { return sum != sum ? 0x7fffffff : bits_as<uint32_t>((float)sum); }

void multiply_integers(ptx::element a_type, ptx::element b_type, unsigned rows, unsigned words,
                       const uint32_t *a, const uint32_t (*b)[PANEL], int32_t *sums,
                       unsigned next_row) {
#if defined(__x86_64__) && defined(__linux__)
    if (has_vnni()) /* four times as fast as in float */
        return b_type == ptx::S8
                   ? multiply<true>(a_type == ptx::S8, rows, words, a, b, sums, next_row)
                   : multiply<false>(a_type == ptx::U8, rows, words, a, b, sums, next_row);
#endif
    enum { DEPTH = 4 * MOST_WORDS };
    float a_values[8 * DEPTH], b_values[DEPTH][PANEL];
    panel_to_floats(b_type, words, b, b_values);
    for (unsigned row = 0; row < rows; row += 8) {
        bytes_to_floats(a_type, 8 * words, a + row * words, a_values);
        multiply_floats(8, 4 * words, a_values, b_values, sums + row * next_row, next_row);
    }
}

ALSO_WITH("avx2")
void halves_to_doubles(ptx::element type, unsigned words, const uint32_t *from, double *to) {
    const uint16_t *halves = (const uint16_t *)from;
    if (type == ptx::F16)
        for (unsigned i = 0; i < words * 2; i++)
            to[i] = half_value(halves[i]);
    else
        for (unsigned i = 0; i < words * 2; i++)
            to[i] = bfloat16_value(halves[i]);
}

void multiply_halves(ptx::element b_type, unsigned rows, unsigned words, const double *a,
                     const uint32_t (*b)[PANEL], double *sums, unsigned next_row) {
    uint16_t halves[2 * MOST_WORDS][PANEL];
    for (unsigned i = 0; i < words; i++)
        for (unsigned j = 0; j < PANEL; j++) {
            halves[2 * i][j] = (uint16_t)b[i][j];
            halves[2 * i + 1][j] = (uint16_t)(b[i][j] >> 16);
        }
    double b_values[2 * MOST_WORDS][PANEL];
    halves_to_doubles(b_type, words * PANEL, (const uint32_t *)halves, b_values[0]);
    multiply_doubles(rows, 2 * words, a, b_values, sums, next_row);
}

} // namespace cudacpu
