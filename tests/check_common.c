/* check_common.c - the test case "common": matrices, comparison, references, clock. */
#include "compare_mat.h"
#include "matgen.h"
#include "reference.h"
#include "suite.h"
#include "timing.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, LD = 71 };

START_TEST(matgen_range_and_guards) {
    static float tight[N * N], wide[(N + 2) * LD];
    long bad = 0, moved = 0, touched = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
            wide[i] = -7;
        matgen(tight, N, N, N, seed);
        matgen(wide + LD, LD, N, N, seed);
        for (int i = -1; i <= N; i++)
            for (int j = 0; j < LD; j++) {
                float v = wide[(i + 1) * LD + j];
                if (i < 0 || i >= N || j >= N)
                    touched += v != -7;
                else {
                    bad += !(v >= 0 && v < 1);
                    moved += v != tight[i * N + j];
                }
            }
    }
    ck_assert_msg(bad == 0, "%ld values are not in [0, 1)", bad);
    ck_assert_msg(moved == 0, "%ld values depend on the leading dimension", moved);
    ck_assert_msg(touched == 0, "%ld elements outside the matrix were written", touched);
}
END_TEST

/* SplitMix64 written once more, with the seed mixed first. */
static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

START_TEST(matgen_known_values) {
    float row[8];
    ck_assert_msg(mix(UINT64_C(0x9E3779B97F4A7C15)) == UINT64_C(0xE220A8397B1DCDAF), "the published first number of SplitMix64");
    matgen(row, 8, 1, 8, 0);
    ck_assert_msg(row[0] == (float)((double)(UINT64_C(0xE220A8397B1DCDAF) >> 11) * 0x1p-53), "first value of seed 0 is %.9g", row[0]);
    for (uint64_t seed = 0; seed < 20; seed++) {
        matgen(row, 4, 2, 4, seed);
        for (uint64_t i = 0; i < 8; i++) {
            uint64_t z = mix(mix(seed) + (i + 1) * UINT64_C(0x9E3779B97F4A7C15));
            ck_assert_msg(row[i] == (float)((double)(z >> 11) * 0x1p-53), "seed %d, value %d", (int)seed, (int)i);
        }
    }
}
END_TEST

START_TEST(matgen_seeds_and_low_bits) {
    static float a[N * N], b[N * N];
    matgen(a, N, N, N, 1);
    matgen(b, N, N, N, 2);
    int same = 0, small = 0, odd = 0;
    double sum = 0;
    for (int i = 0; i < N * N; i++) {
        same += a[i] == b[i];
        sum += a[i];
        if (a[i] < 0.25f) {
            uint32_t bits;
            memcpy(&bits, a + i, sizeof bits);
            small++;
            odd += (int)(bits & 1);
        }
    }
    ck_assert_msg(same < 3, "%d equal values with two seeds", same);
    ck_assert_msg(fabs(sum / (N * N) - 0.5) < 0.03, "mean %g", sum / (N * N));
    ck_assert_msg(small > 500 && abs(2 * odd - small) < small / 4, "%d of %d small values have an odd last bit", odd, small);
}
END_TEST

START_TEST(compare_not_finite) {
    const float values[] = {0, 1, NAN, INFINITY, -INFINITY};
    for (int v = 0; v < 5; v++)
        for (int r = 0; r < 5; r++) {
            const float value = values[v], reference = values[r];
            double expected = v < 2 && r < 2 ? (v == r ? 0 : r == 0 ? (double)INFINITY : 1) : (v < 2) != (r < 2) ? (double)INFINITY : 0;
            double wide = reference;
            compare_result f = compare_mat(&value, 1, &reference, 1, 1, 1), d = compare_mat_double(&value, 1, &wide, 1, 1, 1);
            ck_assert_msg(f.max_error == expected && d.max_error == expected, "%g against %g: %g and %g, not %g", (double)value,
                          (double)reference, f.max_error, d.max_error, expected);
        }
    const float minus = -0.0f, plus = 0;
    ck_assert(compare_mat(&minus, 1, &plus, 1, 1, 1).max_error == 0);
}
END_TEST

