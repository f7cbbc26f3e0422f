/* check_command_line.c - the programs of the steps: wrong usage, memory that is not there, output.
 * The first step with CUDA stands for all of them, and the one without for itself. */
#define _DEFAULT_SOURCE
#include "all_steps.h"
#include "check_parts.h"
#include "command.h"
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* The first step with CUDA, or the first one without; NULL where there is none. */
static const listed_step *find_cuda_step(void) {
    for (int i = 0; i < step_count; i++)
        if (all_steps[i].has_cuda)
            return &all_steps[i];
    return NULL;
}
static const listed_step *find_cpu_step(void) {
    for (int i = 0; i < step_count; i++)
        if (!all_steps[i].has_cuda)
            return &all_steps[i];
    return NULL;
}

/* Runs the program of a step with these arguments, after what stands before it. */
static outcome run_step(const char *before, const listed_step *step, const char *arguments) {
    char command[400];
    snprintf(command, sizeof command, "%s" BUILD "/%s/run %s", before, step->facts->name,
             arguments);
    return run_command(command);
}

static const struct {
    const char *arguments, *sentence;
} WRONG[] = {
    {"-n 0", "-n '0': not a whole number from 1 to 2147483647"},
    {"-n -3", "-n '-3': not a whole number from 1 to 2147483647"},
    {"-n +5", "-n '+5': not a whole number from 1 to 2147483647"},
    {"-n ' 5'", "-n ' 5': not a whole number from 1 to 2147483647"},
    {"-n ''", "-n '': not a whole number from 1 to 2147483647"},
    {"-n abc", "-n 'abc': not a whole number from 1 to 2147483647"},
    {"-n 5x", "-n '5x': not a whole number from 1 to 2147483647"},
    {"-n 0x10", "-n '0x10': not a whole number from 1 to 2147483647"},
    {"-n 1e3", "-n '1e3': not a whole number from 1 to 2147483647"},
    {"-n 2147483648", "-n '2147483648': not a whole number from 1 to 2147483647"},
    {"-n 99999999999999999999",
     "-n '99999999999999999999': not a whole number from 1 to 2147483647"},
    {"-n", "-n needs a value: a whole number from 1 to 2147483647"},
    {"-r 0", "-r '0': not a whole number from 1 to 1000000"},
    {"-r 1000001", "-r '1000001': not a whole number from 1 to 1000000"},
    {"-s -1", "-s '-1': not a whole number from 0 to 9223372036854775807"},
    {"-s 9223372036854775808",
     "-s '9223372036854775808': not a whole number from 0 to 9223372036854775807"},
    {"-s", "-s needs a value: a whole number from 0 to 9223372036854775807"},
    {"stray", "unknown option 'stray': --help lists what there is"},
    {"--nothing", "unknown option '--nothing': --help lists what there is"},
    {"-n 10 ''", "unknown option '': --help lists what there is"},
};

static void try_wrong_usage(const listed_step *step, int i) {
    char expected[300];
    outcome o = run_step("", step, WRONG[i].arguments);
    snprintf(expected, sizeof expected, "%s: %s\n", step->facts->name, WRONG[i].sentence);
    ck_assert_msg(o.status == 2 && o.out[0] == 0, "%s %s: status %d, '%s'", step->facts->name,
                  WRONG[i].arguments, o.status, o.out);
    ck_assert_str_eq(o.err, expected);
}

START_TEST(test_wrong_usage) {
    try_wrong_usage(find_cpu_step(), _i);
    try_wrong_usage(find_cuda_step(), _i);
}
END_TEST

/* More than the memory there is: one sentence, and nothing was allocated before. On the CPU, where
 * the device's memory is the host's, also by a little: the limit is 300 MB of addresses, whatever
 * the machine has free. */
START_TEST(test_too_large) {
    outcome o = run_step("", find_cuda_step(), "-n 2147483647");
    ck_assert_msg(o.status == 1 && count_lines(o.err) == 1 && o.out[0] == 0 &&
                      strstr(o.err, " MiB are free"),
                  "status %d, '%s'", o.status, o.err);
#ifndef __SANITIZE_ADDRESS__ /* it needs terabytes of addresses itself */
    if (strcmp(BACKEND, "cpu") == 0) {
        struct rusage used;
        ck_assert(getrusage(RUSAGE_CHILDREN, &used) == 0);
        ck_assert_msg(used.ru_maxrss < 100 * 1024, "it used %ld KiB", used.ru_maxrss);
        o = run_step("ulimit -v 300000; ", find_cuda_step(), "-n 4000");
        ck_assert_msg(o.status == 1 && count_lines(o.err) == 1 && strstr(o.err, "n = 4000 needs") &&
                          strstr(o.err, " free"),
                      "status %d, '%s'", o.status, o.err);
    }
#endif
}
END_TEST

