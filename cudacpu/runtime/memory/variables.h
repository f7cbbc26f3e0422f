/* variables.h - __device__ and __constant__ variables, of which each device has its own. The
 * program knows one address of each: there are those of the device that used them last. */
#ifndef CUDACPU_RUNTIME_VARIABLES_H
#define CUDACPU_RUNTIME_VARIABLES_H

namespace cudacpu {

/* From now on the variables are those of this device. One launch, one copy at a time. */
void use_variables(int device);
bool is_variable(const void *pointer);
/* An address that tells the device's variable from another device's; of no variable, itself. */
const void *identify_variable(const void *pointer, int device);
/* Calls cudacpu_hook_host_memory (hooks.h) for them. */
void show_variables(bool launch_ended);

} // namespace cudacpu
#endif
