/* check_conformance.c - the CUDA runtime and the device's features: the same calls and the same
 * answers on both backends. */
#include "conformance.h"
#include "suite.h"

START_TEST(test_conformance) {
    const char *problem = conformance_cases[_i].run();
    ck_assert_msg(problem == NULL, "%s: %s", conformance_cases[_i].name, problem);
}
END_TEST

START_TEST(test_feature) {
    const conformance_case *feature = find_feature(_i);
    const char *problem = feature->run();
    ck_assert_msg(problem == NULL, "%s: %s", feature->name, problem);
}
END_TEST

void add_conformance(Suite *suite) {
    int count = 0;
    while (conformance_cases[count].name)
        count++;
    tcase_add_loop_test(add_part(suite, "conformance", 60), test_conformance, 0, count);
    count = 0;
    while (find_feature(count))
        count++;
    tcase_add_loop_test(add_part(suite, "features", 60), test_feature, 0, count);
}
