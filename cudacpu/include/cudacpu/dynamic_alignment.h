/* dynamic_alignment.h - extern __shared__ __align__(1024): the program asks for it before main. */
#ifndef CUDACPU_DYNAMIC_ALIGNMENT_H
#define CUDACPU_DYNAMIC_ALIGNMENT_H
#include "cudacpu/shared_memory.h"
#include <cstddef>

namespace cudacpu {

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

} // namespace cudacpu
#endif
