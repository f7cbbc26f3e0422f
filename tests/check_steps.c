/* check_steps.c - one test case for each step, with the step's name. */
#define _POSIX_C_SOURCE 200809L
#include "compare_mat.h"
#include "matgen.h"
#include "reference.h"
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PER_STEP = 100 }; /* a loop test's index is the step times this, plus what the test varies */

static int number(const char *name) { return atoi(name); }

static float *matrix(int n) {
    float *m = malloc((size_t)n * (size_t)n * sizeof *m);
    ck_assert_msg(m != NULL, "no memory");
    return m;
}

/* The product of main.c's matrices for seed 0. */
static float *product(cuda_step step, int n) {
    float *a = matrix(n), *b = matrix(n), *c = matrix(n);
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    memset(c, 0xff, (size_t)n * (size_t)n * sizeof *c);
    step(a, n, b, n, c, n, n);
    free(b);
    free(a);
    return c;
}

/* Errors of c against the double sum, and against its rounding. */
static compare_result measure(const float *c, int n, compare_result *rounded) {
    float *a = matrix(n), *b = matrix(n), *reference = matrix(n);
    double *exact = malloc((size_t)n * sizeof *exact);
    compare_result all = {0, 0, 0, 0};
    ck_assert_msg(exact != NULL, "no memory");
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    for (size_t i = 0; i < (size_t)n; i++) {
        reference_row_double(a + i * (size_t)n, b, n, exact, n);
        compare_result r = compare_mat_double(c + i * (size_t)n, n, exact, n, 1, n);
        all.mean_error += r.mean_error / n;
        if (r.max_error > all.max_error)
            all.max_error = r.max_error;
        for (size_t j = 0; j < (size_t)n; j++)
            reference[i * (size_t)n + j] = (float)exact[j];
    }
    *rounded = compare_mat(c, n, reference, n, n, n);
    free(exact);
    free(reference);
    free(b);
    free(a);
    return all;
}

START_TEST(verify_input) {
    const named_step *s = &steps[_i / PER_STEP];
    const char *fault = verify_step(s->cuda, s->name, number(s->name) >= 3, _i % PER_STEP);
    ck_assert_msg(fault == NULL, "%s", fault ? fault : "");
}
END_TEST

START_TEST(same_bits_twice) {
    const named_step *s = &steps[_i / PER_STEP];
    const int n = 257;
    float *first = product(s->cuda, n), *second = product(s->cuda, n);
    ck_assert_msg(memcmp(first, second, (size_t)n * (size_t)n * sizeof *first) == 0, "two runs at n = %d differ", n);
    free(second);
    free(first);
}
END_TEST

START_TEST(kahan_precision) {
    const named_step *s = &steps[_i / PER_STEP];
    const int n = 1000;
    float *c = product(s->cuda, n);
    compare_result rounded, exact = measure(c, n, &rounded);
    ck_assert_msg(exact.max_error <= 6.5e-8, "max error %g against the double sum", exact.max_error);
    ck_assert_msg(rounded.max_error <= 1.2e-7, "max error %g against its rounding", rounded.max_error);
    free(c);
}
END_TEST

START_TEST(bits_of_03) {
    static const int sizes[] = {33, 100, 257, 1000};
    const named_step *s = &steps[_i / PER_STEP];
    cuda_step kahan = find_step("03_kahan");
    ck_assert_msg(kahan != NULL, "there is no 03_kahan to compare with");
    for (int k = 0; k < 4; k++) {
        const int n = sizes[k];
        float *mine = product(s->cuda, n), *other = product(kahan, n);
        long differ = 0, first = 0;
        for (long i = (long)n * n - 1; i >= 0; i--)
            if (memcmp(mine + i, other + i, sizeof *mine) != 0) {
                differ++;
                first = i;
            }
        ck_assert_msg(differ == 0, "n = %d: %ld elements differ from 03_kahan, the first (%ld, %ld): %.9g and %.9g", n, differ, first / n,
                      first % n, (double)mine[first], (double)other[first]);
        free(other);
        free(mine);
    }
}
END_TEST

