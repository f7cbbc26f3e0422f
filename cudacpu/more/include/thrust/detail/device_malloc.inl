/* device_malloc.inl - in place of Thrust's: device_malloc allocates device memory, as a device_vector
 * does, so that kernels and cudaMemcpy know it. */
#pragma once
#include <new>
#include <thrust/detail/config.h>
#include <thrust/device_malloc.h>

THRUST_NAMESPACE_BEGIN
inline device_ptr<void> device_malloc(const std::size_t n) {
    void *p = nullptr;
    if (cudaMalloc(&p, n) != cudaSuccess)
        throw std::bad_alloc();
    return device_ptr<void>(p);
}
template <typename T> device_ptr<T> device_malloc(const std::size_t n) {
    return device_ptr<T>(static_cast<T *>(device_malloc(n * sizeof(T)).get()));
}
THRUST_NAMESPACE_END
