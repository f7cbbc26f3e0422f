/* symbols.h - what the program's symbol table tells of a kernel. */
#ifndef CUDACPU_RUNTIME_SYMBOLS_H
#define CUDACPU_RUNTIME_SYMBOLS_H
#include <cstddef>

namespace cudacpu {

/* Bytes of a kernel's __shared__ variables; 0 as well for a program without symbols, and for
 * NULL. */
size_t static_shared(const void *function);

/* Where they begin in the program's thread-local storage; 0 where there are none. */
size_t first_static(const void *function);

} // namespace cudacpu
#endif
