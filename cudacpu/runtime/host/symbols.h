/* symbols.h - the symbol table (ELF): static shared memory of a kernel, and names of the program's
 * variables. */
#ifndef CUDACPU_RUNTIME_SYMBOLS_H
#define CUDACPU_RUNTIME_SYMBOLS_H
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace cudacpu {

/* Bytes of the __shared__ variables of a kernel and of the functions of its file that it calls; 0
 * for NULL. */
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

/* All of them, by their offsets, with their names in the symbol table; empty: it has none. */
struct thread_symbol {
    thread_variable what;
    std::string symbol;
};
std::vector<thread_symbol> read_thread_symbols();
/* How the symbols of a function's statics begin; "" where it is not known, and for NULL. */
std::string find_prefix_of_statics(const void *function);

/* A variable of the program that is no thread's own. */
struct program_variable {
    std::string name; /* as in the source */
    uintptr_t address;
    size_t bytes;
};
/* The one that holds the byte at this address; bytes is 0 where none is known. */
program_variable find_program_variable(const void *address);

} // namespace cudacpu
#endif
