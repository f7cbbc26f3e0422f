/* verify.c - holds a step against the reference: many sizes, leading dimensions and kinds of input.
 */
#include "verify.h"
#include "matgen.h"
#include "reference.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_ROWS = 2 };
static const char *const NAMES[INPUTS] = {
    "uniform",   "identity",    "permutation", "zeros",       "cancelling",      "integers",
    "spikes",    "large first", "gram",        "magnitudes",  "large",           "tiny",
    "subnormal", "infinite",    "specials",    "overflowing", "partial overflow"};

/* ---- inputs ---- */

/* Element (i, j) of an operand, from the uniform number u. second: it is B; special: it is the one
 * of the two that is not just uniform. */
static float element(input kind, float u, int i, int j, int n, int second, int special) {
    const float signed_u = u - 0.5f;
    switch (kind) {
    case IDENTITY:
        return special ? i == j : u;
    case PERMUTATION:
        return special ? j == (i * (n % 7 ? 7 : 1) + 3) % n : u; /* not symmetric */
    case ZEROS:
        return special ? 0 : u;
    case CANCELLING:
        return signed_u;
    case INTEGERS:
        return floorf(u * 17) - 8;
    case SPIKES:
        return (second ? i : j) == ((second ? 5 * j : 3 * i) + 1) % n ? 1 : 0.0123456789f;
    case LARGE_FIRST:
        return second ? 1.68702614f : j % 64 < 19 ? 1 : 7.91644e-06f;
    case GRAM: {
        float draw;
        matgen(&draw, 1, 1, 1,
               second ? (uint64_t)j << 32 | (uint64_t)i : (uint64_t)i << 32 | (uint64_t)j);
        return floorf(draw * 1024) / 1024;
    }
    case MAGNITUDES:
        return ldexpf(signed_u, (i * 5 + j * 11) % 81 - 40);
    case LARGE:
        return ldexpf(signed_u, 61);
    case TINY:
        return ldexpf(signed_u, -70);
    case SUBNORMAL:
        return ldexpf(signed_u, special ? -130 : 5);
    case INFINITE:
        return special && i == n / 2 && j == n / 3 ? INFINITY : u;
    case OVERFLOWING: /* rows of both signs */
        return ldexpf(!second && i % 2 ? -u : u, 66);
    case PARTIAL_OVERFLOW: /* the second half takes away what the first has added */
        return ldexpf(!second && j >= n / 2 ? -u : u, 63);
    default:
        return u;
    }
}

static void fill(float *a, int lda, int n, input kind, unsigned long seed, int second) {
    const int special = second == (int)(seed % 2);
    matgen(a, lda, n, n, 2 * seed + (unsigned long)second);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float *x = &a[(size_t)i * (size_t)lda + (size_t)j];
            *x = element(kind, *x, i, j, n, second, special);
        }
    static const float values[] = {INFINITY, -INFINITY, NAN,
                                   0}; /* each meets the one opposite: infinity times zero */
    for (int s = 0; s < 4 && kind == SPECIALS; s++) {
        float draw[3];
        matgen(draw, 3, 1, 3, 4 * seed + (unsigned long)s);
        const size_t i = (size_t)(draw[0] * (float)n), j = (size_t)(draw[1] * (float)n),
                     k = (size_t)(draw[2] * (float)n);
        if (second)
            a[k * (size_t)lda + j] = values[3 - s];
        else
            a[i * (size_t)lda + k] = values[s];
    }
}

/* ---- the measure ---- */

double verify_limit(int number, int n) {
    if (number == 1) /* it rounds to float, once */
        return 0x1p-24;
    return number == 2 && n > 128 ? 2.5e-6 : 1e-6; /* a plain float sum: why chapter 3 exists */
}

/* 02 to 07 sum the products as they are, so a product with one term is exact. */
static int sums_plainly(int number) { return number >= 2 && number <= 7; }

/* 01, a plain sum, and the tutorial's later steps give an infinity where the reference does;
 * Kahan's sum makes it a NaN. A copy that a student made (12_mine) may be of either sort. */
