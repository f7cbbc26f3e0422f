/* estimate.h - how many instructions would a GPU execute? */
#ifndef CUDACPU_INSPECT_ESTIMATE_H
#define CUDACPU_INSPECT_ESTIMATE_H
#include "counts.h"

namespace cudacpu::inspect {

/* Instructions of all threads, by the executions of each source line and its text. Says what it
 * counted on stderr if the environment has CUDACPU_INSPECT_LINES. */
double estimate_instructions(const kernel_counts &k);

} // namespace cudacpu::inspect
#endif
