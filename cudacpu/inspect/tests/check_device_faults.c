/* check_device_faults.c - programs with several devices: inspect names each planted fault on its
 * line and nothing else, and nothing in its twin; run ends with a sentence where a kernel uses
 * memory of another device, and shows most other faults with CUDACPU_ASYNC=late. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "inspect_parts.h"
#include <stdio.h>
#include <string.h>

#define SOURCE "cudacpu/inspect/tests/device_faults.cu"
#define INSPECTED "CUDACPU_DEVICES=2 " OBSERVED "/cudacpu/inspect/tests/device_faults"
#define RUN BUILD "/cudacpu/inspect/tests/device_faults"

/* The name of each fault in SOURCE, the kind that is reported on its line, the status of run with
 * CUDACPU_ASYNC=late (1 after a sentence, 3 with a wrong result), and the sentence, where # stands
 * for that line; "" where there is none. */
static const struct {
    const char *name, *kind;
    int late;
    const char *sentence;
} FAULTS[] = {
    {"no_access", "memory of another device", 1,
     "cudacpu: kernel read_other on device 0: block (0,0) thread (0,0) read byte 0 of a 16384-byte "
     "allocation of device 1, to which it has no access, at " SOURCE
     ":#; cudaDeviceEnablePeerAccess gives it\n"},
    {"disabled", "memory of another device", 1,
     "cudacpu: kernel write_other on device 0: block (0,0) thread (0,0) wrote byte 0 of a "
     "16384-byte allocation of device 1, to which it has no access, at " SOURCE
     ":#; cudaDeviceEnablePeerAccess gives it\n"},
    {"other_way", "memory of another device", 1,
     "cudacpu: kernel add_other on device 0: block (0,0) thread (0,0) read byte 0 of a 16384-byte "
     "allocation of device 1, to which it has no access, at " SOURCE
     ":#; cudaDeviceEnablePeerAccess gives it\n"},
    {"of_pool", "memory of another device", 1,
     "cudacpu: kernel read_pool on device 0: block (0,0) thread (0,0) read byte 0 of a 16384-byte "
     "allocation of device 1, to which it has no access, at " SOURCE
     ":#; cudaMemPoolSetAccess gives it\n"},
    {"freed", "freed while in use", 3, ""},
    {"no_event", "missing event", 3, ""},
    {"two_defaults", "missing event", 3, ""},
    {"other_device", "missing synchronisation", 1, ""},
    {"next_round", "missing event", 3, ""},
};

static int line_of(const char *name) {
    static char source[20000];
    char comment[100];
    int line = 1;
    read_text(SOURCE, source, sizeof source);
    snprintf(comment, sizeof comment, "/* fault: %s */", name);
    const char *found = strstr(source, comment);
    ck_assert_msg(found != NULL, SOURCE " has no %s", comment);
    for (const char *at = source; at < found; at++)
        line += *at == '\n';
    return line;
}

START_TEST(test_inspected) {
    char command[300], expected[200];
    snprintf(command, sizeof command, INSPECTED " %s 2>&1 | grep '^fault: '", FAULTS[_i].name);
    snprintf(expected, sizeof expected, "fault: %s: " SOURCE ":%d: ", FAULTS[_i].kind,
             line_of(FAULTS[_i].name));
    outcome o = run_command(command);
    ck_assert_msg(strncmp(o.out, expected, strlen(expected)) == 0 && count_lines(o.out) == 1,
                  "%s: '%s', not '%s'", command, o.out, expected);
    snprintf(command, sizeof command, INSPECTED " %s twin >/dev/null", FAULTS[_i].name);
    o = run_command(command);
    ck_assert_msg(o.status == 0, "%s: status %d, '%s'", command, o.status, o.err);
}
END_TEST

START_TEST(test_run) {
    static const char *const modes[] = {"early", "late", "random CUDACPU_SEED=5",
                                        "random CUDACPU_SEED=6"};
    char command[300], expected[500];
    /* one block after the other: the sentence is of the first that has a fault */
    snprintf(command, sizeof command,
             "CUDACPU_PROCESSORS=1 CUDACPU_DEVICES=2 CUDACPU_ASYNC=late " RUN " %s",
             FAULTS[_i].name);
    outcome o = run_command(command);
    ck_assert_msg(o.status == FAULTS[_i].late, "%s: status %d, not %d, '%s'", command, o.status,
                  FAULTS[_i].late, o.err);
    const char *sentence = FAULTS[_i].sentence, *line = strchr(sentence, '#');
    if (line) {
        snprintf(expected, sizeof expected, "%.*s%d%s", (int)(line - sentence), sentence,
                 line_of(FAULTS[_i].name), line + 1);
        ck_assert_str_eq(o.err, expected);
    }
    for (int i = 0; i < COUNT_OF(modes); i++) {
        snprintf(command, sizeof command, "CUDACPU_DEVICES=3 CUDACPU_ASYNC=%s " RUN " %s twin",
                 modes[i], FAULTS[_i].name);
        o = run_command(command);
        ck_assert_msg(o.status == 0, "%s: status %d, '%s'", command, o.status, o.err);
    }
}
END_TEST

