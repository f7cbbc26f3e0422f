/* memory_resource.h - in place of Thrust's: what a device_vector holds is device memory, so that
 * kernels and cudaMemcpy know it. */
#ifndef CUDACPU_THRUST_MEMORY_RESOURCE_H
#define CUDACPU_THRUST_MEMORY_RESOURCE_H
#include <new>
#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/system/cpp/pointer.h>

namespace cudacpu {
class device_memory_resource final : public thrust::mr::memory_resource<> {
  public:
    void *do_allocate(std::size_t bytes, std::size_t) override {
        void *p = nullptr;
        if (cudaMalloc(&p, bytes) != cudaSuccess)
            throw std::bad_alloc();
        return p;
    }
    void do_deallocate(void *p, std::size_t, std::size_t) override { cudaFree(p); }
};
} // namespace cudacpu

THRUST_NAMESPACE_BEGIN
namespace system {
namespace cpp {
typedef thrust::mr::fancy_pointer_resource<::cudacpu::device_memory_resource,
                                           thrust::cpp::pointer<void>>
    memory_resource;
typedef thrust::mr::fancy_pointer_resource<::cudacpu::device_memory_resource,
                                           thrust::cpp::universal_pointer<void>>
    universal_memory_resource;
typedef memory_resource universal_host_pinned_memory_resource;
namespace detail {
typedef cpp::memory_resource native_resource;
typedef cpp::universal_memory_resource universal_native_resource;
} // namespace detail
} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END
#endif
