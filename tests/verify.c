/* verify.c - holds a step against the reference: many sizes, leading dimensions and kinds of input. */
#include "verify.h"
#include "matgen.h"
#include "reference.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_ROWS = 2 };
static const char *const NAMES[INPUTS] = {"uniform", "identity", "permutation", "zeros", "cancelling", "integers", "magnitudes", "infinite"};
static char message[400];

static void fill(float *a, int lda, int n, input kind, unsigned long seed, int second) {
    matgen(a, lda, n, n, 2 * seed + (unsigned long)second);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float *x = &a[(size_t)i * (size_t)lda + (size_t)j];
            switch (kind) {
            case IDENTITY: if (!second) *x = i == j; break;
            case PERMUTATION: if (!second) *x = j == (i * 7 + 3) % n; break;
            case ZEROS: *x = 0; break;
            case CANCELLING: *x -= 0.5f; break;
            case INTEGERS: *x = floorf(*x * 17) - 8; break;
            case MAGNITUDES: *x = ldexpf(*x - 0.5f, (i * 5 + j * 11) % 81 - 40); break;
            case INFINITE: if (i == n / 2 && j == n / 3 && !second) *x = INFINITY; break;
            default: break;
            }
        }
}

const char *verify_product(cuda_step step, input kind, int n, int pad, double limit, unsigned long seed) {
    const int lda = n + pad, ldb = n + 2 * pad, ldc = n + 3 * pad;
    const size_t a_size = (size_t)n * (size_t)lda, b_size = (size_t)n * (size_t)ldb, c_size = (size_t)(n + 2 * GUARD_ROWS) * (size_t)ldc;
    float *a = malloc(a_size * sizeof *a), *b = malloc(b_size * sizeof *b), *c = malloc(c_size * sizeof *c);
    float *a_copy = malloc(a_size * sizeof *a), *b_copy = malloc(b_size * sizeof *b);
    double *row = malloc((size_t)n * sizeof *row), *scale = malloc((size_t)n * sizeof *scale);
    uint32_t poison = 0x7fc0dead; /* a NaN */
    const char *problem = NULL;
    if (!a || !b || !c || !a_copy || !b_copy || !row || !scale)
        return "no memory for the test";
    for (size_t i = 0; i < a_size; i++)
        a[i] = NAN; /* between n and lda nothing may be used */
    for (size_t i = 0; i < b_size; i++)
        b[i] = NAN;
    for (size_t i = 0; i < c_size; i++)
        memcpy(&c[i], &poison, 4);
    fill(a, lda, n, kind, seed, 0);
    fill(b, ldb, n, kind, seed, 1);
    memcpy(a_copy, a, a_size * sizeof *a);
    memcpy(b_copy, b, b_size * sizeof *b);
    float *product = c + GUARD_ROWS * (size_t)ldc;
    step(a, lda, b, ldb, product, ldc, n);

    long wrong = 0;
    for (int i = 0; i < n; i++) {
        reference_row_double(a_copy + (size_t)i * (size_t)lda, b_copy, ldb, row, n);
        reference_row_magnitude(a_copy + (size_t)i * (size_t)lda, b_copy, ldb, scale, n);
        for (int j = 0; j < n; j++) {
            double value = product[(size_t)i * (size_t)ldc + (size_t)j], allowed;
            int good;
            allowed = kind == UNIFORM ? limit * fabs(row[j]) : limit * scale[j] + (n + 1) * 0x1p-149;
            if (kind == INTEGERS || kind == IDENTITY || kind == PERMUTATION)
                allowed = 0;
            if (!isfinite((float)row[j]))
                good = !isfinite(value);
            else
                good = fabs(value - row[j]) <= allowed; /* false for a NaN */
            if (!good && wrong++ == 0) {
                snprintf(message, sizeof message, "%s, n = %d, lda = %d, ldb = %d, ldc = %d, seed %lu: c(%d, %d) is %.9g, the reference %.9g, allowed %.3g",
                         NAMES[kind], n, lda, ldb, ldc, seed, i, j, value, row[j], allowed);
                problem = message;
            }
        }
    }
    if (wrong > 1)
        snprintf(message + strlen(message), sizeof message - strlen(message), "; %ld elements are wrong", wrong);
    for (size_t i = 0; i < c_size && !problem; i++) {
        size_t r = i / (size_t)ldc, column = i % (size_t)ldc;
        if ((r < GUARD_ROWS || r >= (size_t)(n + GUARD_ROWS) || column >= (size_t)n) && memcmp(&c[i], &poison, 4) != 0) {
            snprintf(message, sizeof message, "%s, n = %d, ldc = %d: wrote outside of c, row %ld, column %zu", NAMES[kind], n, ldc, (long)r - GUARD_ROWS, column);
            problem = message;
        }
    }
    if (!problem && (memcmp(a, a_copy, a_size * sizeof *a) != 0 || memcmp(b, b_copy, b_size * sizeof *b) != 0))
        problem = "an input matrix was changed";
    free(a), free(b), free(c), free(a_copy), free(b_copy), free(row), free(scale);
    return problem;
}

const char *verify_step(cuda_step step, double limit) {
    static const int sizes[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 255, 256, 257};
    const char *problem = NULL;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes && !problem; s++)
        for (int pad = 0; pad <= 5 && !problem; pad += 5)
            for (int kind = 0; kind < INPUTS && !problem; kind++)
                if (sizes[s] <= 100 || kind == UNIFORM || kind == CANCELLING)
                    problem = verify_product(step, (input)kind, sizes[s], pad, limit, s);
    for (unsigned long seed = 1; seed <= 5 && !problem; seed++) {
        float draw;
        matgen(&draw, 1, 1, 1, seed);
        problem = verify_product(step, UNIFORM, 1 + (int)(draw * 200), (int)seed, limit, seed);
    }
    if (!problem)
        problem = verify_product(step, UNIFORM, 500, 3, limit, 7);
    return problem;
}
