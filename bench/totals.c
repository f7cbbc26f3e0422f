/* totals.c - each program in a process of its own, so that its first call is one. */
#define _POSIX_C_SOURCE 200809L
#include "totals.h"
#include "matgen.h"
#include "program.h"
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_REPEATS = 21, FEWEST_REPEATS = 3 };
static const double ENOUGH_SECONDS = 0.5; /* in calls: then fewer repeats do */
static const double SLOW_SECONDS = 0.2;   /* in a call: larger matrices would take too long */
enum { GOOD, FAILED, SLOW };              /* exit status of a measurement */

void print_totals_header(void) {
    printf("step,n,repeats,first_s,total_s,total_min_s,total_max_s,kernel_s\n");
}

/* Every element was written. */
static int is_written(const float *c, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(c[i] >= 0))
            return 0;
    return 1;
}

static float *copy_of(const float *matrix, size_t bytes) {
    return memcpy(allocate(bytes), matrix, bytes);
}

/* The process has matrices of its own: of what it shares with its parent the driver would copy each
 * page in the first call. */
static int measure_total(const program *p, const float *of_a, const float *of_b, int n) {
    const size_t count = (size_t)n * (size_t)n, bytes = count * sizeof(float);
    float *a = copy_of(of_a, bytes), *b = copy_of(of_b, bytes), *c = allocate(bytes);
    double total[MOST_REPEATS], kernel[MOST_REPEATS], sum = 0;
    int repeats = 0;
    const double first = call_program(p, a, b, c, n).total;
    int good = is_written(c, count);
    while (repeats < FEWEST_REPEATS || (repeats < MOST_REPEATS && sum < ENOUGH_SECONDS)) {
        memset(c, 0xff, bytes);
        const matmult_result measured = p->multiply(a, n, b, n, c, n, n);
        total[repeats] = measured.total;
        kernel[repeats++] = measured.kernel;
        sum += measured.total;
    }
    good = good && is_written(c, count);
    const double middle = median(total, repeats);
    printf("%s,%d,%d,%.6f,%.6f,%.6f,%.6f,%.6f\n", p->name, n, repeats, first, middle, total[0],
           total[repeats - 1], median(kernel, repeats));
    free(a), free(b), free(c);
    return !good ? FAILED : middle > SLOW_SECONDS ? SLOW : GOOD;
}

void measure_totals(int n) {
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = allocate(bytes), *b = allocate(bytes);
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    for (int i = 0; i < program_count; i++) {
        program *p = &programs[i];
        if (p->slow && n > p->slow)
            printf("# %s at n = %d would take too long\n", p->name, n);
        if (!p->runs || (p->slow && n > p->slow))
            continue;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0)
            exit(measure_total(p, a, b, n));
        int status = 1;
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == SLOW)
            p->slow = n;
        else if (status)
            printf("# %s failed at n = %d\n", p->name, n);
    }
    fflush(stdout);
    free(a), free(b);
}