START_TEST(test_output) {
    const listed_step *step = find_cuda_step();
    outcome o = run_step("", step, "-n 100"), again;
    ck_assert_msg(o.status == 0 && strstr(o.out, "Max error: ") &&
                      strstr(o.out, " Average error: ") && strstr(o.out, "\nTime used: ") &&
                      strstr(o.out, "\nKernel: ") && strstr(o.out, "\nBackend: " BACKEND),
                  "status %d: %s%s", o.status, o.out, o.err);
    o = run_step("", step, "-n 50 --csv");
    again = run_step("", step, "-n 50 --csv -r 2");
    ck_assert(o.status == 0 && count_lines(o.out) == 2 && count_lines(again.out) == 2);
    ck_assert_str_eq(strrchr(o.out, ','), strrchr(again.out, ','));
    again = run_step("", step, "-n 50 --csv -s 1");
    ck_assert_str_ne(strrchr(o.out, ','), strrchr(again.out, ','));
    ck_assert_msg(strstr(o.out, ",,") == NULL, "an empty field: %s", o.out);
    o = run_step("(", step, "-n 50 >/dev/full)");
    ck_assert_msg(o.status == 1 && count_lines(o.err) == 1, "a full disk: status %d, '%s'",
                  o.status, o.err);
    o = run_step("(", step, "--help >/dev/full)");
    ck_assert_msg(o.status == 1 && count_lines(o.err) == 1, "help: status %d, '%s'", o.status,
                  o.err);
    o = run_step("", step, "--help");
    ck_assert(o.status == 0 && strstr(o.out, "--csv"));
}
END_TEST

START_TEST(test_cpu_output) {
    outcome o = run_step("", find_cpu_step(), "-n 50 --csv");
    ck_assert_msg(o.status == 0 && count_lines(o.out) == 2 && strstr(o.out, ",,,"),
                  "it has no kernel, but fields for one: %s", o.out);
    o = run_step("", find_cpu_step(), "-n 60");
    ck_assert(o.status == 0 && strstr(o.out, "Float accumulator"));
}
END_TEST

/* A name that is no step's, as a hand writes it: make names the step that is meant, or says how to
 * find it. */
START_TEST(test_names) {
    const char *name = find_cuda_step()->facts->name;
    char command[200], sentence[200];
    snprintf(command, sizeof command, "env -u MAKEFLAGS make %.2s", name);
    snprintf(sentence, sizeof sentence, "make %.2s: there is no such step; the nearest is %s", name,
             name);
    outcome o = run_command(command);
    ck_assert_msg(o.status == 2 && strstr(o.err, sentence) && count_lines(o.err) == 1,
                  "%s: status %d, '%s'", command, o.status, o.err);
    o = run_command("bench/inspect_table.sh x 02_naive_cuda");
    ck_assert_msg(o.status == 2 && strcmp(o.err, "make inspect N=x: a whole number from 1 on was "
                                                 "expected\n") == 0,
                  "status %d, '%s'", o.status, o.err);
    o = run_command("env -u MAKEFLAGS make 50_nothing");
    ck_assert_msg(o.status == 2 && strstr(o.err, "no such step; 'make help' lists them"),
                  "status %d, '%s'", o.status, o.err);
}
END_TEST

/* Shared memory that grows with n: above the usual limit and above the largest, tested at small n
 * with lower limits. */
START_TEST(test_shared_limits) {
    const int bytes = all_steps[_i].facts->shared_bytes_per_n;
    char before[100], needed[20], limit[20];
    snprintf(before, sizeof before, "CUDACPU_SHARED=%d,%d ", 64 * bytes, 256 * bytes);
    snprintf(needed, sizeof needed, "%d", 300 * bytes);
    snprintf(limit, sizeof limit, "%d", 256 * bytes);
    outcome o = run_step(before, &all_steps[_i], "-n 100");
    ck_assert_msg(o.status == 0, "n = 100: %s", o.err);
    o = run_step(before, &all_steps[_i], "-n 300");
    ck_assert_msg(o.status == 1 && strstr(o.err, "300") && strstr(o.err, needed) &&
                      strstr(o.err, limit),
                  "n = 300: %s", o.err);
}
END_TEST

void add_command_line(Suite *suite) {
    TCase *part = add_part(suite, "command_line", 120);
    tcase_add_loop_test(part, test_wrong_usage, 0, COUNT_OF(WRONG));
    tcase_add_test(part, test_too_large);
    tcase_add_test(part, test_output);
    tcase_add_test(part, test_cpu_output);
    tcase_add_test(part, test_names);
    for (int i = 0; i < step_count && strcmp(BACKEND, "cpu") == 0; i++)
        if (all_steps[i].facts->shared_bytes_per_n)
            tcase_add_loop_test(part, test_shared_limits, i, i + 1);
}
