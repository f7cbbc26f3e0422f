/* main.c - the main program of every step: makes two matrices, multiplies, compares, prints what
 * the article prints. */
#define _POSIX_C_SOURCE 200809L
#include "compare_mat.h"
#include "device.h"
#include "matgen.h"
#include "matmult.h"
#include "reference.h"
#include "timing.h"
#ifdef INSPECT
#include "article.h"
#endif
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE_REFERENCE = 2048, SAMPLED_ROWS = 64 };
static const double PROMISE = 1e-6;

typedef struct options {
    int n, repeats, csv;
    uint64_t seed;
} options;

static void die(int status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "%s: ", STEP);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(status);
}

static void help(void) {
    printf(
        "%s: multiplies two random n x n matrices and compares the product with the CPU "
        "reference\n\n"
        "  -n N        rows and columns (1 to %d; default 1000)\n"
        "  -s SEED     of the random numbers (0 to %" PRId64 "; default 0)\n"
        "  -r REPEATS  times to multiply; the times printed are medians (1 to 1000000; default 1)\n"
        "  --csv       one line of values with a header, and a hash of the product's bytes\n"
        "  --help      this text\n\n"
        "Exit status: 0 it ran and kept its promise, 1 it did not, 2 wrong usage, 77 the device "
        "cannot run this "
        "step.\n",
        STEP, INT_MAX, INT64_MAX);
}

/* A whole number from low to high in plain digits, nothing else; or the end of the program. */
static int64_t number(const char *option, const char *text, int64_t low, int64_t high) {
    if (!text)
        die(2, "%s needs a value: a whole number from %" PRId64 " to %" PRId64, option, low, high);
    size_t digits = strspn(text, "0123456789");
    errno = 0;
    int64_t value = strtoll(text, NULL, 10);
    if (digits == 0 || text[digits] != 0 || errno != 0 || value < low || value > high)
        die(2, "%s '%s': not a whole number from %" PRId64 " to %" PRId64, option, text, low, high);
    return value;
}

static options parse(int argc, char **argv) {
    options o = {1000, 1, 0, 0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-n") == 0)
            o.n = (int)number("-n", argv[i + 1], 1, INT_MAX), i++;
        else if (strcmp(argv[i], "-s") == 0)
            o.seed = (uint64_t)number("-s", argv[i + 1], 0, INT64_MAX), i++;
        else if (strcmp(argv[i], "-r") == 0)
            o.repeats = (int)number("-r", argv[i + 1], 1, 1000000), i++;
        else if (strcmp(argv[i], "--csv") == 0)
            o.csv = 1;
        else if (strcmp(argv[i], "--help") == 0) {
            help();
            exit(0);
        } else
            die(2, "unknown option '%s': --help lists what there is", argv[i]);
    }
    return o;
}

static void *allocate(size_t count, size_t size) {
    void *p = malloc(count * size);
    if (!p)
        die(1, "no memory for %zu elements of %zu bytes", count, size);
    return p;
}

/* Compares what is needed with what there is, before anything is allocated; a free_bytes of 0 means
 * that it cannot be told. Sizes are doubles, because n * n may pass 2^64. */
static void check_memory(int n, const device_info *device) {
    const double mib = 1024.0 * 1024.0, matrix = (double)n * n * sizeof(float);
    double host = 3 * matrix; /* a, b, c */
#ifndef STEP_IS_CPU
    if (n <= WHOLE_REFERENCE)
        host += matrix; /* their reference */
#endif
    if (device) {
        /* Steps round rows up to a pitch of 512 bytes and their number up to a tile of 16. */
        const double padded = ceil(n * sizeof(float) / 512.0) * 512.0 * ceil(n / 16.0) * 16.0;
        const double free_device = (double)device->free_bytes;
        if (strcmp(device->backend, "cpu") == 0)
            host += 3 * padded; /* the device's memory is the host's */
        else if (free_device > 0 && 3 * padded > free_device)
            die(1, "n = %d needs %.0f MiB of device memory, and %.0f MiB are free", n,
                ceil(3 * padded / mib), floor(free_device / mib));
    }
    const double free_host = (double)host_free_bytes();
    if (free_host > 0 && host > free_host)
        die(1, "n = %d needs %.0f MiB of memory, and %.0f MiB are free", n, ceil(host / mib),
            floor(free_host / mib));
}

