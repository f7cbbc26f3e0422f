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

#define CUDACPU_ATOMIC(name, expression)                                                           \
    template <class T>                                                                             \
    __forceinline__ T name(T *address, typename ::cudacpu::same<T>::type value) {                  \
        return ::cudacpu::atomic_update(address, [&](T old) -> T { return expression; });          \
    }
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
/* Among the threads of the block, or all processors: as strong as any. */
#define CUDACPU_SCOPED(name)                                                                       \
    template <class T>                                                                             \
    __forceinline__ T name##_block(T *address, typename ::cudacpu::same<T>::type value) {          \
        return name(address, value);                                                               \
    }                                                                                              \
    template <class T>                                                                             \
    __forceinline__ T name##_system(T *address, typename ::cudacpu::same<T>::type value) {         \
        return name(address, value);                                                               \
    }
CUDACPU_SCOPED(atomicAdd)
CUDACPU_SCOPED(atomicSub)
CUDACPU_SCOPED(atomicExch)
CUDACPU_SCOPED(atomicMin)
CUDACPU_SCOPED(atomicMax)
CUDACPU_SCOPED(atomicAnd)
CUDACPU_SCOPED(atomicOr)
CUDACPU_SCOPED(atomicXor)
CUDACPU_SCOPED(atomicInc)
CUDACPU_SCOPED(atomicDec)
#undef CUDACPU_SCOPED
template <class T>
__forceinline__ T atomicCAS(T *address, typename ::cudacpu::same<T>::type compare,
                            typename ::cudacpu::same<T>::type value) {
    __atomic_compare_exchange(address, &compare, &value, false, __ATOMIC_ACQUIRE,
                              __ATOMIC_ACQUIRE); /* not relaxed: inspect tells it from the above */
    return compare;
}
template <class T>
__forceinline__ T atomicCAS_block(T *address, typename ::cudacpu::same<T>::type compare,
                                  typename ::cudacpu::same<T>::type value) {
    return atomicCAS(address, compare, value);
}
template <class T>
__forceinline__ T atomicCAS_system(T *address, typename ::cudacpu::same<T>::type compare,
                                   typename ::cudacpu::same<T>::type value) {
    return atomicCAS(address, compare, value);
}
/* Of vectors, each element is added by itself. */
__forceinline__ float2 atomicAdd(float2 *address, float2 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y)};
}
__forceinline__ float4 atomicAdd(float4 *address, float4 value) {
    return {atomicAdd(&address->x, value.x), atomicAdd(&address->y, value.y),
            atomicAdd(&address->z, value.z), atomicAdd(&address->w, value.w)};
}
#endif
