/* bench.c - every step and cuBLAS in one run, through the contract of a step, as CSV.
 *
 *     bench DIR SECONDS { TABLE SIZE... [NAME...] }...
 *
 * TABLE is uniform or normal: kernels, on such operands; total: what the user waits for; kinds:
 * kernels, on each kind of operands. Each is added to its file in DIR, and what the device says of
 * itself to device_gpu.txt. NAMEs choose programs; cublas_sgemm is always one. After SECONDS
 * nothing more is begun; 0: no limit. */
#define _DEFAULT_SOURCE
#include "ceilings.h"
#include "kernels.h"
#include "kinds.h"
#include "program.h"
#include "timing.h"
#include "totals.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { UNIFORM_TABLE, NORMAL_TABLE, TOTAL_TABLE, KIND_TABLE, TABLES, MOST_SIZES = 64 };
static const struct {
    const char *name, *file;
} TABLE[TABLES] = {{"uniform", "bench.csv"},
                   {"normal", "bench_normal.csv"},
                   {"total", "bench_total.csv"},
                   {"kinds", "bench_operands.csv"}};

typedef struct request {
    int table, count, sizes[MOST_SIZES], chosen[MOST_PROGRAMS], names;
} request;

static int find_table(const char *name) {
    for (int i = 0; i < TABLES; i++)
        if (strcmp(name, TABLE[i].name) == 0)
            return i;
    return -1;
}

static int is_size(const char *word) {
    return strspn(word, "0123456789") == strlen(word) && strlen(word) < 6 && atoi(word) > 0;
}

/* Returns the number of requests, or -1 with a sentence. */
static int read_requests(int words, char **word, request *requests, int most) {
    int count = 0;
    for (int i = 0; i < words; i++) {
        const int table = find_table(word[i]), named = find_program(word[i]);
        request *r = count ? &requests[count - 1] : NULL;
        if (table >= 0 && count < most) {
            requests[count++] = (request){.table = table};
        } else if (r && is_size(word[i]) && r->count < MOST_SIZES) {
            r->sizes[r->count++] = atoi(word[i]);
        } else if (r && named >= 0) {
            r->chosen[named] = 1;
            r->names++;
        } else {
            fprintf(stderr, "bench: '%s' is no table, size or program here\n", word[i]);
            return -1;
        }
    }
    const int sgemm = find_program("cublas_sgemm");
    for (int i = 0; i < count; i++) {
        for (int p = 0; p < program_count && !requests[i].names; p++)
            requests[i].chosen[p] = 1;
        if (sgemm >= 0)
            requests[i].chosen[sgemm] = 1;
    }
    return count;
}

static void perform(const request *r, const char *path, ceilings limit) {
    if (!freopen(path, "a", stdout)) {
        perror(path);
        exit(1);
    }
    if (r->table == TOTAL_TABLE)
        measure_totals(r->count, r->sizes, r->chosen);
    else if (r->table == KIND_TABLE)
        measure_kinds(r->count, r->sizes, r->chosen);
    else
        measure_kernels(r->table == NORMAL_TABLE ? NORMAL : UNIFORM, r->count, r->sizes, r->chosen,
                        limit);
    if (fclose(stdout) != 0) {
        perror(path);
        exit(1);
    }
}

/* In a child, where CUDA may be used: what fails there does not stop the rest. Returns 0 when all
 * was well. */
static int perform_in_child(const request *r, const char *folder, ceilings *limit) {
    const pid_t child = fork();
    if (child == 0) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, r ? TABLE[r->table].file : "device_gpu.txt");
        if (r) {
            perform(r, path, *limit);
        } else {
            *limit = measure_ceilings();
            tell_device(path);
        }
        _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    return status != 0;
}

int main(int argc, char **argv) {
    extern const char *const backend_name;
    static request requests[16];
    const int count = argc < 4 ? -1 : read_requests(argc - 3, argv + 3, requests, 16);
    if (count < 1) {
        fprintf(stderr, "usage: bench DIR SECONDS { uniform|normal|total|kinds SIZE... "
                        "[NAME...] }...\n");
        return 2;
    }
    limit_time(atof(argv[2]));
    int wanted[MOST_PROGRAMS] = {0}, failed = 0;
    for (int i = 0; i < count; i++)
        for (int p = 0; p < program_count; p++)
            wanted[p] |= requests[i].chosen[p];
    double start = wall_seconds();
    find_programs(wanted);
    ceilings *limit =
        mmap(NULL, sizeof *limit, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (limit == MAP_FAILED) {
        perror("bench");
        return 1;
    }
    *limit = (ceilings){NAN, NAN, NAN, NAN};
    if (strcmp(backend_name, "gpu") == 0) { /* the CPU would take minutes */
        failed |= perform_in_child(NULL, argv[1], limit);
        printf("# ceilings: float FMA %.1f TFLOP/s, fp16 tensor %.0f TFLOP/s, int8 tensor %.0f "
               "TOP/s, copy %.2f TB/s (read + written)\n",
               limit->fma, limit->fp16, limit->int8, limit->copy);
    }
    fprintf(stderr, "programs and ceilings: %.1f s\n", wall_seconds() - start);
    fflush(stdout);
    for (int i = 0; i < count; i++) {
        start = wall_seconds();
        const int wrong = perform_in_child(&requests[i], argv[1], limit);
        fprintf(stderr, "%s: %.1f s%s\n", TABLE[requests[i].table].name, wall_seconds() - start,
                wrong ? ", FAILED" : "");
        failed |= wrong;
    }
    return failed;
}
