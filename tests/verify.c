/* verify.c - holds one step against the reference over sizes, leading dimensions and inputs. */
#include "verify.h"
#include "matgen.h"
#include "reference.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const input_names[INPUT_COUNT] = {"uniform",  "identity", "permutation", "zeros",      "signed",  "integers",
                                                     "huge",     "tiny",     "wide",        "not finite", "overflow"};
static const uint32_t POISON = 0x7fc0dead; /* a NaN */
static char message[512];

static void *allocate(size_t count, size_t size) {
    void *p = calloc(count ? count : 1, size);
    if (!p) {
        fprintf(stderr, "verify: no memory\n");
        exit(1);
    }
    return p;
}

static int poisoned(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits == POISON;
}

static void poison(float *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        memcpy(values + i, &POISON, sizeof POISON);
}

/* An n x n matrix of the given kind; second says that it is the right factor. */
static void fill(float *m, int ld, int n, int input, int second, uint64_t seed) {
    const size_t step = (size_t)ld;
    float *scale = allocate((size_t)n, sizeof *scale);
    matgen(m, ld, n, n, 2 * seed + (uint64_t)second);
    for (int i = 0; i < n; i++) {
        float *row = m + (size_t)i * step;
        matgen(scale, n, 1, n, seed * 977 + (uint64_t)i * 2 + (uint64_t)second + 5000);
        for (int j = 0; j < n; j++) {
            const float u = row[j];
            switch (input) {
            case INPUT_IDENTITY: /* on the left for even seeds, on the right for odd ones */
                if ((int)(seed % 2) == second)
                    row[j] = i == j;
                break;
            case INPUT_PERMUTATION: /* a cycle, which is not its own inverse */
                if ((int)(seed % 2) == second)
                    row[j] = j == (i + 1 + n / 3) % n;
                break;
            case INPUT_ZEROS: row[j] = 0; break;
            case INPUT_SIGNED: row[j] = 2 * u - 1; break;
            case INPUT_INTEGERS: row[j] = floorf(u * 17) - 8; break;
            case INPUT_HUGE: row[j] = ldexpf(2 * u - 1, second ? 57 : 58); break;
            case INPUT_TINY: row[j] = ldexpf(2 * u - 1, second ? -71 : -69); break;
            case INPUT_WIDE: row[j] = ldexpf(2 * u - 1, (int)(scale[j] * 110) - 55); break;
            case INPUT_NOT_FINITE:
                if (!second && i == n / 2 && j == n / 3)
                    row[j] = NAN;
                if (!second && i == n - 1 && j == 0 && n > 2)
                    row[j] = -INFINITY;
                if (second && i == n / 4 && j == n - 1 && n > 1)
                    row[j] = INFINITY;
                break;
            case INPUT_OVERFLOW: /* column n / 2 of C: partial sums pass the largest float, the sum does not */
                if (!second && i % 2 == 0)
                    row[j] = ldexpf(1 + u / 4, 64);
                if (second && j == n / 2)
                    row[j] = ldexpf(i < n / 2 ? 1 : -1, 62) * (i == n - 1 && n % 2 ? 0.125f : 1);
                break;
            default: break;
            }
        }
    }
    free(scale);
}

