/* call.cu - how a test calls student.cu. The document's m, n, k are the rows of A, the columns of
 * A, the columns of B. */
#include "lab.h"
#include "lab4.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double milliseconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

typedef float product(const double *a, const double *b, double *c, int m, int n, int k, int block);

static product *product_of(const char *name) {
    return strcmp(name, "global") == 0  ? multiply_global
           : strcmp(name, "tiled") == 0 ? multiply_tiled
                                        : multiply_rows;
}

/* The kernel's time of a size x size product as the student takes it, and the whole call's. */
static float take_time(product *multiply, int size, int block, double *whole) {
    double *m = (double *)calloc(3 * (size_t)size * size, sizeof *m), *c = m + 2 * size * size;
    double start = milliseconds_now();
    float kernel = multiply(m, m + size * size, c, size, size, size, block);
    *whole = milliseconds_now() - start;
    free(m);
    return kernel;
}

/* The work of the larger one is at least 27 times that of the smaller one. */
#ifdef __CUDACPU__
enum { SMALL = 128, LARGE = 384 };
#else
enum { SMALL = 256, LARGE = 2048, LEAST_RATIO = 4 };
#endif

#ifdef __CUDACPU__
enum { DELAY = 40, TIMES = 5 }; /* ms; calls */

/* Whether calls of these kinds are in the time of the kernel: each takes DELAY longer, and the
 * kernel far less, but other work may stop it. So at least this many of TIMES must be so long. */
static bool times_calls(product *multiply, int block, unsigned kinds, int least) {
    enum { SMALLEST = 48 };
    double whole;
    int longer = 0;
    delay_calls(kinds, DELAY);
    for (int i = 0; longer < least && i - longer <= TIMES - least; i++)
        longer += take_time(multiply, SMALLEST, block, &whole) >= 0.9f * DELAY;
    delay_calls(0, 0);
    return longer == least;
}

/* Whether its time follows what cudaEventElapsedTime gives, as a mean and a difference do, too. */
static bool is_from_events(product *multiply, int block) {
    enum { SMALLEST = 48, TRIES = 3, FAR_ABOVE = 100 };
    bool follows = false;
    for (int i = 0; i < TRIES && !follows; i++) {
        double whole;
        stretch_events(1e9f);
        follows = take_time(multiply, SMALLEST, block, &whole) > FAR_ABOVE * whole;
        stretch_events(1);
    }
    return follows;
}
#endif

/* What beside the kernel is in its time, or NULL. */
static const char *timed_beside(product *multiply, int block) {
#ifdef __CUDACPU__
    if (!times_calls(multiply, block, LAB_COPIES | LAB_FILLINGS | LAB_ALLOCATIONS, TIMES) ||
        times_calls(multiply, block, 0, TIMES)) /* it is as long without */
        return NULL;
    if (times_calls(multiply, block, LAB_COPIES, TIMES))
        return "copies are";
    if (times_calls(multiply, block, LAB_FILLINGS, TIMES))
        return "cudaMemset is";
    if (times_calls(multiply, block, LAB_ALLOCATIONS, TIMES))
        return "cudaMalloc or cudaFree is";
#endif
    return NULL;
}

static void say_times(const char *name, bool at_small, bool at_large, const char *how) {
    char sizes[40];
    snprintf(sizes, sizeof sizes, at_small && at_large ? "%d and %d" : "%d",
             at_small ? SMALL : LARGE, LARGE);
    fprintf(stderr, "multiply_%s's times are not those of its kernel: at %s they are %s\n", name,
            sizes, how);
}

/* Whether a time grows with what the kernel takes; else says so. */
static bool follows_kernel(const char *name, int block, float small, float large) {
#ifdef __CUDACPU__
    /* The clock of a busy machine does not tell two sizes apart; a launch can be made longer. */
    (void)small, (void)large;
    if (times_calls(product_of(name), block, LAB_LAUNCHES, TIMES / 2 + 1) &&
        !times_calls(product_of(name), block, 0, TIMES))
        return true;
    fprintf(stderr,
            "multiply_%s's times are not those of its kernel: a launch that takes %d ms longer "
            "does not make them so much longer\n",
            name, DELAY);
    return false;
#else
    if (large > LEAST_RATIO * small)
        return true;
    say_times(name, true, true, "nearly the same");
    return false;
#endif
}

static int check_times(const char *name, int block) {
    const char *beside = timed_beside(product_of(name), block);
    if (beside) {
        fprintf(stderr, "multiply_%s's times are not those of its kernel: %s in them\n", name,
                beside);
        return 1;
    }
    double whole_small, whole_large;
    float small = take_time(product_of(name), SMALL, block, &whole_small);
    /* The first call loads the kernel, and others may use the GPU: the shortest one counts. */
    for (int i = 0; i < 3; i++) {
        double whole;
        const float again = take_time(product_of(name), SMALL, block, &whole);
        if (again < small) {
            small = again;
            whole_small = whole;
        }
    }
    float large = take_time(product_of(name), LARGE, block, &whole_large);
    if (!(small > 0) || !(large > 0)) {
        say_times(name, !(small > 0), !(large > 0), "not above 0");
        return 1;
    }
    if (small > whole_small || large > whole_large) {
        say_times(name, small > whole_small, large > whole_large, "longer than the whole calls");
        return 1;
    }
    if (!follows_kernel(name, block, small, large))
        return 1;
#ifdef __CUDACPU__
    if (!is_from_events(product_of(name), block)) {
        fprintf(stderr,
                "multiply_%s's times are not what cudaEventElapsedTime gives: "
                "task 7 takes them by two events\n",
                name);
        return 1;
    }
#endif
    return 0;
}

int lab_call(const lab_case *test) {
    const double *a = (const double *)test->a.elements, *b = (const double *)test->b.elements;
    double *c = (double *)test->c.elements;
    int m = test->a.rows, n = test->a.columns, k = test->b.columns;
    if (strncmp(test->variant, "timed ", 6) == 0) {
        for (int i = 0; i < m * k; i++) {
            c[i] = 0;
            for (int j = 0; j < n; j++)
                c[i] += a[i / k * n + j] * b[j * k + i % k];
        }
        return check_times(test->variant + 6, test->parameter);
    }
    if (strcmp(test->variant, "serial") == 0) {
        multiply_serial(a, b, c, m, n, k);
        return 0;
    }
    /* A wrong time costs the points of the tests that ask for it, and no others. */
    product_of(test->variant)(a, b, c, m, n, k, test->parameter);
    return 0;
}
