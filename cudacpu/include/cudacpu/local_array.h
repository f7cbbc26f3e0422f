/* local_array.h - observed programs alone: what cpucc makes of a local array of a kernel, so that
 * an access beside it is seen (inspect/stack.h). */
#ifndef CUDACPU_LOCAL_ARRAY_H
#define CUDACPU_LOCAL_ARRAY_H
#include <cstddef>

namespace cudacpu {

/* The red zones around the array of this name; NULL: they end. */
void guard_local_array(const void *array, size_t bytes, const char *name);

template <class A> struct local_array {
    char before[64];
    A value;
    char after[64];
};
#define CUDACPU_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage))
struct local_guard {
    const void *array;
    size_t bytes;
    template <class A> /* any, const or not: an array may be set later, and no compiler warns */
    CUDACPU_UNSEEN local_guard(A &a, const char *name) : array(&a.value), bytes(sizeof a.value) {
        guard_local_array(array, bytes, name);
    }
    CUDACPU_UNSEEN ~local_guard() { guard_local_array(array, bytes, nullptr); }
    local_guard(const local_guard &) = delete;
    local_guard &operator=(const local_guard &) = delete;
};
#undef CUDACPU_UNSEEN

} // namespace cudacpu
#endif