/* A float sum keeps 1e-6 in its maximum at small n alone: chapter 3 exists because it fails at 1000. */
START_TEST(naive_precision) {
    const named_step *s = &steps[_i / PER_STEP];
    compare_result rounded;
    float *c = product(s->cuda, 128);
    compare_result r = measure(c, 128, &rounded);
    ck_assert_msg(r.max_error <= 1e-6, "n = 128: max error %g", r.max_error);
    free(c);
    c = product(s->cuda, 1000);
    r = measure(c, 1000, &rounded);
    ck_assert_msg(r.mean_error <= 1e-6, "n = 1000: mean error %g", r.mean_error);
    ck_assert_msg(r.max_error > 1e-6 && r.max_error < 1e-5, "n = 1000: max error %g, and about 2e-6 is what a float sum gives", r.max_error);
    free(c);
}
END_TEST

/* Small limits on shared memory make large rows of small ones. */
START_TEST(shared_memory_limits) {
    const named_step *s = &steps[_i / PER_STEP];
    char command[512], out[4096], err[4096];
    snprintf(command, sizeof command, "CUDACPU_SHARED=256,1024 " BUILD "/%s/run -n 100", s->name);
    int status = run_command(command, out, err, sizeof out);
    ck_assert_msg(status == 0, "%s: exit status %d: %s", command, status, err);
    snprintf(command, sizeof command, "CUDACPU_SHARED=256,1024 " BUILD "/%s/run -n 300", s->name);
    status = run_command(command, out, err, sizeof out);
    ck_assert_msg(status == 1, "%s: exit status %d", command, status);
    ck_assert_msg(strstr(err, "300") && strstr(err, "1200") && strstr(err, "1024"), "%s should name 300, 1200 and 1024: %s", command, err);
}
END_TEST

START_TEST(cpu_precision) {
    static const int sizes[] = {1, 2, 3, 17, 100, 257, 400};
    const named_step *s = &steps[_i / PER_STEP];
    for (int k = 0; k < 7; k++) {
        const int n = sizes[k], ld = n + 3;
        const size_t count = (size_t)n * (size_t)ld;
        float *a = matrix(ld), *b = matrix(ld), *c = matrix(ld);
        double *exact = malloc((size_t)n * sizeof *exact);
        ck_assert_msg(exact != NULL, "no memory");
        matgen(a, ld, n, n, 0);
        matgen(b, ld, n, n, 1);
        for (size_t i = 0; i < count; i++)
            c[i] = -7;
        s->cpu(a, ld, b, ld, c, ld, n);
        for (int i = 0; i < n; i++) {
            const size_t start = (size_t)i * (size_t)ld;
            reference_row_compensated(a + start, b, ld, exact, n);
            compare_result r = compare_mat_double(c + start, ld, exact, n, 1, n);
            ck_assert_msg(r.max_error <= 1e-7, "n = %d: error %g at (%d, %d)", n, r.max_error, i, r.column);
            ck_assert_msg(c[start + (size_t)n] == -7 && c[start + (size_t)n + 2] == -7, "n = %d, row %d: written outside", n, i);
        }
        free(exact);
        free(c);
        free(b);
        free(a);
    }
}
END_TEST

void add_step(Suite *suite, int index) {
    const named_step *s = &steps[index];
    const int at = index * PER_STEP, step = number(s->name);
    TCase *tcase = new_case(suite, s->name);
    if (s->cpu) {
        tcase_add_loop_test(tcase, cpu_precision, at, at + 1);
        return;
    }
    tcase_add_loop_test(tcase, verify_input, at, at + INPUT_COUNT);
    tcase_add_loop_test(tcase, same_bits_twice, at, at + 1);
    if (strcmp(s->name, "02_naive_cuda") == 0)
        tcase_add_loop_test(tcase, naive_precision, at, at + 1);
    if (step >= 3 && step <= 7)
        tcase_add_loop_test(tcase, kahan_precision, at, at + 1);
    if (step >= 4 && step <= 7)
        tcase_add_loop_test(tcase, bits_of_03, at, at + 1);
    if (strcmp(BACKEND, "cpu") == 0 && (strcmp(s->name, "04_row_shared") == 0 || strcmp(s->name, "05_pitched") == 0))
        tcase_add_loop_test(tcase, shared_memory_limits, at, at + 1);
}
