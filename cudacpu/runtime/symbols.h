/* symbols.h - what the program's symbol table tells of a kernel. */
#ifndef CUDACPU_RUNTIME_SYMBOLS_H
#define CUDACPU_RUNTIME_SYMBOLS_H
#include <cstddef>
#include <string>

namespace cudacpu {

/* Bytes of a kernel's __shared__ variables; 0 as well for a program without symbols, and for
 * NULL. */
size_t static_shared(const void *function);

/* Where they begin in the program's thread-local storage; 0 where there are none. */
size_t first_static(const void *function);

/* A variable in the program's thread-local storage, where __shared__ variables are. */
struct thread_variable {
    std::string name; /* as in the source */
    size_t offset, bytes;
};
/* The one that the byte at this offset is of; bytes is 0 where none is known. */
thread_variable find_thread_variable(size_t offset);

} // namespace cudacpu
#endif
