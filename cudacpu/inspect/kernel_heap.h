/* kernel_heap.h - memory that kernels take with new and malloc: theirs to use, and not counted. */
#ifndef CUDACPU_INSPECT_KERNEL_HEAP_H
#define CUDACPU_INSPECT_KERNEL_HEAP_H
#include <cstddef>
#include <cstdint>

namespace cudacpu::inspect {

/* The block of a kernel's heap that has this address; false: none has. */
bool find_in_heap(uintptr_t address, uintptr_t *base, size_t *bytes);

} // namespace cudacpu::inspect
#endif
