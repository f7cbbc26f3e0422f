/* check_command_line.c - the test case "command_line": options, output and exit status of run. */
#define _POSIX_C_SOURCE 200809L
#include "suite.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TILED BUILD "/06_tiled/run"
#define CPU BUILD "/01_cpu_reference/run"
static char out[1 << 15], err[1 << 15];

static int run(const char *program, const char *arguments) {
    char command[1024];
    snprintf(command, sizeof command, "%s %s", program, arguments);
    return run_command(command, out, err, sizeof out);
}

static int lines(const char *text) {
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static const struct {
    const char *arguments, *names;
} wrong[] = {
    {"--wrong", "--wrong"}, {"-x", "-x"}, {"-n 0", "0"}, {"-n -1", "-1"}, {"-n abc", "abc"}, {"-n 10x", "10x"}, {"-n ''", "-n"},
    {"-n ' 5'", " 5"}, {"-n 1e3", "1e3"}, {"-n 99999999999999999999", "99999999999999999999"}, {"-n 2147483648", "2147483648"},
    {"-n", "-n"}, {"-s", "-s"}, {"-r", "-r"}, {"-r 0", "0"}, {"-r x", "x"}, {"-s -1", "-1"}, {"-s 1.5", "1.5"}, {"stray", "stray"},
    {"-n 10 stray", "stray"}, {"''", "'"},
};

START_TEST(wrong_usage) {
    const char *programs[] = {TILED, CPU};
    for (int p = 0; p < 2; p++) {
        int status = run(programs[p], wrong[_i].arguments);
        ck_assert_msg(status == 2, "%s %s: exit status %d", programs[p], wrong[_i].arguments, status);
        ck_assert_msg(out[0] == 0, "%s %s wrote to stdout: %s", programs[p], wrong[_i].arguments, out);
        ck_assert_msg(lines(err) == 1, "%s %s: not one line: %s", programs[p], wrong[_i].arguments, err);
        ck_assert_msg(strstr(err, wrong[_i].names) != NULL, "%s %s does not name %s: %s", programs[p], wrong[_i].arguments, wrong[_i].names,
                      err);
    }
}
END_TEST

START_TEST(too_much_memory) {
    const char *programs[] = {TILED, CPU};
    for (int p = 0; p < 2; p++) {
        int status = run(programs[p], "-n 2147483647");
        ck_assert_msg(status == 1 && lines(err) == 1 && out[0] == 0, "%s: exit status %d: %s", programs[p], status, err);
        ck_assert_msg(strstr(err, "2147483647") != NULL, "%s does not name n: %s", programs[p], err);
    }
    if (strcmp(BACKEND, "cpu") != 0)
        return;
    FILE *f = fopen("/proc/meminfo", "r");
    double kib = 0;
    char line[256], arguments[64];
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "MemAvailable:", 13) == 0)
            kib = strtod(line + 13, NULL);
    if (f)
        fclose(f);
    if (kib <= 0)
        return;
    /* 6 matrices are needed, three for the device and three for the host: a tenth more than there is. */
    double n = 1, need = kib * 1024 * 1.1;
    while (6 * 4 * n * n < need)
        n *= 1.01;
    snprintf(arguments, sizeof arguments, "-n %.0f", n);
    int status = run(TILED, arguments);
    ck_assert_msg(status == 1 && lines(err) == 1 && out[0] == 0, "%s: exit status %d: %s", arguments, status, err);
}
END_TEST

START_TEST(help) {
    ck_assert(run(TILED, "--help") == 0 && err[0] == 0);
    const char *options[] = {"-n", "-s", "-r", "--csv", "--help"};
    for (int i = 0; i < 5; i++)
        ck_assert_msg(strstr(out, options[i]) != NULL, "--help does not name %s", options[i]);
    ck_assert(run(CPU, "--help") == 0);
}
END_TEST

START_TEST(default_output) {
    double maximum, mean, seconds, gflops, kernel, kernel_gflops;
    int at = 0;
    ck_assert_msg(run(TILED, "-n 100") == 0, "%s", err);
    sscanf(out, "Max error: %lf Average error: %lf\nTime used: %lf (%lf GFLOPS)\nKernel: %lf s (%lf GFLOPS)\nBackend: " BACKEND "%n", &maximum,
           &mean, &seconds, &gflops, &kernel, &kernel_gflops, &at);
    ck_assert_msg(at > 0, "the lines are not as they should be: %s", out);
    ck_assert(maximum <= 1e-6 && mean <= maximum && kernel <= seconds);
    ck_assert_msg(err[0] == 0, "stderr: %s", err);
    at = 0;
    ck_assert(run(CPU, "-n 100") == 0);
    sscanf(out, "Max error: %lf Average error: %lf\nTime used: %lf (%lf GFLOPS)\n%n", &maximum, &mean, &seconds, &gflops, &at);
    ck_assert_msg(at > 0 && maximum <= 1e-7, "01: %s", out);
}
END_TEST

/* Commas outside quotes. */
static int fields(const char *line) {
    int count = 1, quoted = 0;
    for (; *line && *line != '\n'; line++) {
        quoted ^= *line == '"';
        count += *line == ',' && !quoted;
    }
    return count;
}

static void hash_of(const char *arguments, char *hash) {
    ck_assert_msg(run(TILED, arguments) == 0, "%s: %s", arguments, err);
    ck_assert_msg(lines(out) == 2 && err[0] == 0, "not a header and one line: %s", out);
    const char *values = strchr(out, '\n') + 1;
    ck_assert_msg(fields(out) == fields(values), "%d names and %d values", fields(out), fields(values));
    snprintf(hash, 32, "%.16s", strrchr(values, ',') + 1);
    ck_assert_msg(strspn(hash, "0123456789abcdef") == 16, "hash %s", hash);
}

START_TEST(csv) {
    char first[32], second[32], other[32];
    hash_of("--csv -n 100", first);
    hash_of("-n 100 -r 3 --csv", second);
    hash_of("--csv -n 100 -s 1", other);
    ck_assert_msg(strcmp(first, second) == 0, "two runs: %s and %s", first, second);
    ck_assert_msg(strcmp(first, other) != 0, "another seed gives the same hash");
}
END_TEST

START_TEST(sampled_rows) {
    ck_assert_msg(run(TILED, "-n 2100") == 0, "%s", err);
    ck_assert_msg(strstr(out, "64 of 2100 rows") != NULL, "it does not say that rows were sampled: %s", out);
}
END_TEST

void add_command_line(Suite *suite) {
    TCase *tcase = new_case(suite, "command_line");
    tcase_add_loop_test(tcase, wrong_usage, 0, (int)(sizeof wrong / sizeof *wrong));
    tcase_add_test(tcase, too_much_memory);
    tcase_add_test(tcase, help);
    tcase_add_test(tcase, default_output);
    tcase_add_test(tcase, csv);
    tcase_add_test(tcase, sampled_rows);
}
