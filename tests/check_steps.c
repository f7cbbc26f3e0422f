/* check_steps.c - every step: its products, its precision, the bits that it shares with others, and
 * what inspect says of it. */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "check_calls.h"
#include "check_parts.h"
#include "command.h"
#include "compare_mat.h"
#include "device.h"
#include "matgen.h"
#include "reference.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Test i: step i / 2 in world i % 2. */
START_TEST(test_products) {
    const listed_step *step = &all_steps[_i / WORLDS];
    const world entered = (world)(_i % WORLDS);
    enter_world(entered, step->facts);
    const char *problem =
        verify_cases(step->cuda, step->facts, CHECK_CASES, CHECK_DRAWN, CHECK_MOST, (int)entered);
    ck_assert_msg(problem == NULL, "%s, %s: %s", step->facts->name, world_names[entered], problem);
}
END_TEST

/* The same with narrow panels, so that there are several; in no fixed order. */
START_TEST(test_narrow_panels) {
    const step_facts *facts = all_steps[_i].facts;
    static const product PRODUCTS[] = {
        {UNIFORM, 300, 1, 5, 0, 0}, {SPECIALS, 257, 2, 0, 0, 0}, {FALLBACKS, 385, 3, 0, 0, 0}};
    const char *problem = NULL;
    setenv("CUDACPU_ASYNC", "random", 1);
    give_devices(facts);
    for (int i = 0; !problem && i < COUNT_OF(PRODUCTS); i++)
        problem = verify_product(find_narrow(facts), facts, &PRODUCTS[i]);
    ck_assert_msg(problem == NULL, "%s, narrow panels: %s", facts->name, problem);
}
END_TEST

/* A device with one SM, where a grid of one block an SM has less than a cluster. */
START_TEST(test_one_sm) {
    const step_facts *facts = all_steps[_i].facts;
    const product p = {UNIFORM, facts->small + 129, 0, 0, 0, 0};
    setenv("CUDACPU_MULTIPROCESSORS", "1", 1);
    give_devices(facts);
    const char *problem = verify_product(all_steps[_i].cuda, facts, &p);
    ck_assert_msg(problem == NULL, "%s, one SM: %s", facts->name, problem);
}
END_TEST

/* The first step with the same bits; NULL where it is the first, or its bits are known (step.conf).
 */
static const listed_step *find_same_bits(const listed_step *step) {
    const char *group = step->facts->same_bits;
    for (int i = 0; group && !step->facts->hashes[0].n && &all_steps[i] < step; i++)
        if (all_steps[i].cuda && all_steps[i].facts->same_bits &&
            strcmp(all_steps[i].facts->same_bits, group) == 0)
            return &all_steps[i];
    return NULL;
}

START_TEST(test_same_bits) {
    enum { N = 100 };
    static float a[N * N], b[N * N], c[N * N], again[N * N];
    const listed_step *step = &all_steps[_i], *first = find_same_bits(step);
    fill_operand(a, N, N, UNIFORM, 0, 0);
    fill_operand(b, N, N, UNIFORM, 0, 1);
    step->cuda(a, N, b, N, c, N, N);
    first->cuda(a, N, b, N, again, N, N);
    ck_assert_msg(memcmp(c, again, sizeof c) == 0, "%s: other bits than %s at n = %d",
                  step->facts->name, first->facts->name, N);
}
END_TEST

START_TEST(test_spoiled) {
    const listed_step *step = &all_steps[_i];
    const char *problem = verify_spoiled(step->cuda, step->facts);
    ck_assert_msg(problem == NULL, "%s: %s", step->facts->name, problem);
}
END_TEST

/* What inspect finds: races, missing fences, wrong accesses, memory that is not freed. */
START_TEST(test_inspect) {
    char command[200];
    const step_facts *facts = all_steps[_i].facts;
    /* with a target a step has stages: more tiles along k than these, so that all are used again */
    const int n = facts->target && !facts->small ? 257 : facts->small + 33;
    snprintf(command, sizeof command, "./%s/inspect -n %d", facts->name, n);
    const outcome o = run_command(command);
    const char *fault = strstr(o.out, "fault: ");
    ck_assert_msg(o.status == 0, "%s: status %d, %s%s", command, o.status, fault ? fault : "",
                  o.err);
}
END_TEST

/* The same, of a product in which sub-tiles go all the ways that a step with a bound has. */
START_TEST(test_inspect_fallbacks) {
    char command[200];
    snprintf(command, sizeof command, "CUDACPU_MULTIPROCESSORS=4 " OBSERVED "/tests/overlap/%s",
             all_steps[_i].facts->name);
    const outcome o = run_command(command);
    const char *fault = strstr(o.out, "fault: ");
    ck_assert_msg(o.status == 0 && !fault, "%s: status %d, %s%s", command, o.status,
                  fault ? fault : "", o.err);
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
    const step_facts *facts = all_steps[_i].facts;
    wrapped = all_steps[_i].cpu;
    const char *problem =
        verify_cases(call_wrapped, facts, CHECK_CASES, CHECK_DRAWN, CHECK_MOST, -1);
    ck_assert_msg(problem == NULL, "%s: %s", facts->name, problem);
    enum { N = 100 };
    static float a[N * N], b[N * N], c[N * N];
    double row[N];
    matgen(a, N, N, N, 5);
    matgen(b, N, N, N, 6);
    wrapped(a, N, b, N, c, N, N);
    for (int r = 0; r < N; r++) {
        sum_row_compensated(a + r * N, b, N, row, N);
        ck_assert(compare_mat_double(c + r * N, N, row, N, 1, N).max_error <=
                  step_limit(facts, N) + N * 0x1p-53); /* its sum is in double */
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
    if (o.status == 77) {
        o.err[strcspn(o.err, "\n")] = 0;
        skip(step->facts->name, o.err);
    }
    return o.status == 77;
}

static void add_step(Suite *suite, int i) {
    const listed_step *step = &all_steps[i];
    TCase *part = add_part(suite, step->facts->name, 600);
    const int on_cpu = strcmp(BACKEND, "cpu") == 0;
    if (step->cpu) {
        tcase_add_loop_test(part, test_cpu_step, i, i + 1);
        return;
    }
    tcase_add_loop_test(part, test_products, 2 * i, 2 * i + 2);
    if (on_cpu && step->facts->target)
        tcase_add_loop_test(part, test_one_sm, i, i + 1);
    if (find_narrow(step->facts))
        tcase_add_loop_test(part, test_narrow_panels, i, i + 1);
    if (find_same_bits(step))
        tcase_add_loop_test(part, test_same_bits, i, i + 1);
    if (step->facts->largest > 0)
        tcase_add_loop_test(part, test_spoiled, i, i + 1);
    add_calls(part, i);
    if (on_cpu && !SANITIZED) /* observed programs have no sanitizer */
        tcase_add_loop_test(part, test_inspect, i, i + 1);
    if (on_cpu && !SANITIZED && step->facts->rejected)
        tcase_add_loop_test(part, test_inspect_fallbacks, i, i + 1);
}

void add_steps(Suite *suite) {
    for (int i = 0; i < step_count; i++)
        if ((all_steps[i].cuda || all_steps[i].cpu) && is_asked_for(all_steps[i].facts->name) &&
            !cannot_run(&all_steps[i]))
            add_step(suite, i);
}