/* Where no device reaches another's memory, what asks for it is told so, and copies still work. */
START_TEST(test_no_peers) {
    outcome o = run_command("CUDACPU_PEER=0 CUDACPU_DEVICES=2 " RUN " no_access twin");
    ck_assert_msg(o.status == 1 && strstr(o.err, "to which it has no access"), "status %d, '%s'",
                  o.status, o.err);
    o = run_command("CUDACPU_PEER=0 CUDACPU_DEVICES=2 " RUN " no_event twin");
    ck_assert_msg(o.status == 0, "status %d, '%s'", o.status, o.err);
}
END_TEST

/* What each device sends and receives: copies, and what a kernel reads of its peer. */
START_TEST(test_transfers) {
    outcome o = run_command(INSPECTED " no_event twin | grep '^device'");
    ck_assert_str_eq(o.out, "device 0                 0               0               0       "
                            "    16384\n"
                            "device 1                 0           16384           16384       "
                            "        0\n");
    o = run_command(INSPECTED " no_access twin | grep '^device'");
    ck_assert_str_eq(o.out, "device 0                 0           16384           16384       "
                            "        0\n"
                            "device 1                 0               0               0       "
                            "    16384\n");
}
END_TEST

START_TEST(test_wrong_numbers) {
    static const char *const wrong[][2] = {
        {"CUDACPU_DEVICES=-1",
         "cudacpu: CUDACPU_DEVICES is '-1'; it must be a number from 0 to 64\n"},
        {"CUDACPU_DEVICES=65",
         "cudacpu: CUDACPU_DEVICES is '65'; it must be a number from 0 to 64\n"},
        {"CUDACPU_DEVICES=two",
         "cudacpu: CUDACPU_DEVICES is 'two'; it must be a number from 0 to 64\n"},
        {"CUDACPU_DEVICES=2 CUDACPU_PEER=no",
         "cudacpu: CUDACPU_PEER is 'no'; it must be a number from 0 to 1\n"}};
    char command[300];
    snprintf(command, sizeof command, "%s " RUN " no_access twin", wrong[_i][0]);
    outcome o = run_command(command);
    ck_assert_msg(o.status == 2 && strcmp(o.err, wrong[_i][1]) == 0, "%s: status %d, '%s'", command,
                  o.status, o.err);
}
END_TEST

/* A variable that cannot be one for each device: said where there are several. */
START_TEST(test_shared_variable) {
    static const char source[] = BUILD "/cudacpu/inspect/tests/inline_variable.cu",
                      program[] = BUILD "/cudacpu/inspect/tests/inline_variable";
    char command[600];
    snprintf(command, sizeof command,
             "printf 'inline __device__ int total;\\n__global__ void k() { total = 1; }\\n"
             "int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\\n' >%s && "
             "cudacpu/cpucc -O1 %s -o %s && %s && CUDACPU_DEVICES=2 %s",
             source, source, program, program, program);
    outcome o = run_command(command);
    ck_assert_msg(o.status == 2, "status %d, '%s'", o.status, o.err);
    ck_assert_str_eq(o.err, "cudacpu: the __device__ variable total is inline or a template: "
                            "cudacpu has one of it for all devices, and CUDACPU_DEVICES is 2; a "
                            "variable that is neither works\n");
}
END_TEST

void add_device_faults(Suite *suite) {
    TCase *part = add_part(suite, "device_faults", 60);
    tcase_add_loop_test(part, test_inspected, 0, COUNT_OF(FAULTS));
    tcase_add_loop_test(part, test_run, 0, COUNT_OF(FAULTS));
    tcase_add_test(part, test_no_peers);
    tcase_add_test(part, test_transfers);
    tcase_add_loop_test(part, test_wrong_numbers, 0, 4);
    tcase_add_test(part, test_shared_variable);
}
