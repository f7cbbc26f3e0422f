/* host_heap.h - what malloc and its kin have given to host code: where, and how many bytes. */
#ifndef CUDACPU_INSPECT_HOST_HEAP_H
#define CUDACPU_INSPECT_HOST_HEAP_H
#include <cstddef>
#include <cstdint>

namespace cudacpu::inspect {

/* caller: the return address of the call, in the program's code or in a library's. */
struct heap_block {
    uintptr_t base;
    size_t bytes;
    void *caller;
};

/* The block that holds address; bytes is 0 where none is known. */
heap_block find_heap_block(const void *address);
/* Who has asked for the block that begins at p, when somebody else did so for him. */
void set_heap_caller(void *p, void *caller);

} // namespace cudacpu::inspect
#endif
