/* shared_memory.h - dynamic shared memory: what cpucc makes of extern __shared__. */
#ifndef CUDACPU_SHARED_MEMORY_H
#define CUDACPU_SHARED_MEMORY_H
#include "cudacpu/coordinates.h"

extern CUDACPU_THREAD char *cudacpu_dynamic_shared;

namespace cudacpu {

/* extern __shared__ T x[]; at namespace scope. */
template <class T> struct dynamic_array {
    operator T *() const { return reinterpret_cast<T *>(cudacpu_dynamic_shared); }
};

} // namespace cudacpu
#endif
