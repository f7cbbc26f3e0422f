/* verify.c - holds a step against the reference: many sizes, leading dimensions and kinds of
 * operands. */
#include "verify.h"
#include "blocked_sum.h"
#include "compare_mat.h"
#include "hash.h"
#include "matgen.h"
#include "operands.h"
#include "reference_rows.h"
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
        return scale > FLT_MAX; /* a partial sum may have overflowed */
    return fabs(value - reference) <= allowed;
}

/* The largest error on operands that are not uniform, as a part of (|A| |B|)_ij. */
static double find_bound(const step_facts *facts, int n) {
    if (facts->length)
        return (facts->length + 2) * 0x1p-24;
    return n <= facts->tolerance_to ? facts->tolerance : step_limit(facts, n);
}

/* The elements of c against the reference. Names the first wrong one and counts the others. */
static const char *compare(const matrix *a, const matrix *b, const matrix *c, int n,
                           const step_facts *facts, operand_kind kind, unsigned long seed) {
    const reference_rows reference =
        get_reference_rows(kind, n, seed, a->values, a->ld, b->values, b->ld);
    const double limit = step_limit(facts, n), bound = find_bound(facts, n), *sum = reference.sums,
                 *scale = reference.magnitudes;
    const char *problem = NULL;
    long wrong = 0;
    for (int i = reference.first; i < n; i += reference.every)
        for (int j = 0; j < n; j++, sum++, scale++) {
            const double value = c->values[(size_t)i * (size_t)c->ld + (size_t)j];
            double allowed = bound * *scale + (n + 1) * 0x1p-149;
            if (kind == UNIFORM)
                allowed = limit * fabs(*sum);
            if (is_exact(facts, kind))
                allowed = 0;
            if (!is_good(value, *sum, *scale, allowed, facts) && wrong++ == 0)
                problem = complain("c(%d, %d) is %.9g, the reference %.9g, allowed %.3g", i, j,
                                   value, *sum, allowed);
        }
    if (wrong > 1)
        snprintf(message + strlen(message), sizeof message - strlen(message),
                 "; %ld elements are wrong", wrong);
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

/* One product, with leading dimensions n + pad, n + 2 pad and n + 3 pad. */
static const char *verify_product(cuda_step step, const step_facts *facts, operand_kind kind, int n,
                                  int pad, unsigned long seed) {
    matrix a = make(n, n + pad, 0), b = make(n, n + 2 * pad, 0),
           c = make(n, n + 3 * pad, GUARD_ROWS);
    fill_operand(a.values, a.ld, n, kind, seed, 0);
    fill_operand(b.values, b.ld, n, kind, seed, 1);
    keep(&a), keep(&b), keep(&c);
    const matmult_result result = step(a.values, a.ld, b.values, b.ld, c.values, c.ld, n);

    const char *problem = NULL;
    if (memcmp(a.start, a.copy, a.size * sizeof *a.start) != 0 ||
        memcmp(b.start, b.copy, b.size * sizeof *b.start) != 0)
        problem = complain("an operand was changed");
    if (!problem)
        problem = compare(&a, &b, &c, n, facts, kind, seed);
    if (!problem && facts->length)
        problem = compare_bits(&a, &b, &c, n, facts);
    if (!problem && kind == UNIFORM && seed == 0)
        problem = check_known(&a, &b, &c, n, facts);
    if (!problem)
        problem = check_guards(&c, n);
    if (!problem && !(result.kernel >= 0 && result.kernel <= result.total))
        problem = complain("it took %g s, and its kernel %g s", result.total, result.kernel);
    if (problem)
        snprintf(message + strlen(message), sizeof message - strlen(message),
                 " [%s, n = %d, lda = %d, ldb = %d, ldc = %d, seed %lu]", operand_names[kind], n,
                 a.ld, b.ld, c.ld, seed);
    discard(&a), discard(&b), discard(&c);
    return problem;
}

/* ---- all of them ---- */

int wants_small_sizes(void) {
    const char *sizes = getenv("CHECK_SIZES");
    return sizes && strcmp(sizes, "small") == 0;
}

/* A plain float sum breaks its bound on these even at n = 100. */
static int is_beyond_a_plain_sum(const step_facts *facts, operand_kind kind) {
    return facts->plain_sum &&
           (kind == SPIKES || kind == LARGE_FIRST || kind == GRAM || kind == SQUARE_ROOTS);
}

/* A step may choose a large tile by n: a GPU takes it at n = 1537 alone, a CPU at 257 already.
 * Where small n have a kernel of their own, all kinds are tried above them too. Small sizes are one
 * of each case: a thread, parts of a tile, several tiles; and of operands the usual ones, and those
 * that have other paths. All kinds have random sizes, too. */
static int is_tried(const step_facts *facts, int n, operand_kind kind) {
    const int large_tile = facts->tile > USUAL_TILE, on_gpu = strcmp(BACKEND, "gpu") == 0;
    const int is_usual =
        kind == UNIFORM || kind == CANCELLING || kind == PERMUTATION || kind == MAGNITUDES;
    if (is_beyond_a_plain_sum(facts, kind))
        return 0;
    if (n == 512) /* no padding, so the last columns count */
        return facts->small && kind == UNIFORM;
    if (n == 500 && facts->small)
        return !wants_small_sizes() || kind == CANCELLING || kind == OUTLIER_VECTOR;
    if (wants_small_sizes())
        return (n == 1 || n == 17 || n == 33 || n == 100 || (n == 257 && large_tile)) &&
               (is_usual || kind == SPECIALS || kind == OUTLIER_K);
    if (n <= 100 || (n == 257 && large_tile))
        return 1;
    if (n <= 257)
        return is_usual;
    if (n <= 1000)
        return kind == UNIFORM;
    return large_tile && (kind == UNIFORM || (kind == SPECIALS && on_gpu));
}

const char *verify_sizes(cuda_step step, const step_facts *facts, int every) {
    static const int large[] = {1023, 1024, 1025, 2049};
    const char *problem = NULL;
    for (int n = 1; n <= 300 && !problem; n++) {
        const int at_an_edge = (n + 1) % facts->tile <= 2;
        if (n % every == 0 || n == 1 || at_an_edge)
            problem = verify_product(step, facts, UNIFORM, n, n % 3, 0);
    }
    for (size_t s = 0; facts->length && s < sizeof large / sizeof *large && !problem; s++)
        if (large[s] < 2048 || facts->tile > USUAL_TILE) /* a small tile has met all by 1025 */
            problem = verify_product(step, facts, UNIFORM, large[s], 1, 0);
    if (facts->length && !problem)
        problem = verify_product(step, facts, SQUARE_ROOTS, 2048, 0, 0);
    return problem;
}

static const int SIZES[] = {1,   2,   3,   15,  16,  17,  31,   32,  33,
                            100, 255, 256, 257, 500, 512, 1000, 1537};

static int is_in_sizes(int n) {
    size_t s = 0;
    while (s < sizeof SIZES / sizeof *SIZES && SIZES[s] != n)
        s++;
    return s < sizeof SIZES / sizeof *SIZES;
}

const char *verify_known_bits(cuda_step step, const step_facts *facts) {
    const char *problem = NULL;
    for (const step_hash *known = facts->hashes; known->n && !problem; known++)
        if (!(is_in_sizes(known->n) && is_tried(facts, known->n, UNIFORM)) &&
            !(wants_small_sizes() && known->n > 1000))
            problem = verify_product(step, facts, UNIFORM, known->n, 0, 0);
    return problem;
}

const char *verify_step(cuda_step step, const step_facts *facts) {
    const char *problem = NULL;
    for (size_t s = 0; s < sizeof SIZES / sizeof *SIZES && !problem; s++) {
        const int n = SIZES[s];
        for (int kind = 0; kind < OPERAND_KINDS && !problem; kind++) {
            if (!is_tried(facts, n, (operand_kind)kind))
                continue;
            for (unsigned long seed = 0; seed < 2 && !problem;
                 seed++) { /* each is once the special one */
                if (n > 1000 &&
                    seed != (kind !=
                             UNIFORM)) /* one is enough: of uniform operands that of check_known */
                    continue;
                problem = verify_product(step, facts, (operand_kind)kind, n, seed ? 5 : 0, seed);
            }
        }
    }
    const unsigned long next = wants_small_sizes() ? 2 : 1; /* two seeds of each kind, or one */
    for (unsigned long seed = 2; seed < 2 + 2 * OPERAND_KINDS && !problem; seed += next) {
        const operand_kind kind = (operand_kind)(seed / 2 % OPERAND_KINDS);
        float draw[2];
        matgen(draw, 2, 1, 2, seed);
        const int n = 1 + (int)(draw[0] * 150), pad = (int)(draw[1] * 20);
        if (!is_beyond_a_plain_sum(facts, kind))
            problem = verify_product(step, facts, kind, n, pad, seed);
    }
    return problem;
}
