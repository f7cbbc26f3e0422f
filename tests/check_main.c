/* check_main.c - `make check`: every step keeps its tolerance, on every kind of operand. */
#include "check_parts.h"
#include "reference_rows.h"

void add_parts(Suite *suite) {
    share_references();
    add_steps(suite);
    add_common(suite);
    add_command_line(suite);
    add_overlap(suite);
}
