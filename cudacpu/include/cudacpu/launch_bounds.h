/* launch_bounds.h - __launch_bounds__: the runtime knows the largest block of a kernel. */
#ifndef CUDACPU_LAUNCH_BOUNDS_H
#define CUDACPU_LAUNCH_BOUNDS_H

namespace cudacpu {

/* Always true. */
bool know_bound(const void *kernel, unsigned threads);

/* The body of such a kernel names `known`: it is made before main() is called. */
template <auto KERNEL, unsigned THREADS> struct bounded {
    static inline const bool known = know_bound((const void *)KERNEL, THREADS);
};

} // namespace cudacpu
#endif
