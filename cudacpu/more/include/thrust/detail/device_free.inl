/* device_free.inl - in place of Thrust's: frees what device_malloc has allocated. */
#pragma once
#include <thrust/detail/config.h>
#include <thrust/device_free.h>

THRUST_NAMESPACE_BEGIN
inline void device_free(device_ptr<void> ptr) { cudaFree(ptr.get()); }
THRUST_NAMESPACE_END