/* A text between quotes, as CSV wants it: quotes in it are doubled. */
static void print_quoted(const char *text) {
    putchar('"');
    for (; *text; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

/* FNV-1a, 64 bits, over the bytes of c row by row. */
static uint64_t hash(const float *c, size_t bytes) {
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)c)[i]) * 0x100000001b3u;
    return h;
}

/* The rows that are compared: all, or SAMPLED_ROWS different ones in ascending order, by selection
 * sampling. */
static int choose_rows(int *rows, int n, uint64_t seed) {
    if (n <= WHOLE_REFERENCE) {
        for (int i = 0; i < n; i++)
            rows[i] = i;
        return n;
    }
    int chosen = 0;
    for (int i = 0; chosen < SAMPLED_ROWS; i++) {
        float draw;
        matgen(&draw, 1, 1, 1, seed * 2654435761u + (uint64_t)i + 12345);
        if ((double)draw * (n - i) < SAMPLED_ROWS - chosen)
            rows[chosen++] = i;
    }
    return chosen;
}

typedef struct errors {
    compare_result result, float_sum; /* float_sum: of a float accumulator, in 01 alone */
    int rows;                         /* that were compared */
} errors;

/* Adds one of so many rows to the errors of all. */
static void add_row(compare_result *all, compare_result row, int rows) {
    all->max_error = fmax(all->max_error, row.max_error);
    all->mean_error += row.mean_error / rows;
}

#ifdef STEP_IS_CPU
/* 01, the reference itself, is held against a compensated double sum, and so is a float
 * accumulator. */
static void compare_row(errors *e, const float *a_row, const float *b, const float *c_row, int n,
                        double *exact, float *single) {
    sum_row_compensated(a_row, b, n, exact, n);
    sum_row_float(a_row, b, n, single, n);
    add_row(&e->result, compare_mat_double(c_row, n, exact, n, 1, n), e->rows);
    add_row(&e->float_sum, compare_mat_double(single, n, exact, n, 1, n), e->rows);
}
#else
/* A step is held against the reference rounded to float, as in the article. */
static void compare_row(errors *e, const float *a_row, const float *b, const float *c_row, int n,
                        double *exact, float *single) {
    sum_row_double(a_row, b, n, exact, n);
    for (int j = 0; j < n; j++)
        single[j] = (float)exact[j];
    add_row(&e->result, compare_mat(c_row, n, single, n, 1, n), e->rows);
}
#endif

static errors measure(const float *a, const float *b, const float *c, int n, uint64_t seed) {
    errors e;
    memset(&e, 0, sizeof e);
#ifndef STEP_IS_CPU
    if (n <= WHOLE_REFERENCE) {
        float *reference = allocate((size_t)n * (size_t)n, sizeof *reference);
        matmult(a, n, b, n, reference, n, n);
        e.result = compare_mat(c, n, reference, n, n, n);
        e.rows = n;
        free(reference);
        return e;
    }
#endif
    int *rows = allocate((size_t)(n <= WHOLE_REFERENCE ? n : SAMPLED_ROWS), sizeof *rows);
    double *exact = allocate((size_t)n, sizeof *exact);
    float *single = allocate((size_t)n, sizeof *single);
    e.rows = choose_rows(rows, n, seed);
    for (int i = 0; i < e.rows; i++) {
        const size_t start = (size_t)rows[i] * (size_t)n;
        compare_row(&e, a + start, b, c + start, n, exact, single);
    }
    free(single);
    free(exact);
    free(rows);
    return e;
}

/* What a step promises. A float accumulator (02) keeps 1e-6 only for small n, and in the mean up to
 * n = 1000. */
static int kept(const compare_result *r, int n) {
    if (strcmp(STEP, "02_naive_cuda") == 0)
        return (n > 128 || r->max_error <= PROMISE) && (n > 1000 || r->mean_error <= PROMISE) &&
               isfinite(r->max_error);
    return r->max_error <= PROMISE;
}

