/* kinds.c - what each kind of operands costs: the suite's, and those of which a few are much larger
 * than the others. */
#include "kinds.h"
#include "measure.h"
#include "program.h"
#include "timing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { APART = 16 };
enum { NONE, ELEMENT, ROW, COLUMN, INDEX, OUTLIERS };
static const char *const OUTLIER_NAMES[] = {"none", "element of A", "row of A", "column of B",
                                            "index k"};
/* Where the one or the other operand is special, by the seed. */
static const operand_kind SPECIAL[] = {IDENTITY,  PERMUTATION, ZEROS,       SUBNORMAL,
                                       INFINITE,  ONE_NAN,     ONE_OUTLIER, OUTLIER_VECTOR,
                                       FALLBACKS, AT_THE_LIMIT};

static int is_special(operand_kind kind) {
    for (size_t i = 0; i < sizeof SPECIAL / sizeof *SPECIAL; i++)
        if (SPECIAL[i] == kind)
            return 1;
    return 0;
}

/* Multiplies what the outlier enlarges: an element, every 16th element of a row or column, so that
 * the others of its vector are small beside it, or all of a column of A and a row of B. */
static void enlarge(float *a, float *b, int n, int outlier, float factor) {
    const size_t size = (size_t)n, k = size / 3;
    if (outlier == ELEMENT)
        a[k * size + k] *= factor;
    for (size_t i = 0; i < size; i += outlier == INDEX ? 1 : APART) {
        if (outlier == ROW)
            a[k * size + i] *= factor;
        if (outlier == COLUMN)
            b[i * size + k] *= factor;
        if (outlier == INDEX) {
            a[i * size + k] *= factor;
            b[k * size + i] *= factor;
        }
    }
}

/* All programs on these operands, and a line for each, with the label. */
static void measure(const matrices *m, const int *chosen, const char *label, measurement *results) {
    measure_programs(m, chosen, results);
    const double sgemm = sgemm_seconds(results);
    for (int i = 0; i < program_count; i++) {
        const measurement *r = &results[i];
        if (!r->repeats)
            continue;
        printf("%s,%d,%s,%d,%.8f,%.8f,%.8f,", programs[i].name, m->n, label, r->repeats, r->middle,
               r->kernel[0], r->kernel[r->repeats - 1]);
        if (!isnan(sgemm))
            printf("%.3f", sgemm / r->middle);
        printf(",%.3g,\"%s\"\n", r->max_error, r->note);
    }
    fflush(stdout);
}

/* Whether KINDS, names with commas between them, has this one or is not set. */
static int is_chosen(const char *name) {
    const char *kinds = getenv("KINDS");
    const size_t length = strlen(name);
    for (const char *at = kinds; at && *at; at += *at == ',') {
        const size_t next = strcspn(at, ",");
        if (next == length && strncmp(at, name, length) == 0)
            return 1;
        at += next;
    }
    return !kinds || !*kinds;
}

static void measure_suite_kinds(const matrices *m, const int *chosen, measurement *results) {
    char label[128];
    for (int kind = 0; kind < OPERAND_KINDS; kind++)
        for (unsigned long seed = 0; seed < 2 && is_chosen(operand_names[kind]); seed++) {
            const char *special = is_special((operand_kind)kind) ? seed ? " (B)" : " (A)" : "";
            if ((seed && !*special) || is_time_over())
                continue;
            fill_matrices(m, (operand_kind)kind, seed);
            snprintf(label, sizeof label, "%s%s,none,1", operand_names[kind], special);
            measure(m, chosen, label, results);
        }
}

static void measure_outliers(const matrices *m, const int *chosen, measurement *results) {
    char label[128];
    for (int normal = 0; normal < 2; normal++)
        for (int outlier = ELEMENT; outlier < OUTLIERS; outlier++)
            for (float factor = 1e3f; factor <= 1e6f && is_chosen(OUTLIER_NAMES[outlier]);
                 factor *= 1e3f) {
                const operand_kind kind = normal ? NORMAL : UNIFORM;
                if (is_time_over())
                    continue;
                fill_matrices(m, kind, 0);
                enlarge(m->a, m->b, m->n, outlier, factor);
                snprintf(label, sizeof label, "%s,%s,%.0f", operand_names[kind],
                         OUTLIER_NAMES[outlier], (double)factor);
                measure(m, chosen, label, results);
            }
}

void measure_kinds(int count, const int *sizes, const int *chosen) {
    measurement *results = get_memory((size_t)program_count * sizeof *results);
    printf("step,n,operands,outlier,factor,repeats,kernel_s,kernel_min_s,kernel_max_s,to_sgemm,max_"
           "error,note\n");
    for (int s = 0; s < count; s++) {
        const double start = wall_seconds();
        matrices m = make_matrices(sizes[s], 1);
        measure_suite_kinds(&m, chosen, results);
        measure_outliers(&m, chosen, results);
        free_matrices(&m);
        fprintf(stderr, "kinds of operands, n = %d: %.1f s%s\n", sizes[s], wall_seconds() - start,
                is_time_over() ? ", some left out, the time is over" : "");
    }
    free(results);
}
