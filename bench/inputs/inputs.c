/* inputs.c - holds one step against inputs that are hard for it: huge and tiny, constant,
 * structured, not finite.
 *
 *     cudacpu/cpucc -O3 -Icommon bench/inputs/inputs.c STEP/matmult.cu \
 *         common/timing.c -o inputs && ./inputs 129 200
 *
 * (nvcc -O3 -fmad=false -arch=... in cpucc's place on a GPU) makes each product of each size twice.
 * For each kind of input it prints the largest error as a part of the tolerance, 1e-6 (|A| |B|)_ij
 * + (n + 1) 2^-149, how many elements are beyond the tolerance, how many are not the infinity or
 * NaN that the reference has, how many are not the reference rounded to float, and the step's note.
 * Exit status 0 when all is well. */
#include "matmult.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

/* The next random number, at least 0 and below 1 (SplitMix64). */
static double draw(void) {
    state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double normal(void) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += draw();
    return sum;
}

enum kind {
    UNIFORM,
    SIGNED,
    NORMAL,
    HALF_NORMAL,
    SPAN,
    VECTOR_SPAN,
    SUBNORMAL,
    SUBNORMAL_PRODUCT,
    NEAR_MAX,
    OVERFLOWING,
    EDGE,
    ZEROS,
    SIGNED_ZEROS,
    ONE_HUGE,
    HUGE_BY_ZERO,
    IDENTITY,
    PERMUTATION,
    DIAGONAL,
    CONSTANT,
    WORST_SLICES,
    TWO_VALUES,
    SPIKES,
    LARGE_FIRST,
    EVERY_FOURTH,
    ONE_INFINITY,
    ONE_NAN,
    INFINITY_BY_ZERO,
    ZERO_VECTOR,
    TINY_VECTOR,
    SQUARES,
    FEW_ELEMENTS,
    INTEGERS,
    NATURALS,
    LARGER_UNIFORM,
    MAX_BY_IDENTITY,
    MINUS_MAX,
    FIVE_VALUES,
    PARTIAL_OVERFLOW,
    KINDS
};
static const char *const NAMES[KINDS] = {"uniform",
                                         "signed",
                                         "normal",
                                         "half normal",
                                         "span of 2^80",
                                         "vectors' span",
                                         "subnormal",
                                         "subnormal product",
                                         "near max",
                                         "overflowing",
                                         "edge",
                                         "zeros",
                                         "signed zeros",
                                         "one huge",
                                         "huge by zero",
                                         "identity",
                                         "permutation",
                                         "diagonal",
                                         "constant",
                                         "worst slices",
                                         "two values",
                                         "spikes",
                                         "large ones first",
                                         "every fourth large",
                                         "one infinity",
                                         "one NaN",
                                         "infinity by zero",
                                         "zero vector",
                                         "tiny vector",
                                         "squares",
                                         "few elements",
                                         "integers",
                                         "naturals",
                                         "uniform to 1.1",
                                         "max by identity",
                                         "minus max",
                                         "five values",
                                         "partial overflow"};

/* Element (i, j) of A, or with second of B. vector is the row of A or the column of B, k the index
 * in it. */
