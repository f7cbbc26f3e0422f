/* memcpy_async.h - a copy to shared memory that the threads of a group share, and the wait for it.
 */
#ifndef CUDACPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CUDACPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "cooperative_groups.h"

namespace cooperative_groups {

template <class group>
void memcpy_async(const group &g, void *to, const void *from, size_t bytes, CUDACPU_SITE) {
    ::cudacpu::copy_share(to, from, bytes, g.thread_rank(), g.size(), CUDACPU_HERE);
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
