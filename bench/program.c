/* program.c - the programs, from the list that make writes, and which of them run here. */
#define _POSIX_C_SOURCE 200809L
#include "program.h"
#include "timing.h"
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROGRAM(identifier, name)                                                                  \
    matmult_result matmultCUDA_##identifier(const float *, int, const float *, int, float *, int,  \
                                            int);
#include "programs.h"
#undef PROGRAM
program programs[] = {
#define PROGRAM(identifier, name) {name, matmultCUDA_##identifier, 0, 0},
#include "programs.h"
};
const int program_count = sizeof programs / sizeof *programs;
_Static_assert(sizeof programs / sizeof *programs <= MOST_PROGRAMS, "more programs than places");

int find_program(const char *name) {
    for (int i = 0; i < program_count; i++)
        if (strcmp(programs[i].name, name) == 0)
            return i;
    return -1;
}

int is_library(const program *p) { return strncmp(p->name, "cublas", 6) == 0; }

enum { TELLS_NO_KERNEL = 2 };

/* Starts a 1 x 1 product in a child, whose exit status is 0 or TELLS_NO_KERNEL when the program can
 * run here. */
static pid_t start_probe(const program *p) {
    const pid_t child = fork();
    if (child == 0) {
        float one = 1, c = 0;
        const matmult_result result = p->multiply(&one, 1, &one, 1, &c, 1, 1);
        _exit(c != 1 ? 1 : result.kernel > 0 ? 0 : TELLS_NO_KERNEL);
    }
    return child;
}

static void end_probe(program *p, pid_t child) {
    int status = 1;
    waitpid(child, &status, 0);
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    p->tells_kernel = status == 0;
    p->runs = status == 0 || status == TELLS_NO_KERNEL;
    if (!p->runs)
        fprintf(stderr, "%s is not measured: %s\n", p->name,
                status == 77 ? "this device cannot run it" : "it failed");
}

void find_programs(const int *wanted) {
    pid_t children[MOST_PROGRAMS];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const int at_once = processors < 8 ? (int)processors : 8;
    for (int first = 0; first < program_count; first += at_once) {
        const int end = first + at_once < program_count ? first + at_once : program_count;
        for (int i = first; i < end; i++)
            children[i] = wanted[i] ? start_probe(&programs[i]) : 0;
        for (int i = first; i < end; i++)
            if (wanted[i])
                end_probe(&programs[i], children[i]);
    }
}

static double end_of_time; /* 0: none */

void limit_time(double seconds) { end_of_time = seconds > 0 ? wall_seconds() + seconds : 0; }
int is_time_over(void) { return end_of_time > 0 && wall_seconds() > end_of_time; }
