/* device.h - the one device: what its properties say, and its limits of shared memory. */
#ifndef CUDACPU_RUNTIME_DEVICE_H
#define CUDACPU_RUNTIME_DEVICE_H
#include <cstddef>

namespace cudacpu {

/* Bytes of shared memory that a block may have, and with cudaFuncSetAttribute. */
size_t shared_default();
size_t shared_optin();

} // namespace cudacpu
#endif