int main(int argc, char **argv) {
    options o = parse(argc, argv);
#ifdef INSPECT
    inspect_facts facts = article_facts(STEP, o.n);
    tell_inspect(&facts);
#endif
    device_info device;
    const int n = o.n;
    const size_t elements = (size_t)n * (size_t)n;
#ifdef STEP_IS_CPU
    memset(&device, 0, sizeof device);
    device.backend = "none";
    snprintf(device.name, sizeof device.name, "no device: one CPU thread");
    check_memory(n, NULL);
#else
    if (!find_device(&device))
        die(1, "%s", device.why);
    check_memory(n, &device);
#endif
    float *a = allocate(elements, sizeof *a), *b = allocate(elements, sizeof *b),
          *c = allocate(elements, sizeof *c);
    double *total = allocate((size_t)o.repeats, sizeof *total),
           *kernel = allocate((size_t)o.repeats, sizeof *kernel);
    const char *note = NULL;
    matgen(a, n, n, n, 2 * o.seed);
    matgen(b, n, n, n, 2 * o.seed + 1);
    for (int r = 0; r < o.repeats; r++) {
        for (size_t i = 0; i < elements; i++)
            c[i] = NAN; /* what is not written shows */
#ifdef STEP_IS_CPU
        double start = wall_seconds();
        matmult(a, n, b, n, c, n, n);
        total[r] = wall_seconds() - start;
        kernel[r] = 0; /* there is none */
#else
        matmult_result result = matmultCUDA(a, n, b, n, c, n, n);
        total[r] = result.total;
        kernel[r] = result.kernel;
        note = result.note;
#endif
    }
    const double seconds = median(total, o.repeats), kernel_seconds = median(kernel, o.repeats);
    const double gflop = 2e-9 * n * (double)n * n;
    errors e = measure(a, b, c, n, o.seed);

    if (o.csv) {
        printf("step,backend,device,n,seed,repeats,rows_checked,max_error,mean_error,total_s,total_"
               "gflops,kernel_s,"
               "kernel_gflops,hash\n%s,%s,",
               STEP, device.backend);
        print_quoted(device.name);
        printf(",%d,%" PRIu64 ",%d,%d,%.6g,%.6g,%.6f,%.3f,", n, o.seed, o.repeats, e.rows,
               e.result.max_error, e.result.mean_error, seconds, gflop / seconds);
        if (kernel_seconds > 0)
            printf("%.6f,%.3f,", kernel_seconds, gflop / kernel_seconds);
        else
            printf(",,");
        printf("%016" PRIx64 "\n", hash(c, elements * sizeof *c));
    } else {
        printf("Max error: %g Average error: %g\n", e.result.max_error, e.result.mean_error);
#ifndef INSPECT /* an observed run is slow: its times would mislead */
        printf("Time used: %.4f (%.2f GFLOPS)\n", seconds, gflop / seconds);
#ifdef STEP_IS_CPU
        printf("Float accumulator: max error: %g average error: %g\n", e.float_sum.max_error,
               e.float_sum.mean_error);
        printf("Errors against a compensated double sum, not rounded to float\n");
#else
        printf("Kernel: %.4f s (%.2f GFLOPS)\n", kernel_seconds, gflop / kernel_seconds);
#endif
#endif
        if (e.rows < n)
            printf("Compared: %d of %d rows, drawn at random (the whole reference would take "
                   "minutes)\n",
                   e.rows, n);
        if (note)
            printf("Note: %s\n", note);
#ifdef STEP_IS_CPU
        printf("Backend: none, one CPU thread\n");
#else
        printf("Backend: %s%s, %s, compute capability %d.%d, %.1f GiB\n", device.backend,
               BACKEND_WHY[0] ? " (" BACKEND_WHY ")" : "", device.name, device.major, device.minor,
               (double)device.total_bytes / (1024.0 * 1024.0 * 1024.0));
#endif
    }
    int good = kept(&e.result, n);
    free(kernel);
    free(total);
    free(c);
    free(b);
    free(a);
    if (fflush(stdout) != 0)
        die(1, "the output could not be written");
    if (!good)
        die(1, "the promise is broken: max error %g, mean error %g, and the limit is %g",
            e.result.max_error, e.result.mean_error, PROMISE);
    return 0;
}
