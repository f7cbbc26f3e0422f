/* check_inspect.h - the part of the suite that holds inspect to what it says. */
#ifndef CHECK_INSPECT_H
#define CHECK_INSPECT_H
#include <check.h>

/* Adds the part "inspect". Its programs are made by `make check` on the CPU backend. */
void add_inspect(Suite *suite);
#endif
