/* outliers.c - what each kind of operands costs: the suite's, and those of which a few are much
 * larger than the others. A line of CSV for each, n x n, and each program:
 *
 *     outliers N [NAME...]
 *
 * NAMEs choose programs; cublas_sgemm is always one. KINDS="index k,spikes" chooses kinds. The
 * kernel's time is the median of five calls after one to warm up, by turns, launches queued behind
 * other work; the error is a part of (|A| |B|), of all elements (judge.h). */
#include "busy.h"
#include "cuda_check.h"
#include "judge.h"
#include "operands.h"
#include "program.h"
#include "queue.h"
#include "timing.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CALLS = 5, APART = 16, MOST_THREADS = 64 };
extern const char *const backend_name;

/* ---- operands ---- */

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

typedef struct part { /* rows of both operands, for a thread */
    float *a, *b;
    int n, first, end;
    operand_kind kind;
    unsigned long seed;
} part;

static void *fill_part(void *argument) {
    const part *p = argument;
    fill_operand_rows(p->a, p->n, p->n, p->kind, p->seed, 0, p->first, p->end);
    fill_operand_rows(p->b, p->n, p->n, p->kind, p->seed, 1, p->first, p->end);
    return NULL;
}

static void fill(float *a, float *b, int n, operand_kind kind, unsigned long seed) {
    pthread_t threads[MOST_THREADS];
    part parts[MOST_THREADS];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int count = processors < MOST_THREADS ? (int)processors : MOST_THREADS;
    for (int i = 0; i < count; i++) {
        const int first = (int)((long)n * i / count), end = (int)((long)n * (i + 1) / count);
        parts[i] = (part){a, b, n, first, end, kind, seed};
        if (pthread_create(&threads[i], NULL, fill_part, &parts[i]) != 0) {
            fprintf(stderr, "outliers: no thread\n");
            exit(1);
        }
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* ---- measurement ---- */

typedef struct result {
    double seconds[CALLS], kernel, max_error;
    char note[128]; /* a copy: steps share the memory of theirs */
} result;

/* Other work for the device, so that its clock is up. On the CPU it would take seconds. */
static int is_gpu(void) { return strcmp(backend_name, "gpu") == 0; }
static matmult_result call(const program *p, const float *a, const float *b, float *c, int n) {
    if (is_gpu())
        keep_busy(0.01);
    return p->multiply(a, n, b, n, c, n, n);
}

/* Pinned, since the copies of pageable matrices would take longer than all else. */
static float *allocate_pinned(size_t bytes) {
    void *memory;
    CUDA_CHECK(cudaMallocHost(&memory, bytes));
    return memory;
}

/* All programs on these operands, and a line for each, with the label. */
static void measure(const float *a, const float *b, float *c, int n, const char *label) {
    result *results = allocate((size_t)program_count * sizeof *results);
    double sgemm = NAN, mean;
    prepare_judge(a, b, n);
    for (int i = 0; i < program_count; i++)
        if (programs[i].runs) {
            result *r = &results[i];
            memset(c, 0xff, (size_t)n * (size_t)n * sizeof *c);
            const matmult_result warm = call(&programs[i], a, b, c, n);
            judge_error(c, &r->max_error, &mean);
            snprintf(r->note, sizeof r->note, "%s", warm.note ? warm.note : "");
        }
    queue_launches(is_gpu());
    for (int round = 0; round < CALLS; round++)
        for (int i = 0; i < program_count; i++)
            if (programs[i].runs)
                results[i].seconds[round] = call(&programs[i], a, b, c, n).kernel;
    queue_launches(0);
    for (int i = 0; i < program_count; i++)
        if (programs[i].runs) {
            results[i].kernel = median(results[i].seconds, CALLS);
            if (strcmp(programs[i].name, "cublas_sgemm") == 0)
                sgemm = results[i].kernel;
        }
    for (int i = 0; i < program_count; i++)
        if (programs[i].runs)
            printf("%s,%d,%s,%.7f,%.3f,%.3g,\"%s\"\n", programs[i].name, n, label,
                   results[i].kernel, sgemm / results[i].kernel, results[i].max_error,
                   results[i].note);
    fflush(stdout);
    free(results);
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

int main(int argc, char **argv) {
    const int n = argc >= 2 ? atoi(argv[1]) : 0;
    if (n < 1) {
        fprintf(stderr, "usage: outliers N [NAME...]\n");
        return 2;
    }
    find_programs(argc - 2, argv + 2);
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = allocate_pinned(bytes), *b = allocate_pinned(bytes), *c = allocate_pinned(bytes);
    char label[128];
    printf("step,n,operands,outlier,factor,kernel_s,to_sgemm,max_error,note\n");
    for (int kind = 0; kind < OPERAND_KINDS; kind++)
        for (unsigned long seed = 0; seed < 2 && is_chosen(operand_names[kind]); seed++) {
            const char *special = is_special((operand_kind)kind) ? seed ? " (B)" : " (A)" : "";
            if (seed && !*special)
                continue;
            fill(a, b, n, (operand_kind)kind, seed);
            snprintf(label, sizeof label, "%s%s,none,1", operand_names[kind], special);
            measure(a, b, c, n, label);
        }
    for (int normal = 0; normal < 2; normal++)
        for (int outlier = ELEMENT; outlier < OUTLIERS; outlier++)
            for (float factor = 1e3f; factor <= 1e6f && is_chosen(OUTLIER_NAMES[outlier]);
                 factor *= 1e3f) {
                const operand_kind kind = normal ? NORMAL : UNIFORM;
                fill(a, b, n, kind, 0);
                enlarge(a, b, n, outlier, factor);
                snprintf(label, sizeof label, "%s,%s,%.0f", operand_names[kind],
                         OUTLIER_NAMES[outlier], (double)factor);
                measure(a, b, c, n, label);
            }
    return 0;
}
