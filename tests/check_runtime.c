/* check_runtime.c - the test cases "conformance" and "features": the runtime and the device, both backends alike. */
#include "conformance.h"
#include "suite.h"

START_TEST(conformance) {
    const char *fault = conformance_cases[_i].run();
    ck_assert_msg(fault == NULL, "%s: %s", conformance_cases[_i].name, fault ? fault : "");
}
END_TEST

START_TEST(feature) {
    const char *fault = feature_cases[_i].run();
    ck_assert_msg(fault == NULL, "%s: %s", feature_cases[_i].name, fault ? fault : "");
}
END_TEST

static int count(const conformance_case *cases) {
    int n = 0;
    while (cases[n].name)
        n++;
    return n;
}

void add_runtime(Suite *suite) {
    tcase_add_loop_test(new_case(suite, "conformance"), conformance, 0, count(conformance_cases));
    tcase_add_loop_test(new_case(suite, "features"), feature, 0, count(feature_cases));
}
