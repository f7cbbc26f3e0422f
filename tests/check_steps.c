/* check_steps.c - every step: its products, its precision, and the bits that it shares with others.
 */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "command.h"
#include "compare_mat.h"
#include "device.h"
#include "matgen.h"
#include "operands.h"
#include "reference.h"
#include "suite.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

START_TEST(test_step) {
    give_devices(all_steps[_i].facts);
    const char *problem = verify_step(all_steps[_i].cuda, all_steps[_i].facts);
    ck_assert_msg(problem == NULL, "%s: %s", all_steps[_i].facts->name, problem);
}
END_TEST

/* The product of the uniform operands of seed 0. */
static void multiply_uniform(const listed_step *step, int n, float *c) {
    const size_t elements = (size_t)n * (size_t)n;
    float *a = malloc(elements * sizeof *a), *b = malloc(elements * sizeof *b);
    ck_assert_msg(a && b, "no memory for n = %d", n);
    fill_operand(a, n, n, UNIFORM, 0, 0);
    fill_operand(b, n, n, UNIFORM, 0, 1);
    step->cuda(a, n, b, n, c, n, n);
    free(a), free(b);
}

static int is_in_group(const listed_step *step, const char *group) {
    return !step->mutant && step->cuda && step->facts->same_bits &&
           strcmp(step->facts->same_bits, group) == 0;
}

/* The first step of the same group that needs no other target; the step itself where it is the
 * first, or in none. */
static const listed_step *find_first_of_group(const listed_step *step) {
    const char *group = step->facts->same_bits, *target = step->facts->target;
    for (int i = 0; group && i < step_count; i++) {
        const char *needed = all_steps[i].facts->target;
        if (is_in_group(&all_steps[i], group) &&
            (!needed || (target && strcmp(needed, target) == 0)))
            return &all_steps[i];
    }
    return step;
}

/* Where all depends on the order of the sums, or n is padded to a large tile: every n from 1 to
 * 300. What has the bits of an earlier step differs from it in the tiles alone: every seventh and
 * those at the edges of tiles. */
START_TEST(test_sizes) {
    const step_facts *facts = all_steps[_i].facts;
    const int is_first = find_first_of_group(&all_steps[_i]) == &all_steps[_i];
    const char *problem =
        verify_sizes(all_steps[_i].cuda, facts, facts->length || is_first ? 1 : 7);
    ck_assert_msg(problem == NULL, "%s: %s", facts->name, problem);
}
END_TEST

/* Steps of a group do the same sums in the same order. */
START_TEST(test_same_bits) {
    static const int sizes[] = {1, 17, 257, 500};
    static float c[500 * 500], again[500 * 500];
    const listed_step *step = &all_steps[_i], *first = find_first_of_group(step);
    for (int s = 0; s < COUNT_OF(sizes); s++) {
        const int n = sizes[s];
        if (n > 257 && wants_small_sizes())
            continue;
        multiply_uniform(step, n, c);
        multiply_uniform(first, n, again);
        ck_assert_msg(memcmp(c, again, (size_t)n * (size_t)n * sizeof *c) == 0,
                      "%s: other bits than %s at n = %d", step->facts->name, first->facts->name, n);
    }
}
END_TEST

START_TEST(test_known_bits) {
    const char *problem = verify_known_bits(all_steps[_i].cuda, all_steps[_i].facts);
    ck_assert_msg(problem == NULL, "%s: %s", all_steps[_i].facts->name, problem);
}
END_TEST

/* A step without CUDA in the shape of the others. */
static cpu_step wrapped;
static matmult_result call_wrapped(const float *a, int lda, const float *b, int ldb, float *c,
                                   int ldc, int n) {
    const matmult_result none = {0, 0, NULL};
    wrapped(a, lda, b, ldb, c, ldc, n);
    return none;
}

