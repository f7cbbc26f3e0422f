/* trace.h - CUDACPU_INSPECT_TRACE=FILE: each request of block 0, a line for each lane. */
#ifndef CUDACPU_INSPECT_TRACE_H
#define CUDACPU_INSPECT_TRACE_H
#include "access_log.h"
#include <cstdio>

namespace cudacpu::inspect {

/* Opens the file that the environment names, if any; ends the program where it cannot be written.
 */
void open_trace();
extern FILE *trace_file; /* NULL: none */
inline bool is_tracing() { return trace_file != nullptr; }
/* The k-th request of an instruction in the worker's warp. */
void trace_request(const observed_worker *w, const instruction *s, uint32_t k,
                   const uintptr_t *address, const unsigned char *lane, unsigned lanes);

} // namespace cudacpu::inspect
#endif
