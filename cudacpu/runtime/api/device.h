/* device.h - the limits of shared memory, which are the same on each device. */
#ifndef CUDACPU_RUNTIME_DEVICE_H
#define CUDACPU_RUNTIME_DEVICE_H
#include <cstddef>

namespace cudacpu {

/* Bytes of shared memory that a block may have, and with cudaFuncSetAttribute. */
size_t shared_default();
size_t shared_optin();

} // namespace cudacpu
#endif
