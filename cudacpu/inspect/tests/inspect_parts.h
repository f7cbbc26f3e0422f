/* inspect_parts.h - the parts of `make check-inspect`, each in a file of its own. */
#ifndef INSPECT_PARTS_H
#define INSPECT_PARTS_H
#include "suite.h"

void add_inspect(Suite *suite);
void add_stream_faults(Suite *suite);
void add_device_faults(Suite *suite);

#endif
