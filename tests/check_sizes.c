/* check_sizes.c - `make check-sizes`: what `make check` tries, at more sizes and at larger ones,
 * with narrow panels, and with asynchronous effects in random order. Faults that it alone shows:
 *
 *   83, 84: flags' stride taken from the rows of a panel     test_narrow_panels
 *   53 to 84: the kernel's time is that of the last panel    test_times_of_panels
 *   20: no barrier before a stage is filled again            test_cases, in random order
 */
#define _POSIX_C_SOURCE 200809L
#include "all_steps.h"
#include "matgen.h"
#include "reference_rows.h"
#include "suite.h"
#include <stdlib.h>
#include <string.h>

static const char *verify_uniform(const listed_step *step, int n) {
    const product p = {UNIFORM, n, 0, n % 3, 0, 0};
    return verify_product(step->cuda, step->facts, &p);
}

/* The first step whose results have the same bits; the step itself where it is in no group. */
static const listed_step *find_first(const listed_step *step) {
    const char *group = step->facts->same_bits;
    const listed_step *first = all_steps;
    while (group && first < step &&
           !(first->facts->same_bits && strcmp(first->facts->same_bits, group) == 0))
        first++;
    return group ? first : step;
}

/* Every n from 1 to 300, or to 300 above the n up to which another kernel does all: those where a
 * tile ends, all of a blocked sum, whose order they show, and of others some. */
START_TEST(test_every_n) {
    const listed_step *step = &all_steps[_i];
    const int first = step->facts->small + 1, tile = step->facts->tile,
              every = step->facts->length        ? 1
                      : find_first(step) == step ? 3
                                                 : 31;
    const char *problem = NULL;
    give_devices(step->facts);
    for (int n = first; n < first + 300 && !problem; n++)
        if (n % every == 0 || (n + 1) % tile <= 2)
            problem = verify_uniform(step, n);
    ck_assert_msg(problem == NULL, "%s: %s", step->facts->name, problem);
}
END_TEST

/* Large products: the bits that step.conf gives, of steps that have the same bits those of the
 * first and the last; and of blocked sums those on which they round most, all one way. */
START_TEST(test_large) {
    const listed_step *step = &all_steps[_i];
    const char *problem = NULL;
    give_devices(step->facts);
    for (const step_hash *known = step->facts->hashes; known->n && !problem; known++)
        if (known->n > 1000 && known->n < 2000 &&
            (find_first(step) == step || _i == step_count - 1))
            problem = verify_uniform(step, known->n);
    static const product roots = {SQUARE_ROOTS, 2048, 0, 0, 0, 0};
    if (!problem && step->facts->length)
        problem = verify_product(step->cuda, step->facts, &roots);
    ck_assert_msg(problem == NULL, "%s: %s", step->facts->name, problem);
}
END_TEST

START_TEST(test_cases) {
    const listed_step *step = &all_steps[_i];
    setenv("CUDACPU_ASYNC", "random", 1);
    give_devices(step->facts);
    const char *problem =
        verify_cases(step->cuda, step->facts, SIZES_CASES, SIZES_DRAWN, SIZES_MOST, -1);
    ck_assert_msg(problem == NULL, "%s: %s", step->facts->name, problem);
}
END_TEST

/* Nor does a product depend on how many panels there are. */
START_TEST(test_narrow_panels) {
    const listed_step *step = &all_steps[_i];
    static const product PRODUCTS[] = {{UNIFORM, 1, 1, 0, 0, 0},     {SPECIALS, 257, 0, 5, 0, 0},
                                       {OUTLIER_K, 257, 1, 0, 0, 0}, {FALLBACKS, 300, 1, 0, 0, 0},
                                       {UNIFORM, 500, 1, 0, 0, 0},   {FALLBACKS, 500, 0, 5, 0, 0}};
    setenv("CUDACPU_ASYNC", "random", 1);
    give_devices(step->facts);
    for (int i = 0; i < COUNT_OF(PRODUCTS); i++) {
        const char *problem = verify_product(find_narrow(step->facts), step->facts, &PRODUCTS[i]);
        ck_assert_msg(problem == NULL, "%s, narrow panels: %s", step->facts->name, problem);
    }
}
END_TEST

/* The kernel's time is that of all panels: of four, the last alone has a quarter. With early
 * effects copies take next to nothing. One of ten calls has to show it, as the machine is not
 * quiet. */
START_TEST(test_times_of_panels) {
    enum { N = 500 };
    static float a[N * N], c[N * N];
    const listed_step *step = &all_steps[_i];
    double largest = 0;
    setenv("CUDACPU_ASYNC", "early", 1);
    setenv("CUDACPU_DEVICES", "1", 1);
    matgen(a, N, N, N, 1);
    for (int i = 0; i < 10 && largest < 0.6; i++) {
        const matmult_result result = find_narrow(step->facts)(a, N, a, N, c, N, N);
        if (result.kernel / result.total > largest)
            largest = result.kernel / result.total;
    }
    ck_assert_msg(largest >= 0.6, "%s, narrow panels: the kernel took %.2f of the total",
                  step->facts->name, largest);
}
END_TEST

void add_parts(Suite *suite) {
    share_references();
    for (int i = 0; i < step_count; i++) {
        if (!all_steps[i].cuda || !is_asked_for(all_steps[i].facts->name))
            continue;
        TCase *part = add_part(suite, all_steps[i].facts->name, 900);
        tcase_add_loop_test(part, test_cases, i, i + 1);
        tcase_add_loop_test(part, test_every_n, i, i + 1);
        tcase_add_loop_test(part, test_large, i, i + 1);
        if (!find_narrow(all_steps[i].facts))
            continue;
        tcase_add_loop_test(part, test_narrow_panels, i, i + 1);
        if (strcmp(BACKEND, "cpu") == 0 && !SANITIZED)
            tcase_add_loop_test(part, test_times_of_panels, i, i + 1);
    }
}
