/* suite.c - the parts of the suite by name, and a line when one begins. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PARTS = 200 };
static const char *names[MAX_PARTS]; /* in the order in which they run */
static int added, begun;

int is_asked_for(const char *part) {
    const char *wanted = getenv("CK_RUN_CASE");
    return !wanted || strcmp(wanted, part) == 0;
}

/* Check calls it in the suite's own process before the first test of a part. */
static void announce_part(void) {
    while (begun < added && !is_asked_for(names[begun]))
        begun++;
    if (begun < added && (isatty(STDERR_FILENO) || getenv("CHECK_PROGRESS")))
        fprintf(stderr, "check: %s\n", names[begun]);
    begun++;
}

TCase *add_part(Suite *suite, const char *name, double seconds) {
    TCase *part = tcase_create(name);
    tcase_set_timeout(part, seconds);
    if (added < MAX_PARTS)
        names[added++] = name;
    tcase_add_unchecked_fixture(part, announce_part, NULL);
    suite_add_tcase(suite, part);
    return part;
}
