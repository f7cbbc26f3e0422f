/* suite.h - the parts of the suite, each in a file of its own. */
#ifndef SUITE_H
#define SUITE_H
#include <check.h>

/* Whether the suite and the steps are built with a sanitizer. */
#ifdef __SANITIZE_ADDRESS__
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* Adds a part under a name that CK_RUN_CASE takes; seconds: the most that one of its tests may
 * run. It says when it begins. */
TCase *add_part(Suite *suite, const char *name, double seconds);

/* Whether CK_RUN_CASE asks for this part: it does when it is not set. */
int is_asked_for(const char *part);

typedef struct suite_counts {
    int ran, failures, errors;
} suite_counts;

/* Runs the parts that CK_RUN_CASE asks for, one after the other. */
suite_counts run_in_turn(Suite *suite);

/* Runs all parts, as many at once as there are cores, from the last to the first: those that use
 * one core come last and take long. Prints what each has said, in order, and the sum. */
suite_counts run_side_by_side(Suite *suite);

/* Each adds its parts. add_steps returns how many steps were asked for that the device cannot
 * run. */
void add_common(Suite *suite);
int add_steps(Suite *suite);
void add_mutants(Suite *suite);
void add_command_line(Suite *suite);
void add_conformance(Suite *suite);
void add_faults(Suite *suite);
void add_inspect(Suite *suite);
void add_stream_faults(Suite *suite);
void add_device_faults(Suite *suite);
void add_many_gpus(Suite *suite);
void add_nccl(Suite *suite);
void add_libraries(Suite *suite);
void add_overlap(Suite *suite);
void add_programs(Suite *suite);

#endif
