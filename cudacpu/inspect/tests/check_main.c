/* check_main.c - `make check-inspect`: what inspect counts, and the faults that it finds. */
#include "inspect_parts.h"

void add_parts(Suite *suite) {
    add_inspect(suite);
    add_stream_faults(suite);
    add_device_faults(suite);
}
