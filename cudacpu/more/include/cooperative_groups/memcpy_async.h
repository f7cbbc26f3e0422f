/* memcpy_async.h - a copy to shared memory that the threads of a group share, and the wait for it.
 * Pieces of 16, 8 or 4 bytes are asynchronous copies, as cp.async; others are done at once. */
#ifndef CUDACPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CUDACPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "cooperative_groups.h"
#include "cudacpu/async_copy.h"

namespace cooperative_groups {

template <class group>
void memcpy_async(const group &g, void *to, const void *from, size_t bytes, CUDACPU_SITE) {
    size_t piece = 16;
    while (piece > 1 && ((uintptr_t)to | (uintptr_t)from) % piece)
        piece /= 2;
    for (size_t at = g.thread_rank() * piece; at < bytes; at += g.size() * piece) {
        const size_t here = bytes - at < piece ? bytes - at : piece;
        char *const target = (char *)to + at;
        const char *const source = (const char *)from + at;
        if ((here == 16 || here == 8 || here == 4) && __isShared(to))
            ::cudacpu::copy_async(target, source, here, here, CUDACPU_HERE);
        else
            for (size_t i = 0; i < here; i++)
                target[i] = source[i];
    }
    ::cudacpu::commit_copies();
}
template <class group, class T>
void memcpy_async(const group &g, T *to, size_t to_count, const T *from, size_t from_count,
                  CUDACPU_SITE) {
    const size_t count = to_count < from_count ? to_count : from_count;
    memcpy_async(g, (void *)to, (const void *)from, count * sizeof(T), file, line);
}
/* All but the newest copies of the group are done; for a pair of stages newest is 1. */
template <unsigned newest, class group> void wait_prior(const group &g, CUDACPU_SITE) {
    ::cudacpu::wait_copies(newest, CUDACPU_HERE);
    g.sync(file, line);
}
template <class group> void wait(const group &g, CUDACPU_SITE) { wait_prior<0>(g, file, line); }

} // namespace cooperative_groups
#endif
