/* check_common.c - what every step shares: random matrices, the comparison, the reference. */
#include "check_parts.h"
#include "compare_mat.h"
#include "device.h"
#include "matgen.h"
#include "matmult.h"
#include "reference.h"
#include "timing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_matgen) {
    float a[4 * 7], b[4 * 5];
    for (int i = 0; i < 28; i++)
        a[i] = -1;
    matgen(a, 7, 4, 5, 3);
    matgen(b, 5, 4, 5, 3);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 7; j++) {
            if (j >= 5)
                ck_assert_msg(a[i * 7 + j] == -1, "matgen wrote outside the matrix at (%d, %d)", i,
                              j);
            else
                ck_assert_msg(a[i * 7 + j] == b[i * 5 + j] && a[i * 7 + j] >= 0 && a[i * 7 + j] < 1,
                              "element (%d, %d)", i, j);
        }
    float *many = malloc(1000000 * sizeof *many);
    double sum = 0;
    int odd = 0;
    matgen(many, 1000, 1000, 1000, 0);
    for (int i = 0; i < 1000000; i++) {
        uint32_t bits;
        memcpy(&bits, &many[i], 4);
        sum += many[i];
        odd += bits & 1;
        ck_assert(many[i] >= 0 && many[i] < 1);
    }
    ck_assert_msg(fabs(sum / 1e6 - 0.5) < 0.002, "mean %g", sum / 1e6);
    ck_assert_msg(abs(odd - 500000) < 5000, "low bits set: %d of a million", odd);
    matgen(b, 5, 4, 5, 4);
    ck_assert(a[0] != b[0]);
    free(many);
}
END_TEST

START_TEST(test_compare) {
    float ref[4] = {1, 2, 0, 4}, value[4] = {1, 2, 0, 4};
    compare_result r = compare_mat(value, 2, ref, 2, 2, 2);
    ck_assert(r.max_error == 0 && r.mean_error == 0);
    value[3] = 5;
    r = compare_mat(value, 2, ref, 2, 2, 2);
    ck_assert(r.max_error == 0.25 && r.mean_error == 0.0625 && r.row == 1 && r.column == 1);
    value[1] = NAN;
    r = compare_mat(value, 2, ref, 2, 2, 2);
    ck_assert(isinf(r.max_error) && isinf(r.mean_error) && r.row == 0 && r.column == 1);
    value[1] = 2, value[2] = 1e-30f;
    ck_assert(isinf(compare_mat(value, 2, ref, 2, 2, 2).max_error));
    value[2] = 0, ref[3] = INFINITY, value[3] = NAN;
    ck_assert(compare_mat(value, 2, ref, 2, 2, 2).max_error == 0);
    value[3] = 3;
    ck_assert(isinf(compare_mat(value, 2, ref, 2, 2, 2).max_error));
    ck_assert(compare_mat(value, 2, ref, 2, 0, 0).mean_error == 0);
}
END_TEST

START_TEST(test_targets) {
    static const struct {
        int major, minor, any, sm_80, sm_90a;
    } devices[] = {
        {7, 5, 1, 0, 0}, {8, 0, 1, 1, 0}, {8, 9, 1, 1, 0}, {9, 0, 1, 1, 1}, {10, 0, 1, 1, 0}};
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        const device_info info = {.major = devices[i].major, .minor = devices[i].minor};
        ck_assert_int_eq(runs_target(&info, NULL), devices[i].any);
        ck_assert_int_eq(runs_target(&info, "sm_80"), devices[i].sm_80);
        ck_assert_int_eq(runs_target(&info, "sm_90a"), devices[i].sm_90a);
    }
}
END_TEST

START_TEST(test_reference) {
    enum { N = 61 };
    static float a[N * N], b[N * N], c[N * N];
    double row[N];
    matgen(a, N, N, N, 1);
    matgen(b, N, N, N, 2);
    matmult(a, N, b, N, c, N, N);
    for (int i = 0; i < N; i++) {
        sum_row_double(a + i * N, b, N, row, N);
        for (int j = 0; j < N; j++)
            ck_assert_msg(c[i * N + j] == (float)row[j], "(%d, %d)", i, j);
    }
    double start = wall_seconds();
    ck_assert(wall_seconds() >= start);
}
END_TEST

void add_common(Suite *suite) {
    TCase *part = add_part(suite, "common", 60);
    tcase_add_test(part, test_matgen);
    tcase_add_test(part, test_compare);
    tcase_add_test(part, test_reference);
    tcase_add_test(part, test_targets);
}
