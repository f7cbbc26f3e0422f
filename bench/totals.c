/* totals.c - each program in a process of its own, so that its first call is one. */
#define _POSIX_C_SOURCE 200809L
#include "totals.h"
#include "busy.h"
#include "matrices.h"
#include "program.h"
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern const char *const backend_name;
enum { MOST_CALLS = 21, FEWEST_CALLS = 3 };
static const double ENOUGH_SECONDS = 0.4; /* in calls: then fewer do */
static const double SLOW_SECONDS = 0.2;   /* in a call: a step that is expected to take longer is
                                             left out, a library is not */

/* Every element was written. */
static int is_written(const float *c, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(c[i] >= 0))
            return 0;
    return 1;
}

static float *copy_of(const float *matrix, size_t bytes) {
    return memcpy(get_memory(bytes), matrix, bytes);
}

/* The process has matrices of its own: of what it shares with its parent the driver would copy each
 * page in the first call. Its middle total is put where the parent sees it. */
static int measure_total(const program *p, const matrices *shared, int told) {
    const int n = shared->n;
    const size_t count = (size_t)n * (size_t)n, bytes = count * sizeof(float);
    const matrices m = {copy_of(shared->a, bytes), copy_of(shared->b, bytes), get_memory(bytes), n,
                        0};
    double total[MOST_CALLS], kernel[MOST_CALLS], sum = 0;
    int calls = 0;
    poison_product(&m);
    if (strcmp(backend_name, "gpu") == 0)
        keep_busy(0.01);
    const double first = p->multiply(m.a, n, m.b, n, m.c, n, n).total;
    int good = is_written(m.c, count);
    while (calls < FEWEST_CALLS || (calls < MOST_CALLS && sum < ENOUGH_SECONDS)) {
        poison_product(&m);
        const matmult_result measured = p->multiply(m.a, n, m.b, n, m.c, n, n);
        total[calls] = measured.total;
        kernel[calls++] = measured.kernel;
        sum += measured.total;
    }
    good = good && is_written(m.c, count);
    const double middle = median(total, calls);
    printf("%s,%d,%d,%.6f,%.6f,%.6f,%.6f,%.6f\n", p->name, n, calls, first, middle, total[0],
           total[calls - 1], median(kernel, calls));
    return good && write(told, &middle, sizeof middle) == sizeof middle ? 0 : 1;
}

/* The middle total, or 0 when it failed. */
static double measure_in_child(const program *p, const matrices *m) {
    int told[2], status = 1;
    double seconds = 0;
    if (pipe(told) != 0)
        return 0;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0)
        exit(measure_total(p, m, told[1]));
    waitpid(child, &status, 0);
    if (status || read(told[0], &seconds, sizeof seconds) != sizeof seconds) {
        fprintf(stderr, "%s failed at n = %d\n", p->name, m->n);
        seconds = 0;
    }
    close(told[0]), close(told[1]);
    return seconds;
}

void measure_totals(int count, const int *sizes, const int *chosen) {
    double seconds[MOST_PROGRAMS] = {0};
    printf("step,n,repeats,first_s,total_s,total_min_s,total_max_s,kernel_s\n");
    for (int s = 0; s < count; s++) {
        const int n = sizes[s];
        const double start = wall_seconds();
        int measured = 0;
        matrices m = make_matrices(n, 0);
        fill_matrices(&m, UNIFORM, 0);
        for (int i = 0; i < program_count && !is_time_over(); i++) {
            /* Copies are most of it, and they grow by the square. */
            const double growth = s ? (double)n / sizes[s - 1] * n / sizes[s - 1] : 1;
            if (!chosen[i] || !programs[i].runs ||
                (seconds[i] * growth > SLOW_SECONDS && !is_library(&programs[i])))
                continue;
            seconds[i] = measure_in_child(&programs[i], &m);
            measured++;
        }
        fflush(stdout);
        free_matrices(&m);
        fprintf(stderr, "totals, n = %d: %d programs, %.1f s%s\n", n, measured,
                wall_seconds() - start, is_time_over() ? ", some left out, the time is over" : "");
    }
}