static double element(enum kind kind, int n, int i, int j, int second) {
    const double x = draw();
    const int vector = second ? j : i, k = second ? i : j;
    const int chosen = i == n / 2 && j == n / 3;
    switch (kind) {
    case SIGNED:
        return x - 0.5;
    case NORMAL:
        return normal();
    case HALF_NORMAL:
        return fabs(normal());
    case SPAN:
        return ldexp(x - 0.5, (int)(draw() * 81) - 40);
    case VECTOR_SPAN:
        return ldexp(x, vector * 7 % 81 - 40);
    case SUBNORMAL:
        return ldexp(x, second ? 0 : -127);
    case SUBNORMAL_PRODUCT:
        return ldexp(x, second ? -60 : -75);
    case NEAR_MAX:
        return x * (second ? 0x1p-20 : 0x1.fffffep127);
    case OVERFLOWING:
        return ldexp(x, vector % 3 == 0 ? 64 : 10);
    case EDGE:
        return second ? 1 : 0x1.fffffep127 / n;
    case ZEROS:
        return 0;
    case SIGNED_ZEROS:
        return x < 0.5 ? -0.0 : 0.0;
    case ONE_HUGE:
        return k == vector * 13 % n ? 1e20 : x;
    case HUGE_BY_ZERO:
        return k >= n / 2 ? x : second ? 0 : x * 1e36;
    case IDENTITY:
        return second ? x : i == j;
    case PERMUTATION:
        return second ? x : j == (i * 7 + 3) % n;
    case DIAGONAL:
        return i == j ? x : 0;
    case CONSTANT:
        return second ? 0.1 : 1.0 / 3;
    case WORST_SLICES:
        return (126 * 65536 + 127 * 256 + 128) * 0x1p-23;
    case TWO_VALUES:
        return x < 0.5 ? -0.123456789 : 0.123456789;
    case SPIKES:
        return k == (vector * (second ? 5 : 3) + second) % n ? 1 : 0.0123456789;
    case LARGE_FIRST: /* every small one is rounded in the same direction, at the size of 19
                         large ones */
        return second ? 1.68702614 : k % 64 < 19 ? 1 : 7.91644e-06;
    case EVERY_FOURTH:
        return second ? 1.92624569 : k % 4 ? 0.0155277 : 1;
    case ONE_INFINITY:
        return chosen && !second ? INFINITY : x;
    case ONE_NAN:
        return chosen && second ? NAN : x;
    case INFINITY_BY_ZERO:
        return chosen ? (second ? -INFINITY : 0) : !second && i == 1 && j == 2 ? INFINITY : x;
    case ZERO_VECTOR:
        return vector == n / 2 ? 0 : x;
    case TINY_VECTOR:
        return vector == n / 2 ? x * 1e-42 : x;
    case SQUARES:
        return x * x;
    case FEW_ELEMENTS:
        return chosen || (second && i == n / 3 && j == 1) ? x : 0;
    case INTEGERS:
        return floor(x * 17) - 8;
    case NATURALS:
        return floor(x * 100);
    case LARGER_UNIFORM:
        return x * 1.1;
    case MAX_BY_IDENTITY:
        return second ? k == vector : x < 0.5 ? -0x1.fffffep127 : 0x1.fffffep127;
    case MINUS_MAX:
        return second ? x : -0x1.fffffep127 * (0.9 + 0.1 * x) / n;
    case FIVE_VALUES:
        return k == vector ? 8 : ((i * 31 + j * 17) % 5 - 2) * 0.987654321;
    case PARTIAL_OVERFLOW:
        return second ? x : k % 2 ? -0x1.fffffep127 : 0x1.fffffep127;
    default:
        return x;
    }
}

/* A matrix with NaNs between n and ld. */
static float *matrix(enum kind kind, int n, int ld, int second) {
    float *a = malloc((size_t)n * (size_t)ld * sizeof *a);
    if (!a)
        exit(1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < ld; j++)
            a[(size_t)i * (size_t)ld + (size_t)j] =
                j < n ? (float)element(kind, n, i, j, second) : NAN;
    return a;
}

/* Prints one line; 1 when all is well. */
static int try_kind(enum kind kind, int n) {
    const int lda = n + 3, ldb = n + 1, ldc = n + 5;
    const size_t bytes = (size_t)n * (size_t)ldc * sizeof(float);
    float *a = matrix(kind, n, lda, 0), *b = matrix(kind, n, ldb, 1), *c = malloc(bytes),
          *again = malloc(bytes);
    double *sum = malloc((size_t)n * sizeof *sum),
           *magnitude = malloc((size_t)n * sizeof *magnitude), worst = 0;
    long beyond = 0, not_finite = 0, other = 0;
    if (!c || !again || !sum || !magnitude)
        exit(1);
    memset(c, 255, bytes);
    memset(again, 255, bytes);
    const char *note = matmultCUDA(a, lda, b, ldb, c, ldc, n).note;
    matmultCUDA(a, lda, b, ldb, again, ldc, n);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            sum[j] = magnitude[j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) {
                double product = (double)a[(size_t)i * (size_t)lda + (size_t)k] *
                                 b[(size_t)k * (size_t)ldb + (size_t)j];
                sum[j] += product;
                magnitude[j] += fabs(product);
            }
        for (int j = 0; j < n; j++) {
            const float value = c[(size_t)i * (size_t)ldc + (size_t)j], wanted = (float)sum[j];
            if (!isfinite(wanted)) {
                not_finite += isnan(wanted) ? !isnan(value) : value != wanted;
                continue;
            }
            const double share = fabs(value - sum[j]) / (1e-6 * magnitude[j] + (n + 1) * 0x1p-149);
            beyond += !(share <= 1);
            worst = share <= worst ? worst : share; /* a NaN stays */
            other += value != wanted;
        }
    }
    const int same = memcmp(c, again, bytes) == 0;
    printf("%-20s n %d: %.3g of the tolerance, %ld beyond, %ld wrong inf or NaN, %ld not correctly "
           "rounded%s; %s\n",
           NAMES[kind], n, worst, beyond, not_finite, other, same ? "" : ", TWO RUNS DIFFER",
           note ? note : "no note");
    free(magnitude), free(sum), free(again), free(c), free(b), free(a);
    return beyond == 0 && not_finite == 0 && same;
}

int main(int argc, char **argv) {
    int good = argc > 1;
    for (int size = 1; size < argc; size++)
        for (int kind = 0; kind < KINDS; kind++)
            good &= try_kind((enum kind)kind, atoi(argv[size]));
    puts(good ? "all good" : argc > 1 ? "NOT GOOD" : "usage: inputs SIZE...");
    return !good;
}
