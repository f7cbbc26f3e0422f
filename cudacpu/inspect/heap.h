/* heap.h - what malloc and its kin have given to host code, and to kernels; arrays of host code. */
#ifndef CUDACPU_INSPECT_HEAP_H
#define CUDACPU_INSPECT_HEAP_H
#include <cstddef>
#include <cstdint>
#include <string>

namespace cudacpu::inspect {

/* caller: the return address of the call, in the program's code or in a library's. of_kernel: a
 * kernel took it with new or malloc; it is the kernel's to use, and not counted. */
struct heap_block {
    uintptr_t base;
    size_t bytes; /* 0: no block is known */
    void *caller;
    bool of_kernel;
};
heap_block find_heap_block(uintptr_t address);

/* "a host array of 40 bytes (allocated at FILE:LINE)"; "" where none is known. */
std::string describe_host_array(const void *pointer);

} // namespace cudacpu::inspect
#endif
