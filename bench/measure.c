/* measure.c - programs by turns, until their times agree. */
#include "measure.h"
#include "busy.h"
#include "hash.h"
#include "judge.h"
#include "program.h"
#include "queue.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const char *const backend_name;
enum { LARGEST_HASHED = 4096 };          /* n: a hash takes longer than a product */
static const double LONG = 0.1;          /* seconds: a first call that takes longer counts */
static const double VERY_LONG = 0.3;     /* two of them do */
static const double SHORT = 0.001;       /* fewer than five are too few */
static const double ENOUGH_SECONDS = 1;  /* in calls: then fewer repeats do */
static const double SMALL_SPREAD = 0.01; /* of the shortest time: then fewer repeats do */

int fewest_calls(double kernel_seconds) {
    return kernel_seconds >= VERY_LONG ? 2 : kernel_seconds >= LONG ? 3 : 4;
}

static int fewest_repeats(double seconds) {
    return seconds >= VERY_LONG ? 2 : seconds >= SHORT ? 3 : 5;
}

/* Other work first, so that the device's clock is up. The CPU's needs none. */
static matmult_result call(const program *p, const matrices *m, double busy_seconds) {
    if (strcmp(backend_name, "gpu") == 0)
        keep_busy(busy_seconds);
    return p->multiply(m->a, m->n, m->b, m->n, m->c, m->n, m->n);
}

static void add_time(measurement *r, double seconds) {
    r->kernel[r->repeats++] = seconds;
    r->middle = median(r->kernel, r->repeats);
}

static void warm_up(const program *p, const matrices *m, measurement *r) {
    poison_product(m);
    const matmult_result warm = call(p, m, 0.01);
    judge_error(m->c, &r->max_error, &r->mean_error);
    if (m->n <= LARGEST_HASHED)
        r->hash = hash_bytes(m->c, (size_t)m->n * (size_t)m->n * sizeof *m->c);
    snprintf(r->note, sizeof r->note, "%s", warm.note ? warm.note : "");
    r->spent = warm.kernel;
    if (warm.kernel >= LONG)
        add_time(r, warm.kernel);
}

static int is_settled(const measurement *r) {
    if (r->repeats == MOST_REPEATS)
        return 1;
    if (r->repeats == 0 || r->repeats < fewest_repeats(r->middle))
        return 0;
    return r->spent >= ENOUGH_SECONDS ||
           r->kernel[r->repeats - 1] - r->kernel[0] <= SMALL_SPREAD * r->kernel[0];
}

static int takes_part(int i, const int *chosen) {
    return chosen[i] && programs[i].runs && programs[i].tells_kernel;
}

void measure_programs(const matrices *m, const int *chosen, measurement *results) {
    memset(results, 0, (size_t)program_count * sizeof *results);
    prepare_judge(m->a, m->b, m->n);
    for (int i = 0; i < program_count; i++)
        if (takes_part(i, chosen))
            warm_up(&programs[i], m, &results[i]);
    queue_launches(strcmp(backend_name, "gpu") == 0);
    for (int round = 0; round < MOST_REPEATS; round++)
        for (int i = 0; i < program_count; i++)
            if (takes_part(i, chosen) && !is_settled(&results[i])) {
                const double seconds = call(&programs[i], m, 0.001).kernel;
                results[i].spent += seconds;
                add_time(&results[i], seconds);
            }
    queue_launches(0);
}

double sgemm_seconds(const measurement *results) {
    const int sgemm = find_program("cublas_sgemm");
    return sgemm >= 0 && results[sgemm].repeats ? results[sgemm].middle : NAN;
}
