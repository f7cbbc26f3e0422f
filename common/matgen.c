/* matgen.c - random matrices from SplitMix64: each element is computed from its own index. */
#include "matgen.h"
#include <stddef.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

void matgen(float *a, int lda, int rows, int columns, uint64_t seed) {
    matgen_rows(a, lda, 0, rows, columns, seed);
}

void matgen_rows(float *a, int lda, int first_row, int end, int columns, uint64_t seed) {
    /* Mixing the seed first keeps neighbouring seeds from being shifted copies of one sequence. */
    const uint64_t first = mix(seed);
    for (int i = first_row; i < end; i++) {
        for (int j = 0; j < columns; j++) {
            uint64_t index = (uint64_t)i * (uint64_t)columns + (uint64_t)j;
            uint64_t z = mix(first + (index + 1) * UINT64_C(0x9E3779B97F4A7C15));
            float value = (float)((double)(z >> 11) * 0x1p-53);
            /* Rounding to float can reach 1, which is outside the range. */
            a[(size_t)i * (size_t)lda + (size_t)j] = value < 1.0f ? value : 0x1.fffffep-1f;
        }
    }
}
