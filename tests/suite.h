/* suite.h - what the files of the suite share: the steps, the cases, a command runner. */
#ifndef SUITE_H
#define SUITE_H
#include "verify.h"
#include <check.h>
#include <stddef.h>

typedef void (*cpu_step)(const float *, int, const float *, int, float *, int, int);
typedef struct named_step {
    const char *name;
    cuda_step cuda; /* NULL for a step without CUDA */
    cpu_step cpu;
} named_step;
extern const named_step steps[]; /* ends with a NULL name */
cuda_step find_step(const char *name);

enum { TIMEOUT = 300 };
TCase *new_case(Suite *suite, const char *name);
void add_common(Suite *suite);
void add_step(Suite *suite, int index);
void add_command_line(Suite *suite);
void add_runtime(Suite *suite);
void add_mutants(Suite *suite);

/* Runs a shell command; fills what it wrote, cut to size. Its exit status, or -1 when it did not end by itself. */
int run_command(const char *command, char *out, char *err, size_t size);
#endif
