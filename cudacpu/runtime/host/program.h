/* program.h - what cudacpu is linked into, a program or a shared library: its image in memory, and
 * the end of the process. */
#ifndef CUDACPU_RUNTIME_PROGRAM_H
#define CUDACPU_RUNTIME_PROGRAM_H
#include <cstddef>
#include <cstdint>

namespace cudacpu {

/* What is added to the addresses in the program's file. */
uintptr_t program_base();
/* The file's path. */
const char *program_file();
/* The calling thread's copies of the program's thread-local variables. */
struct thread_locals {
    char *begin;
    size_t bytes, alignment;
};
thread_locals program_thread_locals();
/* Do the bytes lie in the program's code or variables (libraries not counted)? */
bool in_program(const void *address, size_t bytes);
/* For a fault after which nothing can go on: tells the observer, runs no destructors. */
[[noreturn]] void end_process(int status);

} // namespace cudacpu
#endif
