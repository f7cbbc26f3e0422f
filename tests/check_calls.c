/* check_calls.c - what a step must do beside the product: when a call of CUDA fails it says so in
 * one sentence and exits with 1; it leaves nothing allocated; and the seconds that it tells are
 * those of its kernels. */
#define _POSIX_C_SOURCE 200809L
#include "check_calls.h"
#include "all_steps.h"
#include "command.h"
#include "failing_calls.h"
#include "matgen.h"
#include "suite.h"
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct trial {
    const listed_step *step;
    const char *function; /* the one that fails, or NULL */
    int call;
} trial;

/* Above the n up to which another kernel does all. */
static int choose_n(const step_facts *facts) { return facts->small + 1; }

static matmult_result multiply(const listed_step *step, int n) {
    const size_t elements = (size_t)n * (size_t)n;
    float *a = malloc(elements * sizeof *a), *c = malloc(elements * sizeof *c);
    if (!a || !c)
        exit(3);
    matgen(a, n, n, n, 1);
    const matmult_result result = step->cuda(a, n, a, n, c, n, n);
    free(a), free(c);
    return result;
}

static void print_left(void) {
    if (count_left())
        fprintf(stderr, "left %d\n", count_left());
}

/* Calls it; without a failing call it prints how often it has called what, and what is left when
 * all is freed that is freed at exit. */
static int call_step(const void *argument) {
    const trial *t = argument;
    const char *function;
    if (!t->function)
        atexit(print_left); /* first, so that it is the last to run */
    fail_call(t->function, t->call);
    multiply(t->step, choose_n(t->step->facts));
    for (int i = 0, calls; !t->function && (calls = count_calls(i, &function)) >= 0; i++)
        if (calls)
            fprintf(stderr, "%s %d\n", function, calls);
    return 0;
}

static void check_failing(const listed_step *step, const char *function, int call) {
    const trial t = {step, function, call};
    const outcome o = run_in_child(call_step, &t);
    ck_assert_msg(o.status == 1 && count_lines(o.err) == 1,
                  "%s: call %d of %s fails: status %d, '%s'", step->facts->name, call, function,
                  o.status, o.err);
}

/* The first and the last call of each function, of three all (of A, of B and of C), and a launch.
 */
START_TEST(test_failing_calls) {
    const listed_step *step = &all_steps[_i];
    setenv("CUDACPU_DEVICES", "1", 1);
    const trial whole = {step, NULL, 0};
    const outcome o = run_in_child(call_step, &whole);
    ck_assert_msg(o.status == 0 && !strstr(o.err, "left "), "%s: status %d, %s", step->facts->name,
                  o.status, o.err);
    char function[100];
    int calls, length, tried = 0;
    for (const char *line = o.err; sscanf(line, "%99s %d\n%n", function, &calls, &length) == 2;
         line += length, tried++) {
        /* a GPU asks also whether a kernel is over, and forgets the answer by cudaGetLastError */
        if (strcmp(BACKEND, "gpu") == 0 && strcmp(function, "cudaGetLastError") == 0)
            continue;
        check_failing(step, function, 1);
        if (calls == 3)
            check_failing(step, function, 2);
        if (calls > 1)
            check_failing(step, function, calls);
    }
    ck_assert_msg(tried >= 5, "%s: it has called %d functions of CUDA", step->facts->name, tried);
    /* on an H200 the error is gone again in 11, by which of the calls is not known */
    if (strcmp(BACKEND, "cpu") == 0)
        check_failing(step, "launch", 1);
}
END_TEST

/* Copies and allocations are slow, kernels are not: what is left of the time is the kernels'. Early
 * effects: a kernel has run when its launch returns. The machine is not quiet: each of the three
 * limits has to be kept in one of ten calls. */
static int compare_times(const void *argument) {
    const trial *t = argument;
    const int n = choose_n(t->step->facts) > 257 ? choose_n(t->step->facts) : 257;
    /* where there may be several devices, copies between them are in the kernel's time */
    const double limit = t->step->facts->several_devices ? 1.5 : 1.05;
    double least = 1e9, most = 0, of_clock = 0;
    multiply(t->step, n); /* what a first call makes */
    for (int i = 0; i < 10 && !(most >= 0.7 && least <= limit && of_clock >= 0.5); i++) {
        slow_down(0.01);
        const double start = wall_seconds();
        const matmult_result result = multiply(t->step, n);
        const double clock = wall_seconds() - start;
        const double ratio = result.kernel / (result.total - seconds_longer());
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
        of_clock = result.total / clock > of_clock ? result.total / clock : of_clock;
    }
    fprintf(stderr, "kernel %.2f to %.2f of what the slow calls leave, total %.2f of the clock's",
            least, most, of_clock);
    return !(most >= 0.7 && least <= limit && of_clock >= 0.5);
}

START_TEST(test_times) {
    setenv("CUDACPU_ASYNC", "early", 1);
    setenv("CUDACPU_DEVICES", "1", 1);
    const trial t = {&all_steps[_i], NULL, 0};
    const outcome o = run_in_child(compare_times, &t);
    ck_assert_msg(o.status == 0, "%s: %s", all_steps[_i].facts->name, o.err);
}
END_TEST

void add_calls(TCase *part, int i) {
    tcase_add_loop_test(part, test_failing_calls, i, i + 1);
    if (strcmp(BACKEND, "cpu") == 0 && !SANITIZED)
        tcase_add_loop_test(part, test_times, i, i + 1);
}
