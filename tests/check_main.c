/* check_main.c - the suite: all its parts. One program per backend. */
#include "reference_rows.h"
#include "suite.h"
#include "verify.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    const char *wanted = getenv("CK_RUN_CASE"), *sizes = getenv("CHECK_SIZES");
    if (wants_small_sizes())
        puts("small sizes, no mutants (CHECK_SIZES=small)");
    else if (sizes && *sizes) {
        fprintf(stderr, "CHECK_SIZES='%s': it is small, or not set\n", sizes);
        return 2;
    }
    share_references();
    Suite *suite = suite_create(BACKEND);
    add_common(suite);
    const int skipped = add_steps(suite);
    add_mutants(suite);
    add_command_line(suite);
    add_conformance(suite);
    add_overlap(suite);
    add_many_gpus(suite);
    if (SANITIZED)
        puts("SKIP faults, inspect, nccl, programs, libraries: what they run has no sanitizer, and "
             "is in the suite without one");
    else if (strcmp(BACKEND, "cpu") == 0) {
        add_faults(suite);
        add_inspect(suite);
        add_stream_faults(suite);
        add_device_faults(suite);
        add_nccl(suite);
        add_programs(suite);
        add_libraries(suite);
    }

    /* A device and a log file are for one process. */
    const int alone = wanted || strcmp(BACKEND, "cpu") != 0 || getenv("CK_XML_LOG_FILE_NAME") ||
                      getenv("CK_TAP_LOG_FILE_NAME") || getenv("CK_LOG_FILE_NAME");
    const suite_counts counts = alone ? run_in_turn(suite) : run_side_by_side(suite);
    if (counts.ran == 0 && skipped == 0) {
        fprintf(stderr, "No test ran: there is no part named '%s'\n", wanted ? wanted : "");
        return 1;
    }
    return counts.failures + counts.errors != 0;
}
