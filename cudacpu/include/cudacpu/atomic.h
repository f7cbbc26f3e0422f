/* atomic.h - atomic functions. */
#ifndef CUDACPU_ATOMIC_H
#define CUDACPU_ATOMIC_H
#include "cudacpu/keywords.h"
#include "vector_types.h"

namespace cudacpu {
template <class T, class F> __forceinline__ T atomic_update(T *address, F update) {
    T old, next;
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    do
        next = update(old);
    while (!__atomic_compare_exchange(address, &old, &next, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)); /* weak: inspect counts the last */
    return old;
}
template <class T> struct same { typedef T type; };
} // namespace cudacpu

/* Among the threads of the block, or all processors: as strong as any. */
#define CUDACPU_SCOPED(name, parameters, arguments)                                                \
    template <class T> __forceinline__ T name##_block parameters { return name arguments; }        \
    template <class T> __forceinline__ T name##_system parameters { return name arguments; }
#define CUDACPU_ATOMIC(name, expression)                                                           \
    template <class T>                                                                             \
    __forceinline__ T name(T *address, typename ::cudacpu::same<T>::type value) {                  \
        return ::cudacpu::atomic_update(address, [&](T old) -> T { return expression; });          \
    }                                                                                              \
    CUDACPU_SCOPED(name, (T * address, typename ::cudacpu::same<T>::type value), (address, value))
CUDACPU_ATOMIC(atomicAdd, old + value)
CUDACPU_ATOMIC(atomicSub, old - value)
CUDACPU_ATOMIC(atomicExch, ((void)old, value))
CUDACPU_ATOMIC(atomicMin, value < old ? value : old)
CUDACPU_ATOMIC(atomicMax, old < value ? value : old)
CUDACPU_ATOMIC(atomicAnd, (old & value))
CUDACPU_ATOMIC(atomicOr, old | value)
CUDACPU_ATOMIC(atomicXor, old ^ value)
CUDACPU_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
CUDACPU_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef CUDACPU_ATOMIC
template <class T>
__forceinline__ T atomicCAS(T *address, typename ::cudacpu::same<T>::type compare,
                            typename ::cudacpu::same<T>::type value) {
    __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_ACQUIRE,
                              __ATOMIC_ACQUIRE); /* not relaxed: inspect tells it from the above */
    return compare;
}
CUDACPU_SCOPED(atomicCAS,
               (T * address, typename ::cudacpu::same<T>::type compare,
                typename ::cudacpu::same<T>::type value),
               (address, compare, value))
#undef CUDACPU_SCOPED
/* Of vectors, each element is added by itself. */
__forceinline__ float2 atomicAdd(float2 *address, float2 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
__forceinline__ float4 atomicAdd(float4 *address, float4 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
            atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
#endif
