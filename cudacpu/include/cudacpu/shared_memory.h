/* shared_memory.h - dynamic shared memory: what cpucc makes of extern __shared__. */
#ifndef CUDACPU_SHARED_MEMORY_H
#define CUDACPU_SHARED_MEMORY_H
#include "cudacpu/coordinates.h"

extern CUDACPU_THREAD char *cudacpu_dynamic_shared;

namespace cudacpu {

/* Dynamic shared memory begins at a multiple of the largest alignment asked for (bytes, a power of
 * two up to 1024): cpucc emits a static variable that calls this for each aligned array. */
int align_dynamic_shared(unsigned bytes);

/* extern __shared__ T x[]; at namespace scope: cpucc writes x() where a function names it. */
template <class T, class A> struct dynamic_array {
    typedef T array[];
    array &operator()() const {
        return *reinterpret_cast<array *>(A::aligned(cudacpu_dynamic_shared));
    }
    operator T *() const { return reinterpret_cast<T *>(A::aligned(cudacpu_dynamic_shared)); }
};

} // namespace cudacpu
#endif
