/* matrix_product_vnni.cpp - rows of A times a panel of 8 columns of B with vpdpbusd, which adds
 * four products of an unsigned and a signed byte to each of 8 sums. */
#include "matrix_product_vnni.h"

#if defined(__x86_64__) && defined(__linux__)
#include <immintrin.h>

namespace cudacpu {

namespace {

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

} // namespace

bool multiply_integers_vnni(ptx::element a_type, ptx::element b_type, unsigned rows, unsigned words,
                            const uint32_t *a, const uint32_t (*b)[PANEL], int32_t *sums,
                            unsigned next_row) {
    if (!has_vnni())
        return false;
    if (b_type == ptx::S8)
        multiply<true>(a_type == ptx::S8, rows, words, a, b, sums, next_row);
    else
        multiply<false>(a_type == ptx::U8, rows, words, a, b, sums, next_row);
    return true;
}

} // namespace cudacpu

#else
namespace cudacpu {

bool multiply_integers_vnni(ptx::element, ptx::element, unsigned, unsigned, const uint32_t *,
                            const uint32_t (*)[PANEL], int32_t *, unsigned) {
    return false;
}

} // namespace cudacpu
#endif
