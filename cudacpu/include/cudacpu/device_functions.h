/* device_functions.h - what else a kernel calls: __trap(), __nanosleep(), clock64(), shared
 * addresses, programmatic dependent launch. */
#ifndef CUDACPU_DEVICE_FUNCTIONS_H
#define CUDACPU_DEVICE_FUNCTIONS_H
#include "cudacpu/ptx.h"
#include "cudacpu/shared_address.h"

namespace cudacpu {
[[noreturn]] void trap(const char *file, int line);
[[noreturn]] void end_thread();       /* PTX's exit */
void sleep_thread(const site *where); /* the others of the block run once; so do other blocks */
bool is_in_kernel();
} // namespace cudacpu

[[noreturn]] static inline void __trap(CUDACPU_SITE) { ::cudacpu::trap(file, line); }
static inline void __nanosleep(unsigned, CUDACPU_SITE) { ::cudacpu::sleep_thread(CUDACPU_HERE); }
long long clock64();

static inline size_t __cvta_generic_to_shared(const void *p, CUDACPU_SITE) {
    return ::cudacpu::ptx::to_shared((uint64_t)p, CUDACPU_HERE);
}
static inline size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
static inline void *__cvta_shared_to_generic(size_t address, CUDACPU_SITE) {
    return ::cudacpu::ptx::from_shared((uint32_t)address, CUDACPU_HERE);
}
static inline void cudaGridDependencySynchronize(CUDACPU_SITE) {
    ::cudacpu::ptx::wait_for_primary(CUDACPU_HERE);
}
static inline void cudaTriggerProgrammaticLaunchCompletion(CUDACPU_SITE) {
    ::cudacpu::ptx::launch_dependents(CUDACPU_HERE);
}
#endif
