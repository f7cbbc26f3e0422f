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
enum { SMALL = 128, LARGE = 384, LEAST_RATIO = 4 };
#else
enum { SMALL = 256, LARGE = 2048, LEAST_RATIO = 4 };
#endif
#ifdef __CUDACPU__
/* Whether calls of these kinds are in the time of the kernel: each takes DELAY ms, and the kernel
 * far less. */
static bool times_calls(product *multiply, int block, unsigned kinds) {
    enum { SMALLEST = 48, DELAY = 40 };
    double whole;
    int longer = 0;
    delay_calls(kinds, DELAY);
    while (longer < 3 && take_time(multiply, SMALLEST, block, &whole) >= DELAY)
        longer++; /* other work may have stopped this once */
    delay_calls(0, 0);
    return longer == 3;
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
    if (!times_calls(multiply, block, LAB_COPIES | LAB_FILLINGS | LAB_ALLOCATIONS) ||
        times_calls(multiply, block, 0)) /* it is as long without */
        return NULL;
    if (times_calls(multiply, block, LAB_COPIES))
        return "copies are";
    if (times_calls(multiply, block, LAB_FILLINGS))
        return "cudaMemset is";
    if (times_calls(multiply, block, LAB_ALLOCATIONS))
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
#ifdef __CUDACPU__
    const unsigned launches_before = launches_so_far();
#endif
    float large = take_time(product_of(name), LARGE, block, &whole_large);
    double least = 0; /* on a GPU the copies may take most of a call */
#ifdef __CUDACPU__
    /* A call may warm up first, or give the mean of several launches. */
    least = 0.3 * whole_large / (launches_so_far() - launches_before);
#endif
    if (small > 0 && small <= whole_small && large <= whole_large && large >= least &&
        large > LEAST_RATIO * small) {
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
    if (!(small > 0) || !(large > 0))
        say_times(name, !(small > 0), !(large > 0), "not above 0");
    else if (small > whole_small || large > whole_large)
        say_times(name, small > whole_small, large > whole_large, "longer than the whole calls");
    else if (large < least)
        say_times(name, false, true, "a small part of the whole calls");
    else
        say_times(name, true, true, "nearly the same");
    return 1;
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
