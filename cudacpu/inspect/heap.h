/* heap.h - what malloc and its kin have given to host code, and to kernels; arrays of host code. */
#ifndef CUDACPU_INSPECT_HEAP_H
#define CUDACPU_INSPECT_HEAP_H
#include <cstddef>
#include <cstdint>
#include <string>

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

/* The block of a kernel's heap that has this address; false: none has. */
bool find_in_heap(uintptr_t address, uintptr_t *base, size_t *bytes);

/* "a host array of 40 bytes (allocated at FILE:LINE)"; "" where none is known. */
std::string describe_host_array(const void *pointer);

} // namespace cudacpu::inspect
#endif
