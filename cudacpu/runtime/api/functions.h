/* functions.h - kernels by their address: how much dynamic shared memory and how many threads each
 * may have. */
#ifndef CUDACPU_RUNTIME_FUNCTIONS_H
#define CUDACPU_RUNTIME_FUNCTIONS_H
#include <cstddef>

namespace cudacpu {

/* Bytes, on the current device; raised there by cudaFuncAttributeMaxDynamicSharedMemorySize.
 * function may be NULL: not known. */
size_t dynamic_limit(const void *function);
/* Threads of its largest block: those of __launch_bounds__, else the device's. */
unsigned thread_limit(const void *function);
void forget_function_limits(int device);

} // namespace cudacpu
#endif
