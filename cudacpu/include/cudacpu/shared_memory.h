/* shared_memory.h - dynamic shared memory: what cpucc makes of extern __shared__, whose alignment a
 * program asks for before main. */
#ifndef CUDACPU_SHARED_MEMORY_H
#define CUDACPU_SHARED_MEMORY_H
#include "cudacpu/coordinates.h"
#include <cstddef>

extern CUDACPU_THREAD char *cudacpu_dynamic_shared;

namespace cudacpu {

/* Dynamic shared memory begins at a multiple of the largest alignment asked for (bytes, a power of
 * two up to 1024): cpucc emits a static variable that calls this for each aligned array. */
int align_dynamic_shared(unsigned bytes);

/* An array in a function: bytes may depend on a template's arguments, so that a static member asks,
 * which exists once the function does. The runtime's own alignment is 16. */
template <size_t... bytes> struct dynamic_alignment {
    static constexpr unsigned largest() {
        size_t most = 0;
        ((most = bytes > most ? bytes : most), ...);
        return static_cast<unsigned>(most);
    }
    static const int asked;
    static char *aligned(char *memory) {
        (void)&asked; /* named, so that it exists; not read, as inspect counts accesses */
        return memory;
    }
};
template <size_t... bytes>
const int dynamic_alignment<bytes...>::asked = largest() > 16 ? align_dynamic_shared(largest()) : 1;

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
