/* verify.c - holds a step against the reference. */
#include "verify.h"
#include "blocked_sum.h"
#include "compare_mat.h"
#include "hash.h"
#include "matgen.h"
#include "operands.h"
#include "reference_rows.h"
#include "suite.h"
#include "timing.h"
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD_ROWS = 2 };

/* ---- one product ---- */

typedef struct matrix {
    float *start, *copy; /* all that was allocated, and how it was before the step */
    float *values;       /* n x n of them */
    size_t size;         /* elements allocated */
    int ld;
} matrix;

/* An n x n matrix with rows of ld elements, NaN all over, and guard rows above and below; it begins
 * offset elements behind an aligned address. */
static matrix make(int n, int ld, int guard_rows, int offset) {
    const uint32_t poison = 0x7fc0dead;
    matrix m = {NULL, NULL, NULL, (size_t)(n + 2 * guard_rows) * (size_t)ld + (size_t)offset, ld};
    m.start = malloc(m.size * sizeof *m.start);
    m.copy = malloc(m.size * sizeof *m.copy);
    if (!m.start || !m.copy) {
        fprintf(stderr, "no memory for the test\n");
        exit(1);
    }
    for (size_t i = 0; i < m.size; i++)
        memcpy(&m.start[i], &poison, sizeof poison);
    m.values = m.start + (size_t)guard_rows * (size_t)ld + offset;
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

static int is_exact(const step_facts *facts, operand_kind kind) {
    return kind == INTEGERS || (facts->exact_terms && (kind == IDENTITY || kind == PERMUTATION));
}

static int is_good(double value, double reference, double scale, double allowed,
                   const step_facts *facts) {
    const double rounded = (float)reference;
    if (!isfinite(rounded))
        return facts->keeps_infinities ? value == rounded || (isnan(value) && isnan(rounded))
                                       : !isfinite(value);
    if (!isfinite(value))
        return !facts->rejected && scale > FLT_MAX; /* a partial sum may have overflowed */
    return fabs(value - reference) <= allowed;
}

/* The largest error on operands that are not uniform, as a part of (|A| |B|)_ij, or of what
 * step.conf names instead. */
static double find_bound(const step_facts *facts, int n) {
    if (facts->largest > 0)
        return facts->largest;
    if (facts->length)
        return (facts->length + 2) * 0x1p-24;
    return n <= facts->tolerance_to ? facts->tolerance : step_limit(facts, n);
}

/* The largest magnitude among count elements, step apart; of finite ones. */
static double find_largest(const float *a, int step, int count) {
    double largest = 0;
    for (int i = 0; i < count; i++) {
        const double magnitude = fabs((double)a[(size_t)i * (size_t)step]);
        if (magnitude > largest && isfinite(magnitude))
            largest = magnitude;
    }
    return largest;
}

/* What the error of an element is a part of. */
static double find_measure(const matrix *a, const matrix *b, const step_facts *facts,
                           const product *p, int i, int j, double sum, double scale) {
    if (p->kind == UNIFORM)
        return fabs(sum);
    if (facts->largest == 0)
        return scale;
    return p->n * find_largest(a->values + (size_t)i * (size_t)a->ld, 1, p->n) *
           find_largest(b->values + j, b->ld, p->n);
}

/* The elements of c against the reference. Names the first wrong one and counts the others. */
static const char *compare(const matrix *a, const matrix *b, const matrix *c,
                           const step_facts *facts, const product *p) {
    const int n = p->n, uniform = p->kind == UNIFORM;
    const unsigned long key = p->squared ? ~p->seed : p->seed;
    const reference_rows reference =
        get_reference_rows(p->kind, n, key, a->values, a->ld, b->values, b->ld);
    const double limit = step_limit(facts, n), bound = find_bound(facts, n), *sum = reference.sums,
                 *scale = reference.magnitudes;
    const char *problem = NULL;
    long wrong = 0;
    double largest = 0;
    for (int i = reference.first; i < n; i += reference.every)
        for (int j = 0; j < n; j++, sum++, scale++) {
            const double value = c->values[(size_t)i * (size_t)c->ld + (size_t)j],
                         least = uniform ? 0 : (n + 1) * 0x1p-149,
                         measure = find_measure(a, b, facts, p, i, j, *sum, *scale);
            const double allowed =
                is_exact(facts, p->kind) ? 0 : (uniform ? limit : bound) * measure + least;
            const double error = (fabs(value - *sum) - least) / measure;
            if (error > largest && error < (double)INFINITY)
                largest = error;
            if (!is_good(value, *sum, *scale, allowed, facts) && wrong++ == 0)
                problem = complain("c(%d, %d) is %.9g, the reference %.9g, allowed %.3g", i, j,
                                   value, *sum, allowed);
        }
    if (wrong > 1)
        snprintf(message + strlen(message), sizeof message - strlen(message),
                 "; %ld elements are wrong", wrong);
    count_product(uniform, largest,
                  n > facts->tolerance_to ? limit
                  : uniform               ? facts->tolerance
                                          : bound);
    return problem;
}

/* Where the step declares the length of its partial sums: c bit for bit against the model; of a
 * large product every seventh row, the last among them. */
static const char *compare_bits(const matrix *a, const matrix *b, const matrix *c, int n,
                                const step_facts *facts) {
    const int every = n > 100 ? 7 : 1;
    const char *problem = NULL;
    float *sums = malloc((size_t)n * sizeof *sums);
    for (int i = (n - 1) % every; i < n && !problem; i += every) {
        const float *row = c->values + (size_t)i * (size_t)c->ld;
        sum_row_blocked(a->values + (size_t)i * (size_t)a->ld, b->values, b->ld, sums, n,
                        facts->first_length, facts->length);
        for (int j = 0; j < n && !problem; j++)
            if (memcmp(&row[j], &sums[j], sizeof *sums) != 0 && !(isnan(row[j]) && isnan(sums[j])))
                problem = complain("c(%d, %d) is %a, partial sums of %d products make %a", i, j,
                                   (double)row[j], facts->length, (double)sums[j]);
    }
    free(sums);
    return problem;
}

/* What step.conf says of this product, the one that `run` makes: its bits, which are those of an
 * H200, and at n = 1000 the figures of the chapters. */
static const char *check_known(const matrix *a, const matrix *b, const matrix *c, int n,
                               const step_facts *facts) {
    const size_t row_bytes = (size_t)n * sizeof(float);
    for (const step_hash *known = facts->hashes; known->n; known++) {
        if (known->n != n)
            continue;
        char *bytes = malloc((size_t)n * row_bytes);
        for (size_t i = 0; bytes && i < (size_t)n; i++)
            memcpy(bytes + i * row_bytes, c->values + i * (size_t)c->ld, row_bytes);
        const unsigned long long hash = bytes ? hash_bytes(bytes, (size_t)n * row_bytes) : 0;
        free(bytes);
        if (hash != known->hash)
            return complain("the hash is %016llx, not %016llx", hash, known->hash);
    }
    if (n != 1000)
        return NULL;
    const reference_rows reference =
        get_reference_rows(UNIFORM, n, 0, a->values, a->ld, b->values, b->ld);
    const compare_result error = compare_mat_double(c->values, c->ld, reference.sums, n, n, n);
    const double limit = facts->reaches > 0 ? facts->reaches : step_limit(facts, n);
    if (!(error.max_error <= limit))
        return complain("max %g, not %g", error.max_error, limit);
    if (facts->tolerance_to < n && !(error.max_error > facts->tolerance))
        return complain("max %g: that it fails is why the next step exists", error.max_error);
    if (facts->mean > 0 && facts->mean_to >= n && !(error.mean_error <= facts->mean))
        return complain("mean %g, not %g", error.mean_error, facts->mean);
    return NULL;
}

/* ---- the ways of a step with a bound: operands are made for each, and it must have been taken
 * ---- */

enum way {
    ALL = 1,        /* all is in double, without a look at the elements */
    ACCEPTED = 2,   /* elements of slices: their bits are not those of the sum in double */
    AT_LIMIT = 4,   /* one of them has an error near the tolerance */
    NEXT = 8,       /* sub-tiles with the next products, where the step has them */
    IN_DOUBLE = 16, /* sub-tiles in double */
    LONG_LIST = 32, /* more of these than the list's kernel has blocks on four SMs */
    NOTHING = 128,  /* of these: no note that counts sub-tiles */
    NO_DOUBLE = 64  /* none of these, where the step has the next products */
};
static const struct {
    operand_kind kind;
    int least_n;
    unsigned parity; /* of the seed: 0 or 1; 2: any */
    unsigned ways;
} WAYS[] = {
    {UNIFORM, 128, 2, NOTHING},
    {OUTLIER_K, 128, 2, ALL},
    {MAGNITUDES, 128, 2, ALL},
    {NORMAL, 128, 2, NEXT | NO_DOUBLE},
    {CANCELLING, 128, 2, NEXT | NO_DOUBLE},
    {ONE_LIMIT, 128, 2, NEXT | NO_DOUBLE},
    {AT_THE_LIMIT, 257, 0, AT_LIMIT | NEXT | IN_DOUBLE},
    {AT_THE_LIMIT, 385, 1, IN_DOUBLE},
    {FALLBACKS, 385, 2, ACCEPTED | NEXT | IN_DOUBLE | LONG_LIST},
};

/* The ways that c has gone, as far as its elements and the note of the result say. */
static unsigned find_ways(const matrix *a, const matrix *b, const matrix *c, const product *p,
                          const char *note, double tolerance) {
    const reference_rows reference =
        get_reference_rows(p->kind, p->n, p->seed, a->values, a->ld, b->values, b->ld);
    const double *sum = reference.sums, *scale = reference.magnitudes;
    unsigned next = 0, in_double = 0, ways = 0;
    if (note && strncmp(note, "all ", 4) == 0)
        ways |= ALL;
    else if (!note ||
             sscanf(note, "of %*u sub-tiles %u got the next products, %u", &next, &in_double) < 2)
        ways |= NOTHING;
    ways |=
        (next ? NEXT : 0) | (in_double ? IN_DOUBLE : NO_DOUBLE) | (in_double > 16 ? LONG_LIST : 0);
    for (int i = reference.first; i < p->n; i += reference.every)
        for (int j = 0; j < p->n; j++, sum++, scale++) {
            const double value = c->values[(size_t)i * (size_t)c->ld + (size_t)j];
            if (value < (double)(float)*sum || value > (double)(float)*sum)
                ways |= ACCEPTED;
            if (fabs(value - *sum) > 0.75 * tolerance * *scale)
                ways |= AT_LIMIT;
        }
    return ways;
}

static const char *check_ways(const matrix *a, const matrix *b, const matrix *c,
                              const step_facts *facts, const product *p, const char *note) {
    const unsigned known = facts->rejected == NEXT_PRODUCTS ? ~0u : ~(unsigned)(NEXT | NO_DOUBLE);
    unsigned wanted = 0;
    for (int i = 0; i < COUNT_OF(WAYS); i++)
        if (WAYS[i].kind == p->kind && p->n >= WAYS[i].least_n &&
            (WAYS[i].parity == 2 || WAYS[i].parity == p->seed % 2))
            wanted |= WAYS[i].ways & known;
    if (!wanted || p->squared || p->n <= facts->small)
        return NULL;
    const unsigned missing = wanted & ~find_ways(a, b, c, p, note, facts->tolerance);
    return missing ? complain("'%s': ways %#x were not taken (verify.c)", note ? note : "no note",
                              missing)
                   : NULL;
}

/* What lies around the n x n elements of c must be as it was. */
static const char *check_guards(const matrix *c, int n) {
    const long first = c->values - c->start;
    for (size_t at = 0; at < c->size; at++) {
        const long i = ((long)at - first) / c->ld, j = ((long)at - first) % c->ld;
        const int inside = (long)at >= first && i < n && j < n;
        if (!inside && memcmp(&c->start[at], &c->copy[at], sizeof *c->start) != 0)
            return complain("it wrote outside of c, %ld elements after its start, column %ld",
                            (long)at - first, j);
    }
    return NULL;
}

/* The seconds that a step tells, against a clock around the call. */
static const char *check_times(const matmult_result *result, double clock) {
    if (!(result->kernel >= 0 && result->kernel <= result->total && result->total <= clock))
        return complain("it took %g s, by its own account %g s, and its kernel %g s", clock,
                        result->total, result->kernel);
    return NULL;
}

const char *verify_product(cuda_step step, const step_facts *facts, const product *p) {
    const int n = p->n;
    matrix a = make(n, n + p->pad, 0, p->offset), b = make(n, n + 2 * p->pad, 0, p->offset),
           c = make(n, n + 3 * p->pad, GUARD_ROWS, p->offset);
    fill_operand(a.values, a.ld, n, p->kind, p->seed, 0);
    if (!p->squared) /* else B's memory stays as it is */
        fill_operand(b.values, b.ld, n, p->kind, p->seed, 1);
    keep(&a), keep(&b), keep(&c);
    const matrix *right = p->squared ? &a : &b;
    const double start = wall_seconds();
    const matmult_result result = step(a.values, a.ld, right->values, right->ld, c.values, c.ld, n);
    const double clock = wall_seconds() - start;

    const char *problem = NULL;
    if (memcmp(a.start, a.copy, a.size * sizeof *a.start) != 0 ||
        memcmp(b.start, b.copy, b.size * sizeof *b.start) != 0)
        problem = complain("an operand was changed");
    if (!problem)
        problem = compare(&a, right, &c, facts, p);
    if (!problem && facts->length)
        problem = compare_bits(&a, right, &c, n, facts);
    if (!problem && p->kind == UNIFORM && p->seed == 0 && !p->squared)
        problem = check_known(&a, &b, &c, n, facts);
    if (!problem && facts->rejected)
        problem = check_ways(&a, right, &c, facts, p, result.note);
    if (!problem)
        problem = check_guards(&c, n);
    if (!problem)
        problem = check_times(&result, clock);
    if (problem)
        snprintf(message + strlen(message), sizeof message - strlen(message),
                 " [%s, n = %d, lda = %d, ldb = %d, ldc = %d%s, seed %lu, CHECK_SEED=%lu]",
                 operand_names[p->kind], n, a.ld, right->ld, c.ld, p->squared ? ", B is A" : "",
                 p->seed, check_seed());
    discard(&a), discard(&b), discard(&c);
    return problem;
}

const char *verify_spoiled(cuda_step step, const step_facts *facts) {
    const product p = {MAGNITUDES, 128, 0, 0, 0, 0};
    matrix a = make(p.n, p.n, 0, 0), b = make(p.n, p.n, 0, 0), c = make(p.n, p.n, 0, 0);
    fill_operand(a.values, a.ld, p.n, p.kind, p.seed, 0);
    fill_operand(b.values, b.ld, p.n, p.kind, p.seed, 1);
    step(a.values, a.ld, b.values, b.ld, c.values, c.ld, p.n);
    const reference_rows reference =
        get_reference_rows(p.kind, p.n, p.seed, a.values, a.ld, b.values, b.ld);
    double largest = 0;
    for (int i = 0; i < p.n * p.n; i++) {
        const double error =
            fabs((double)c.values[i] - reference.sums[i]) / reference.magnitudes[i];
        largest = error > largest ? error : largest;
    }
    discard(&a), discard(&b), discard(&c);
    return largest > facts->tolerance
               ? NULL
               : complain("max %g of (|A| |B|) on magnitudes: that it fails is why a bound comes",
                          largest);
}

typedef struct tried_step {
    cuda_step step;
    const step_facts *facts;
} tried_step;
static const char *test_product(const product *p, void *context) {
    const tried_step *tried = context;
    return verify_product(tried->step, tried->facts, p);
}

const char *verify_cases(cuda_step step, const step_facts *facts, const case_row *rows, int drawn,
                         int most, int parity) {
    tried_step tried = {step, facts};
    const char *problem = for_each_case(rows, facts, parity, test_product, &tried);
    return problem ? problem : for_each_drawn(drawn, most, facts, parity, test_product, &tried);
}
