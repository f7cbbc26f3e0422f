/* check_parts.h - the parts of `make check`, each in a file of its own. */
#ifndef CHECK_PARTS_H
#define CHECK_PARTS_H
#include "suite.h"

void add_steps(Suite *suite);
void add_common(Suite *suite);
void add_command_line(Suite *suite);
void add_overlap(Suite *suite);

#endif
