/* matrix_product.cpp - rows of A times a panel of 8 columns of B, for every CPU: loops over vectors
 * of the compiler's, which makes of them what the CPU has. */
#include "matrix_product.h"
#include "cudacpu/half_bits.h"
#include "cudacpu/warp_matrix.h"
#include "matrix_product_vnni.h"
#include "newer_cpus.h"

namespace cudacpu {

namespace {

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
    if (multiply_integers_vnni(a_type, b_type, rows, words, a, b, sums, next_row))
        return;
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
