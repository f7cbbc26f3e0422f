/* check_main.c - `make check-cudacpu`: the runtime answers as CUDA's does, programs compile and
 * run, and what is wrong is said. */
#include "cudacpu_parts.h"
#include <string.h>

void add_parts(Suite *suite) {
    add_conformance(suite);
    if (SANITIZED) {
        if (is_asked_for("faults"))
            skip("faults, waits, refused, programs, oracle",
                 "what they run has no sanitizer, and is in the suite without one");
    } else if (strcmp(BACKEND, "cpu") == 0) {
        add_faults(suite);
        add_programs(suite);
        add_oracle(suite);
    }
}
