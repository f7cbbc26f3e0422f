/* program.h - the program that cudacpu is linked into: its image in memory, and its end. */
#ifndef CUDACPU_RUNTIME_PROGRAM_H
#define CUDACPU_RUNTIME_PROGRAM_H
#include <cstddef>
#include <cstdint>

namespace cudacpu {

/* What is added to the addresses in the program's file. */
uintptr_t program_base();
/* Do the bytes lie in the program's code or variables (libraries not counted)? */
bool in_program(const void *address, size_t bytes);
/* For a fault after which nothing can go on: tells the observer, runs no destructors. */
[[noreturn]] void end_process(int status);

} // namespace cudacpu
#endif
