/* reduce.h - a value from all threads of a tile or of coalesced threads, combined; all get it. In
 * a tile neighbours at half its size come first, then at a quarter, as on a GPU. */
#ifndef CUDACPU_COOPERATIVE_GROUPS_REDUCE_H
#define CUDACPU_COOPERATIVE_GROUPS_REDUCE_H
#include "cooperative_groups.h"

namespace cooperative_groups {

#define CUDACPU_OPERATION(name, expression)                                                        \
    template <class T> struct name {                                                               \
        T operator()(const T &a, const T &b) const { return expression; }                          \
    };
CUDACPU_OPERATION(plus, a + b)
CUDACPU_OPERATION(less, b < a ? b : a)
CUDACPU_OPERATION(greater, a < b ? b : a)
CUDACPU_OPERATION(bit_and, a &b)
CUDACPU_OPERATION(bit_or, a | b)
CUDACPU_OPERATION(bit_xor, a ^ b)
#undef CUDACPU_OPERATION

template <unsigned count, class parent, class T, class F>
T reduce(const thread_block_tile<count, parent> &g, T value, F &&combine, CUDACPU_SITE) {
    for (unsigned distance = count / 2; distance > 0; distance /= 2)
        value = combine(value, g.shfl_xor(value, (int)distance, file, line));
    return value;
}
/* Of the lower ranks' values and one's own. */
template <class group, class T, class F>
T inclusive_scan(const group &g, T value, F &&combine, CUDACPU_SITE) {
    for (unsigned distance = 1; distance < g.size(); distance *= 2) {
        const T before = g.shfl_up(value, distance, file, line);
        if (g.thread_rank() >= distance)
            value = combine(before, value);
    }
    return value;
}
template <class T, class F> T reduce(const coalesced_group &g, T value, F &&combine, CUDACPU_SITE) {
    if (g.size() == 32)
        return reduce(thread_block_tile<32>(), value, combine, file, line);
    value = inclusive_scan(g, value, combine, file, line);
    return g.shfl(value, (int)g.size() - 1, file, line);
}
template <class T, class F> T reduce(const thread_block &, T value, F &&) {
    static_assert(!std::is_same<T, T>::value,
                  "reduce: CUDA has it for tiles and coalesced threads, not for a block");
    return value;
}

} // namespace cooperative_groups
#endif