START_TEST(compare_position_and_mean) {
    float a[3 * 5], b[3 * 4];
    for (int i = 0; i < 15; i++)
        a[i] = NAN; /* what is outside the columns must not be read */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            a[i * 5 + j] = b[i * 4 + j] = 2;
    a[1 * 5 + 2] = 3;
    a[2 * 5 + 1] = 1; /* as bad: the first one counts */
    compare_result r = compare_mat(a, 5, b, 4, 3, 4);
    ck_assert_msg(r.max_error == 0.5 && r.row == 1 && r.column == 2, "%g at (%d, %d)", r.max_error, r.row, r.column);
    ck_assert_msg(fabs(r.mean_error - 1.0 / 12) < 1e-15, "mean %g", r.mean_error);
    a[2 * 5 + 3] = NAN;
    r = compare_mat(a, 5, b, 4, 3, 4);
    ck_assert(isinf(r.max_error) && r.row == 2 && r.column == 3);
    r = compare_mat(a, 5, b, 4, 0, 0);
    ck_assert(r.max_error == 0 && r.mean_error == 0 && r.row == 0 && r.column == 0);
}
END_TEST

START_TEST(references_agree) {
    static float a[N * LD], b[N * LD], c[N * LD];
    double exact[N], compensated[N], magnitude[N];
    float single[N];
    matgen(a, LD, N, N, 3);
    matgen(b, LD, N, N, 4);
    for (int i = 0; i < N * LD; i++)
        a[i] = i % 3 ? a[i] : -a[i];
    matmult(a, LD, b, LD, c, LD, N);
    for (int i = 0; i < N; i++) {
        reference_row_double(a + i * LD, b, LD, exact, N);
        reference_row_compensated(a + i * LD, b, LD, compensated, N);
        reference_row_magnitude(a + i * LD, b, LD, magnitude, N);
        reference_row_float(a + i * LD, b, LD, single, N);
        for (int j = 0; j < N; j++) {
            float rounded = (float)exact[j];
            ck_assert_msg(memcmp(&rounded, &c[i * LD + j], sizeof rounded) == 0, "(%d, %d): matmult and its row differ", i, j);
            ck_assert_msg(fabs(exact[j] - compensated[j]) <= N * 0x1p-53 * magnitude[j], "(%d, %d): double sums differ", i, j);
            ck_assert_msg(fabs((double)single[j] - exact[j]) <= 1.01 * N * 0x1p-24 * magnitude[j], "(%d, %d): float sum", i, j);
            ck_assert_msg(magnitude[j] >= fabs(exact[j]), "(%d, %d): magnitude", i, j);
        }
    }
    /* Neumaier's sum keeps what a plain double sum loses. */
    const float row[4] = {1e30f, 1, -1e30f, 1}, ones[4] = {1, 1, 1, 1};
    float column[16];
    for (int i = 0; i < 16; i++)
        column[i] = ones[i % 4];
    double sum[4];
    reference_row_compensated(row, column, 4, sum, 4);
    ck_assert_msg(sum[0] == 2, "compensated sum is %g", sum[0]);
}
END_TEST

START_TEST(clock_is_monotone) {
    double last = wall_seconds(), first = last;
    for (long i = 0; i < 100000; i++) {
        double now = wall_seconds();
        ck_assert_msg(now >= last, "the clock went back by %g s", last - now);
        last = now;
    }
    ck_assert(last > first);
}
END_TEST

void add_common(Suite *suite) {
    TCase *tcase = new_case(suite, "common");
    tcase_add_test(tcase, matgen_range_and_guards);
    tcase_add_test(tcase, matgen_known_values);
    tcase_add_test(tcase, matgen_seeds_and_low_bits);
    tcase_add_test(tcase, compare_not_finite);
    tcase_add_test(tcase, compare_position_and_mean);
    tcase_add_test(tcase, references_agree);
    tcase_add_test(tcase, clock_is_monotone);
}
