/* util.h - in place of Thrust's: what CUB takes of it. */
#ifndef CUDACPU_THRUST_UTIL_H
#define CUDACPU_THRUST_UTIL_H
#include <thrust/detail/config.h>

THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
namespace core {
template <class Policy, class Iterator> struct LoadIterator { typedef Iterator type; };
template <class Policy, class Iterator> Iterator make_load_iterator(const Policy &, Iterator it) {
    return it;
}
} // namespace core
} // namespace cuda_cub
THRUST_NAMESPACE_END
#endif
