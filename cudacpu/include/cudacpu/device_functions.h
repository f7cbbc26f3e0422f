/* device_functions.h - what else a kernel calls: __trap(), clock64(), __ldg(). */
#ifndef CUDACPU_DEVICE_FUNCTIONS_H
#define CUDACPU_DEVICE_FUNCTIONS_H
#include "cudacpu/site.h"

namespace cudacpu {
[[noreturn]] void trap(const char *file, int line);
}

[[noreturn]] static inline void __trap(CUDACPU_SITE) { ::cudacpu::trap(file, line); }
long long clock64();
template <class T> T __ldg(const T *address) { return *address; }
#endif