static const char *verify_one(cuda_step step, const char *name, int precise, int input, int n, int wide, uint64_t seed) {
    enum { GUARD = 64 };
    const int lda = n + (wide ? 3 : 0), ldb = n + (wide ? 7 : 0), ldc = n + (wide ? 5 : 0);
    const size_t a_count = (size_t)n * (size_t)lda, b_count = (size_t)n * (size_t)ldb;
    const size_t c_count = (size_t)n * (size_t)ldc + 2 * GUARD;
    float *a = allocate(a_count, sizeof *a), *b = allocate(b_count, sizeof *b), *c = allocate(c_count, sizeof *c);
    float *a_copy = allocate(a_count, sizeof *a), *b_copy = allocate(b_count, sizeof *b);
    double *exact = allocate((size_t)n, sizeof *exact), *magnitude = allocate((size_t)n, sizeof *magnitude);
    char where[160];
    const char *fault = NULL;
    poison(a, a_count);
    poison(b, b_count);
    poison(c, c_count);
    fill(a, lda, n, input, 0, seed);
    fill(b, ldb, n, input, 1, seed);
    memcpy(a_copy, a, a_count * sizeof *a);
    memcpy(b_copy, b, b_count * sizeof *b);
    snprintf(where, sizeof where, "%s, n = %d, lda %d, ldb %d, ldc %d, %s inputs, seed %llu", name, n, lda, ldb, ldc, input_names[input],
             (unsigned long long)seed);

    step(a, lda, b, ldb, c + GUARD, ldc, n);

    long wrong = 0, outside = 0;
    int first_i = 0, first_j = 0;
    double first_value = 0, first_expected = 0, first_tolerance = 0;
    for (int i = 0; i < n; i++) {
        const float *row = c + GUARD + (size_t)i * (size_t)ldc;
        reference_row_double(a + (size_t)i * (size_t)lda, b, ldb, exact, n);
        if (input == INPUT_UNIFORM)
            memcpy(magnitude, exact, (size_t)n * sizeof *exact);
        else
            reference_row_magnitude(a + (size_t)i * (size_t)lda, b, ldb, magnitude, n);
        for (int j = 0; j < ldc; j++) {
            if (j >= n) {
                outside += !poisoned(row[j]);
                continue;
            }
            double relative = precise ? 1e-6 : fmax(1e-6, 1.01 * n * 0x1p-24), tolerance = relative * magnitude[j];
            if (input != INPUT_UNIFORM)
                tolerance += (n + 1) * 0x1p-149;
            if (input == INPUT_INTEGERS || input == INPUT_ZEROS || input == INPUT_IDENTITY || input == INPUT_PERMUTATION)
                tolerance = 0; /* the answer is exact */
            int good;
            if (poisoned(row[j]))
                good = 0; /* not written */
            else if (!isfinite((float)exact[j]))
                good = !isfinite(row[j]);
            else if (!isfinite(row[j]))
                good = magnitude[j] > FLT_MAX; /* partial sums alone may have overflowed */
            else
                good = fabs((double)row[j] - exact[j]) <= tolerance;
            if (!good && wrong++ == 0) {
                first_i = i;
                first_j = j;
                first_value = row[j];
                first_expected = exact[j];
                first_tolerance = tolerance;
            }
        }
    }
    for (size_t i = 0; i < GUARD; i++)
        outside += !poisoned(c[i]) + !poisoned(c[c_count - 1 - i]);
    if (wrong)
        fault = "elements";
    if (wrong)
        snprintf(message, sizeof message, "%s: %ld wrong elements, the first (%d, %d) is %.9g, not %.9g within %.3g", where, wrong, first_i,
                 first_j, first_value, first_expected, first_tolerance);
    else if (outside) {
        fault = "guards";
        snprintf(message, sizeof message, "%s: %ld elements outside the product were written", where, outside);
    } else if (memcmp(a, a_copy, a_count * sizeof *a) != 0 || memcmp(b, b_copy, b_count * sizeof *b) != 0) {
        fault = "inputs";
        snprintf(message, sizeof message, "%s: an input was changed", where);
    }
    free(magnitude);
    free(exact);
    free(b_copy);
    free(a_copy);
    free(c);
    free(b);
    free(a);
    return fault ? message : NULL;
}

const char *verify_step(cuda_step step, const char *name, int precise, int input) {
    static const int sizes[] = {1, 2, 3, 15, 16, 17, 31, 32, 33, 100, 255, 256, 257, 500, 1000};
    const char *fault = NULL;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && !fault; k++) {
        const int n = sizes[k];
        if ((n == 1000 && input != INPUT_UNIFORM) || (n == 500 && input != INPUT_UNIFORM && input != INPUT_SIGNED))
            continue;
        if (n != 500)
            fault = verify_one(step, name, precise, input, n, 0, (uint64_t)k);
        if (!fault && n != 1000)
            fault = verify_one(step, name, precise, input, n, 1, (uint64_t)k + 1);
    }
    for (uint64_t seed = 100; seed < 104 && !fault; seed++) {
        float u;
        matgen(&u, 1, 1, 1, seed * 31 + (uint64_t)input);
        fault = verify_one(step, name, precise, input, 1 + (int)(u * 200), (int)(seed % 2), seed);
    }
    return fault;
}

const char *verify_all(cuda_step step, const char *name, int precise) {
    const char *fault = NULL;
    for (int input = 0; input < INPUT_COUNT && !fault; input++)
        fault = verify_step(step, name, precise, input);
    return fault;
}
