/* process.h - the process: the image that cudacpu is linked into, a program or a shared library;
 * one lock for what the runtime keeps (allocations, streams, limits of kernels); and the end. */
#ifndef CUDACPU_RUNTIME_PROCESS_H
#define CUDACPU_RUNTIME_PROCESS_H
#include "text.h"
#include <atomic>
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
/* The same after a sentence on stderr, behind what the program has printed. */
[[noreturn]] void end_with(const std::string &sentence);
template <class... Part> [[noreturn]] void end_with(const Part &...parts) {
    end_with(text(parts...));
}

/* A launch holds it from beginning to end: one launch at a time, and a call of another OS thread
 * waits for it. The OS thread that holds it may lock it once more. */
void lock_runtime();
void unlock_runtime();
bool try_lock_runtime();
bool holds_runtime_lock(); /* does this OS thread? */

/* Holds the lock as long as it exists. */
struct runtime_guard {
    runtime_guard() { lock_runtime(); }
    ~runtime_guard() { unlock_runtime(); }
    runtime_guard(const runtime_guard &) = delete;
};

/* Holds a flag as long as it exists: for what a handler of a signal reads, too. */
struct spin_guard {
    std::atomic_flag &flag;
    explicit spin_guard(std::atomic_flag &f) : flag(f) {
        while (flag.test_and_set(std::memory_order_acquire)) {
        }
    }
    ~spin_guard() { flag.clear(std::memory_order_release); }
    spin_guard(const spin_guard &) = delete;
};

/* Others may hold it as long as this exists, however often this OS thread had locked it. */
class runtime_unlocked {
    const unsigned depth;

  public:
    runtime_unlocked();
    ~runtime_unlocked();
    runtime_unlocked(const runtime_unlocked &) = delete;
};

} // namespace cudacpu
#endif