START_TEST(test_cpu_step) {
    wrapped = all_steps[_i].cpu;
    const char *problem = verify_step(call_wrapped, all_steps[_i].facts);
    ck_assert_msg(problem == NULL, "%s: %s", all_steps[_i].facts->name, problem);
    enum { N = 100 };
    static float a[N * N], b[N * N], c[N * N];
    double row[N];
    matgen(a, N, N, N, 5);
    matgen(b, N, N, N, 6);
    wrapped(a, N, b, N, c, N, N);
    for (int r = 0; r < N; r++) {
        sum_row_compensated(a + r * N, b, N, row, N);
        ck_assert(compare_mat_double(c + r * N, N, row, N, 1, N).max_error <=
                  step_limit(all_steps[_i].facts, N) + N * 0x1p-53); /* its sum is in double */
    }
}
END_TEST

/* Status 77, and the reason on stderr, where the device cannot run the step. */
static int multiply_ones(const void *argument) {
    const listed_step *step = argument;
    float one = 1, result;
    device_info device;
    if (find_device(&device) && !runs_target(&device, step->facts->target)) {
        fprintf(stderr, "the device is not for %s\n", step->facts->target);
        exit(77);
    }
    step->cuda(&one, 1, &one, 1, &result, 1, 1);
    return 0;
}

/* Whether this device or this build is below the step's target; says so. A step without a target
 * runs everywhere: status 77 is then a failure as any other. */
static int cannot_run(const listed_step *step) {
    if (!step->cuda || !step->facts->target)
        return 0;
    outcome o = run_in_child(multiply_ones, step);
    if (o.status == 77)
        printf("SKIP %s: %s%s", step->facts->name, o.err, strchr(o.err, '\n') ? "" : "\n");
    return o.status == 77;
}

/* A right program does not depend on when asynchronous effects happen. */
static void check_mode(cuda_step cuda, const step_facts *facts, const char *mode) {
    setenv("CHECK_SIZES", "small", 1);
    setenv("CUDACPU_ASYNC", mode, 1);
    give_devices(facts);
    const char *problem = verify_step(cuda, facts);
    ck_assert_msg(problem == NULL, "%s, %s: %s", facts->name, mode, problem);
}
START_TEST(test_late) { check_mode(all_steps[_i].cuda, all_steps[_i].facts, "late"); }
END_TEST
START_TEST(test_random) { check_mode(all_steps[_i].cuda, all_steps[_i].facts, "random"); }
END_TEST

/* Nor on how many panels there are. */
START_TEST(test_narrow_panels) {
    check_mode(find_narrow(all_steps[_i].facts), all_steps[_i].facts, "random");
}
END_TEST

static void add_step(Suite *suite, int i) {
    const listed_step *step = &all_steps[i];
    TCase *part = add_part(suite, step->facts->name, 600);
    if (step->cpu) {
        tcase_add_loop_test(part, test_cpu_step, i, i + 1);
        return;
    }
    tcase_add_loop_test(part, test_step, i, i + 1);
    if (strcmp(BACKEND, "cpu") == 0 && !wants_small_sizes()) {
        tcase_add_loop_test(part, test_late, i, i + 1);
        tcase_add_loop_test(part, test_random, i, i + 1);
    }
    if (find_narrow(step->facts) && !wants_small_sizes())
        tcase_add_loop_test(part, test_narrow_panels, i, i + 1);
    if ((step->facts->length || step->facts->uniform[0].n) && !wants_small_sizes())
        tcase_add_loop_test(part, test_sizes, i, i + 1);
    /* verify_step has compared the bits of two n. A sanitizer changes no bits. */
    if (step->facts->hashes[0].n && !SANITIZED)
        tcase_add_loop_test(part, test_known_bits, i, i + 1);
    if (find_first_of_group(step) != step)
        tcase_add_loop_test(part, test_same_bits, i, i + 1);
}

int add_steps(Suite *suite) {
    int skipped = 0;
    for (int i = 0; i < step_count; i++) {
        if (all_steps[i].mutant || !is_asked_for(all_steps[i].facts->name))
            continue;
        if (cannot_run(&all_steps[i]))
            skipped++;
        else
            add_step(suite, i);
    }
    return skipped;
}