static int keeps_infinities(int number) { return number == 1 || (number >= 8 && number <= 11); }

static int exact(int number, input kind) {
    return kind == INTEGERS || (sums_plainly(number) && (kind == IDENTITY || kind == PERMUTATION));
}

static int good(double value, double reference, double scale, double allowed, int number) {
    const double rounded = (float)reference;
    if (!isfinite(rounded))
        return keeps_infinities(number) ? value == rounded || (isnan(value) && isnan(rounded))
                                        : !isfinite(value);
    if (!isfinite(value))
        return scale > FLT_MAX; /* a partial sum may have overflowed */
    return fabs(value - reference) <= allowed;
}

/* ---- one product ---- */

typedef struct matrix {
    float *start, *copy; /* all that was allocated, and how it was before the step */
    float *values;       /* n x n of them */
    size_t size;         /* elements allocated */
    int ld;
} matrix;

/* An n x n matrix with rows of ld elements, NaN all over, and guard rows above and below. */
static matrix make(int n, int ld, int guard_rows) {
    const uint32_t poison = 0x7fc0dead;
    matrix m = {NULL, NULL, NULL, (size_t)(n + 2 * guard_rows) * (size_t)ld, ld};
    m.start = malloc(m.size * sizeof *m.start);
    m.copy = malloc(m.size * sizeof *m.copy);
    if (!m.start || !m.copy) {
        fprintf(stderr, "no memory for the test\n");
        exit(1);
    }
    for (size_t i = 0; i < m.size; i++)
        memcpy(&m.start[i], &poison, sizeof poison);
    m.values = m.start + (size_t)guard_rows * (size_t)ld;
    return m;
}
static void keep(matrix *m) { memcpy(m->copy, m->start, m->size * sizeof *m->start); }
static void discard(matrix *m) { free(m->start), free(m->copy); }

static char message[500];
static const char *complain(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return message;
}

/* The elements of c against the reference, row by row; for n above 1000 every seventh, the last
 * among them. Names the first wrong one and counts the others. */
static const char *compare(const matrix *a, const matrix *b, const matrix *c, int n, int number,
                           input kind) {
    double *row = malloc((size_t)n * sizeof *row), *scale = malloc((size_t)n * sizeof *scale);
    const double limit = verify_limit(number, n);
    const int every = n > 1000 ? 7 : 1;
    const char *problem = NULL;
    long wrong = 0;
    for (int i = (n - 1) % every; i < n; i += every) {
        sum_row_double(a->values + (size_t)i * (size_t)a->ld, b->values, b->ld, row, n);
        sum_row_magnitude(a->values + (size_t)i * (size_t)a->ld, b->values, b->ld, scale, n);
        for (int j = 0; j < n; j++) {
            const double value = c->values[(size_t)i * (size_t)c->ld + (size_t)j];
            double allowed = limit * scale[j] + (n + 1) * 0x1p-149;
            if (kind == UNIFORM)
                allowed = limit * fabs(row[j]);
            if (exact(number, kind))
                allowed = 0;
            if (!good(value, row[j], scale[j], allowed, number) && wrong++ == 0)
                problem = complain("c(%d, %d) is %.9g, the reference %.9g, allowed %.3g", i, j,
                                   value, row[j], allowed);
        }
    }
    if (wrong > 1)
        snprintf(message + strlen(message), sizeof message - strlen(message),
                 "; %ld elements are wrong", wrong);
    free(row), free(scale);
    return problem;
}

/* What lies around the n x n elements of c must be as it was. */
static const char *check_guards(const matrix *c, int n) {
    const long first = c->values - c->start;
    for (size_t at = 0; at < c->size; at++) {
        const long i = ((long)at - first) / c->ld, j = (long)at % c->ld;
        const int inside = (long)at >= first && i < n && j < n;
        if (!inside && memcmp(&c->start[at], &c->copy[at], sizeof *c->start) != 0)
            return complain("it wrote outside of c, %ld elements after its start, column %ld",
                            (long)at - first, j);
    }
    return NULL;
}

