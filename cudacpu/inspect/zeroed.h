/* zeroed.h - large arrays of zeros that take memory only where they are touched. */
#ifndef CUDACPU_INSPECT_ZEROED_H
#define CUDACPU_INSPECT_ZEROED_H
#include "runtime/host/process.h"
#include <cstdio>
#include <sys/mman.h>

namespace cudacpu::inspect {

/* For munmap. Ends the program where there is no room. */
template <class T> T *make_zeroed(size_t count) {
    void *p = mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "inspect: no memory to observe %zu words\n", count);
        end_process(1);
    }
    return static_cast<T *>(p);
}

} // namespace cudacpu::inspect
#endif
