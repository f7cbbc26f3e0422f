/* check_main.c - builds the suites and runs them; finds the steps that this machine cannot run. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define CUDA_STEP(id) matmult_time matmultCUDA_##id(const float *, int, const float *, int, float *, int, int);
#define CPU_STEP(id) void matmult_##id(const float *, int, const float *, int, float *, int, int);
#define MUTANT(id)
#include "steps.h"
#undef CUDA_STEP
#undef CPU_STEP
#undef MUTANT

#define CUDA_STEP(id) {#id, matmultCUDA_##id, NULL},
#define CPU_STEP(id) {#id, NULL, matmult_##id},
#define MUTANT(id)
const named_step steps[] = {
#include "steps.h"
    {NULL, NULL, NULL}};

cuda_step find_step(const char *name) {
    for (const named_step *s = steps; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s->cuda;
    return NULL;
}

TCase *new_case(Suite *suite, const char *name) {
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, TIMEOUT);
    suite_add_tcase(suite, tcase);
    return tcase;
}

static void read_file(const char *path, char *text, size_t size) {
    FILE *f = fopen(path, "r");
    size_t got = f ? fread(text, 1, size - 1, f) : 0;
    text[got] = 0;
    if (f)
        fclose(f);
}

int run_command(const char *command, char *out, char *err, size_t size) {
    char line[2048], out_path[64], err_path[64];
    snprintf(out_path, sizeof out_path, "/tmp/check-%ld.out", (long)getpid());
    snprintf(err_path, sizeof err_path, "/tmp/check-%ld.err", (long)getpid());
    snprintf(line, sizeof line, "{ %s ; } >%s 2>%s", command, out_path, err_path);
    int status = system(line);
    read_file(out_path, out, size);
    read_file(err_path, err, size);
    remove(out_path);
    remove(err_path);
    return status != -1 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs the step at n = 1 in a child. 1 when it says that it cannot run here; why has its sentence then. */
static int cannot_run(const named_step *s, char *why, size_t size) {
    int ends[2];
    why[0] = 0;
    if (!s->cuda || pipe(ends) != 0)
        return 0;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return 0;
    if (child == 0) {
        float a = 1, b = 1, c = 0;
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        close(ends[1]);
        s->cuda(&a, 1, &b, 1, &c, 1, 1);
        _exit(0);
    }
    close(ends[1]);
    size_t used = 0;
    char spill[256];
    for (;;) {
        const int full = used + 1 >= size;
        ssize_t got = read(ends[0], full ? spill : why + used, full ? sizeof spill : size - 1 - used);
        if (got <= 0)
            break;
        if (!full)
            used += (size_t)got;
    }
    why[used] = 0;
    why[strcspn(why, "\n")] = 0;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 77;
}

int main(void) {
    Suite *suite = suite_create("matmult on the " BACKEND " backend");
    add_common(suite);
    for (int i = 0; steps[i].name; i++) {
        char why[512];
        if (cannot_run(&steps[i], why, sizeof why))
            printf("SKIP %s: %s\n", steps[i].name, why[0] ? why : "it says that it cannot run here");
        else
            add_step(suite, i);
    }
    add_command_line(suite);
    add_runtime(suite);
    add_mutants(suite);
    fflush(stdout);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (run == 0) {
        fprintf(stderr, "No test ran: CK_RUN_CASE or CK_RUN_SUITE names nothing that is here.\n");
        return 1;
    }
    return failed ? 1 : 0;
}