const char *verify_product(cuda_step step, int number, input kind, int n, int pad,
                           unsigned long seed) {
    matrix a = make(n, n + pad, 0), b = make(n, n + 2 * pad, 0),
           c = make(n, n + 3 * pad, GUARD_ROWS);
    fill(a.values, a.ld, n, kind, seed, 0);
    fill(b.values, b.ld, n, kind, seed, 1);
    keep(&a), keep(&b), keep(&c);
    const matmult_result result = step(a.values, a.ld, b.values, b.ld, c.values, c.ld, n);

    const char *problem = NULL;
    if (memcmp(a.start, a.copy, a.size * sizeof *a.start) != 0 ||
        memcmp(b.start, b.copy, b.size * sizeof *b.start) != 0)
        problem = complain("an input matrix was changed");
    if (!problem)
        problem = compare(&a, &b, &c, n, number, kind);
    if (!problem)
        problem = check_guards(&c, n);
    if (!problem && !(result.kernel >= 0 && result.kernel <= result.total))
        problem = complain("it took %g s, and its kernel %g s", result.total, result.kernel);
    if (!problem && kind == SPIKES && n > 32 && (number == 8 || number == 9) && !result.note)
        problem = complain("it has no note on its short chunks");
    if (!problem && kind == GRAM && n > 1024 && (number == 8 || number == 9) && !result.note)
        problem = complain("it has no note on its chunks");
    if (problem)
        snprintf(message + strlen(message), sizeof message - strlen(message),
                 " [%s, n = %d, lda = %d, ldb = %d, ldc = %d, seed %lu]", NAMES[kind], n, a.ld,
                 b.ld, c.ld, seed);
    discard(&a), discard(&b), discard(&c);
    return problem;
}

/* ---- all of them ---- */

/* The plain float sum of 02 breaks 1e-6 on these even at n = 100. */
static int beyond_a_plain_sum(int number, input kind) {
    return number == 2 && (kind == SPIKES || kind == LARGE_FIRST || kind == GRAM);
}

/* From 08 on the tile depends on n: a GPU takes the larger one at n = 1537 alone, a CPU at 257
 * already. */
static int tried(int number, int n, input kind) {
    if (beyond_a_plain_sum(number, kind))
        return 0;
    if (n <= 100)
        return 1;
    if (n <= 257)
        return kind == UNIFORM || kind == CANCELLING || kind == PERMUTATION || kind == MAGNITUDES ||
               (n == 257 && number >= 8);
    if (n <= 1000)
        return kind == UNIFORM;
    if (kind == GRAM) /* at n = 1537 08 and 09 have their longest chunks, unless they see that these
                         are not for it */
        return number == 8 || number == 9;
    return number >= 8 && (kind == UNIFORM || kind == SPECIALS);
}

const char *verify_step(cuda_step step, int number) {
    static const int sizes[] = {1,  2,   3,   15,  16,  17,  31,   32,
                                33, 100, 255, 256, 257, 500, 1000, 1537};
    const char *problem = NULL;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && !problem; s++) {
        const int n = sizes[s];
        for (int kind = 0; kind < INPUTS && !problem; kind++) {
            if (!tried(number, n, (input)kind))
                continue;
            for (unsigned long seed = n >= 1000; seed < 2 && !problem;
                 seed++) /* each is once the special one */
                problem = verify_product(step, number, (input)kind, n, seed ? 5 : 0, seed);
        }
    }
    for (unsigned long seed = 2; seed < 2 + 2 * INPUTS && !problem; seed++) {
        const input kind = (input)(seed / 2 % INPUTS);
        float draw[2];
        matgen(draw, 2, 1, 2, seed);
        const int n = 1 + (int)(draw[0] * 150), pad = (int)(draw[1] * 20);
        if (!beyond_a_plain_sum(number, kind))
            problem = verify_product(step, number, kind, n, pad, seed);
    }
    return problem;
}
