/* suite.c - the parts of the suite by name, a line when one begins, and several of them side by
 * side. */
#define _DEFAULT_SOURCE
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_PARTS = 200, MOST_AT_ONCE = 4 };
static const char *names[MAX_PARTS]; /* in the order in which they run */
static int added, begun;

int is_asked_for(const char *part) {
    const char *wanted = getenv("CK_RUN_CASE");
    return !wanted || strcmp(wanted, part) == 0;
}

static void announce(const char *name) {
    if (isatty(STDERR_FILENO) || getenv("CHECK_PROGRESS"))
        fprintf(stderr, "check: %s\n", name);
}

/* Check calls it in the suite's own process before the first test of a part. */
static void announce_part(void) {
    while (begun < added && !is_asked_for(names[begun]))
        begun++;
    if (begun < added)
        announce(names[begun]);
    begun++;
}

TCase *add_part(Suite *suite, const char *name, double seconds) {
    TCase *part = tcase_create(name);
    tcase_set_timeout(part, seconds);
    if (added == MAX_PARTS) {
        fprintf(stderr, "suite: MAX_PARTS is too small\n");
        exit(1);
    }
    names[added++] = name;
    tcase_add_unchecked_fixture(part, announce_part, NULL);
    suite_add_tcase(suite, part);
    return part;
}

static suite_counts count_tests(SRunner *runner) {
    suite_counts c = {srunner_ntests_run(runner), 0, 0};
    TestResult **results = srunner_failures(runner);
    for (int i = 0; i < srunner_ntests_failed(runner); i++)
        *(tr_rtype(results[i]) == CK_FAILURE ? &c.failures : &c.errors) += 1;
    free(results);
    return c;
}

suite_counts run_in_turn(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const suite_counts counts = count_tests(runner);
    srunner_free(runner);
    return counts;
}

static void name_output(int part, char *path, size_t size) {
    snprintf(path, size, BUILD "/tests/part.%d.%d", (int)getpid(), part);
}

/* In a process of its own: one part, with what it says in a file. */
static void run_part(Suite *suite, int part, const char *output, suite_counts *counts) {
    if (!freopen(output, "w", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
        _exit(1);
    setenv("CK_RUN_CASE", names[part], 1);
    unsetenv("CHECK_PROGRESS");
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_SILENT);
    *counts = count_tests(runner);
    if (counts->failures + counts->errors)
        srunner_print(runner, CK_NORMAL);
    fflush(stdout);
    _exit(0);
}

/* What a part has said, and what it counted. */
static void finish_part(int part, suite_counts counts, suite_counts *total) {
    char path[200], line[1000];
    name_output(part, path, sizeof path);
    FILE *said = fopen(path, "r");
    while (said && fgets(line, sizeof line, said))
        fputs(line, stdout);
    if (said)
        fclose(said);
    unlink(path);
    if (counts.ran < 0) {
        printf("%s: it has ended before its tests were counted\n", names[part]);
        counts = (suite_counts){1, 0, 1};
    }
    total->ran += counts.ran;
    total->failures += counts.failures;
    total->errors += counts.errors;
}

suite_counts run_side_by_side(Suite *suite) {
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int most = cores < MOST_AT_ONCE ? (int)cores : MOST_AT_ONCE;
    suite_counts total = {0, 0, 0},
                 *counts = mmap(NULL, MAX_PARTS * sizeof *counts, PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (counts == MAP_FAILED)
        return run_in_turn(suite);
    printf("Running suite(s): %s\n", BACKEND);
    fflush(NULL);
    for (int part = added - 1, running = 0; part >= 0 || running > 0;) {
        if (part >= 0 && running < most) {
            char output[200];
            name_output(part, output, sizeof output);
            announce(names[part]);
            counts[part].ran = -1; /* until it has counted */
            const pid_t child = fork();
            if (child == 0)
                run_part(suite, part, output, &counts[part]);
            running += child > 0;
            part--;
        } else if (wait(NULL) > 0)
            running--;
    }
    for (int part = 0; part < added; part++)
        finish_part(part, counts[part], &total);
    munmap(counts, MAX_PARTS * sizeof *counts);
    const int good = total.ran - total.failures - total.errors;
    printf("%d%%: Checks: %d, Failures: %d, Errors: %d\n", total.ran ? 100 * good / total.ran : 0,
           total.ran, total.failures, total.errors);
    return total;
}
