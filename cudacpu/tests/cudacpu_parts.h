/* cudacpu_parts.h - the parts of `make check-cudacpu`, each in a file of its own. */
#ifndef CUDACPU_PARTS_H
#define CUDACPU_PARTS_H
#include "suite.h"

/* conformance, features, devices */
void add_conformance(Suite *suite);
/* faults, waits, refused */
void add_faults(Suite *suite);
void add_programs(Suite *suite);
void add_oracle(Suite *suite);

#endif
