/* sampling.h - of a launch that would take too long not every block is observed. */
#ifndef CUDACPU_INSPECT_SAMPLING_H
#define CUDACPU_INSPECT_SAMPLING_H
#include <cstdint>

namespace cudacpu::inspect {

/* Are the blocks of this cluster observed, if it begins now? A block without a cluster is one. */
bool is_sampled(uint64_t cluster);
/* Has no block of the launch ended yet? */
bool is_first_block();
/* The launch ends: its blocks by those that were observed; 1: all were. */
double sampled_scale();

} // namespace cudacpu::inspect
#endif
