/* check_conformance.c - the CUDA runtime and the device's features: the same calls and the same
 * answers on both backends, and whenever the CPU backend does what is asynchronous. */
#define _POSIX_C_SOURCE 200809L
#include "command.h"
#include "conformance.h"
#include "cudacpu_parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* CUDACPU_ASYNC and CUDACPU_SEED, which a GPU does not read: there each case runs once. */
static const char *const MODES[][2] = {
    {"early", "0"}, {"late", "0"}, {"random", "1"}, {"random", "2"}, {"random", "3"}};
static int count_modes(void) { return strcmp(BACKEND, "cpu") == 0 ? COUNT_OF(MODES) : 1; }

/* Each test is a process of its own: test i is case i / modes. */
static void check_case(const conformance_case *c, int mode) {
    setenv("CUDACPU_ASYNC", MODES[mode][0], 1);
    setenv("CUDACPU_SEED", MODES[mode][1], 1);
    const char *problem = c->run();
    ck_assert_msg(problem == NULL, "%s (%s %s): %s", c->name, MODES[mode][0], MODES[mode][1],
                  problem);
}

START_TEST(test_conformance) {
    check_case(&conformance_cases[_i / count_modes()], _i % count_modes());
}
END_TEST

START_TEST(test_feature) { check_case(find_feature(_i / count_modes()), _i % count_modes()); }
END_TEST

/* Four devices on the CPU. */
START_TEST(test_devices) {
    setenv("CUDACPU_DEVICES", "4", 1);
    check_case(&device_features[_i / count_modes()], _i % count_modes());
}
END_TEST

static int count_in_child(const void *unused) {
    (void)unused;
    setenv("CUDACPU_DEVICES", "4", 1);
    return count_devices();
}

/* A machine with one GPU runs none of them. */
static void add_devices(Suite *suite) {
    int count = 0;
    if (!is_asked_for("devices"))
        return;
    if (run_in_child(count_in_child, NULL).status < 2) {
        skip("devices", "there is one device");
        return;
    }
    while (device_features[count].name)
        count++;
    tcase_add_loop_test(add_part(suite, "devices", 60), test_devices, 0, count * count_modes());
}

void add_conformance(Suite *suite) {
    int count = 0;
    while (conformance_cases[count].name)
        count++;
    tcase_add_loop_test(add_part(suite, "conformance", 60), test_conformance, 0,
                        count * count_modes());
    count = 0;
    while (find_feature(count))
        count++;
    tcase_add_loop_test(add_part(suite, "features", 60), test_feature, 0, count * count_modes());
    add_devices(suite);
}
