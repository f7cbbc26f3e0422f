/* devices.cpp - the current device of each OS thread, and access between devices. */
#include "devices.h"
#include "cuda_runtime_api.h"
#include "errors.h"
#include "machine.h"
#include "process.h"

namespace cudacpu {
namespace {

thread_local int current;
bool enabled[MAX_DEVICES][MAX_DEVICES]; /* [device][owner] */

/* CUDACPU_PEER=0: no device reaches another's memory, as on many machines. */
bool can_access(int device, int owner) {
    static const bool possible = read_setting("CUDACPU_PEER", 1, 0, 1);
    return possible && device != owner;
}

} // namespace

int device_count() {
    static const int count = (int)read_setting("CUDACPU_DEVICES", 1, 0, MAX_DEVICES);
    return count;
}
bool is_device(int number) { return number >= 0 && number < device_count(); }
int current_device() { return current; }
std::string of_device(int device) { return device_count() > 1 ? text(" of device ", device) : ""; }

std::string on_device(int device) { return device_count() > 1 ? text(" on device ", device) : ""; }

device_scope::device_scope(int device) : before(current) { current = device; }
device_scope::~device_scope() { current = before; }

bool has_access(int device, int owner) { return device == owner || enabled[device][owner]; }
void forget_access(int device) {
    for (int other = 0; other < MAX_DEVICES; other++)
        enabled[device][other] = enabled[other][device] = false;
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaGetDeviceCount(int *count) {
    if (!count)
        return remember_error(cudaErrorInvalidValue);
    *count = device_count();
    return remember_error(*count ? cudaSuccess : cudaErrorNoDevice);
}
cudaError_t cudaGetDevice(int *device) {
    if (!device)
        return remember_error(cudaErrorInvalidValue);
    *device = current;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (!is_device(device))
        return remember_error(explain(cudaErrorInvalidDevice, "device ", device, "; there are ",
                                      device_count(), ", numbered from 0"));
    current = device;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!can)
        return remember_error(cudaErrorInvalidValue);
    if (!is_device(device) || !is_device(peer))
        return remember_error(cudaErrorInvalidDevice);
    *can = can_access(device, peer);
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (cudaError_t error = check_call(is_device(peer), cudaErrorInvalidDevice))
        return error;
    if (flags)
        return remember_error(cudaErrorInvalidValue);
    if (!can_access(current, peer))
        return remember_error(cudaErrorPeerAccessUnsupported);
    runtime_guard guard;
    if (enabled[current][peer])
        return remember_error(cudaErrorPeerAccessAlreadyEnabled);
    enabled[current][peer] = true;
    return cudaSuccess;
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    if (cudaError_t error = check_call(is_device(peer), cudaErrorInvalidDevice))
        return error;
    runtime_guard guard;
    if (!enabled[current][peer])
        return remember_error(cudaErrorPeerAccessNotEnabled);
    enabled[current][peer] = false;
    return cudaSuccess;
}

} /* extern "C" */
