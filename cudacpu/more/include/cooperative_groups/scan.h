/* scan.h - of the values of a tile or of coalesced threads, those of the lower ranks combined; with
 * one's own, by a given function: reduce.h. */
#ifndef CUDACPU_COOPERATIVE_GROUPS_SCAN_H
#define CUDACPU_COOPERATIVE_GROUPS_SCAN_H
#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

template <class group, class T> T inclusive_scan(const group &g, T value, CUDACPU_SITE) {
    return inclusive_scan(g, value, plus<T>(), file, line);
}
/* Without one's own; rank 0 gets T(). */
template <class group, class T, class F>
T exclusive_scan(const group &g, T value, F &&combine, CUDACPU_SITE) {
    const T before = g.shfl_up(inclusive_scan(g, value, combine, file, line), 1, file, line);
    return g.thread_rank() == 0 ? T() : before;
}
template <class group, class T> T exclusive_scan(const group &g, T value, CUDACPU_SITE) {
    return exclusive_scan(g, value, plus<T>(), file, line);
}

} // namespace cooperative_groups
#endif
