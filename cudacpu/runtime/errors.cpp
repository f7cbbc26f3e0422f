/* errors.cpp - errors: the last one, the sticky one, their names and texts. */
#include "errors.h"
#include "observer.h"

namespace cudacpu {
namespace {

__thread cudaError_t last_error;
cudaError_t sticky;

const struct {
    cudaError_t error;
    const char *name, *text;
} ERRORS[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInitializationError, "cudaErrorInitializationError", "initialization error"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
     "invalid configuration argument"},
    {cudaErrorInvalidPitchValue, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidHostPointer, "cudaErrorInvalidHostPointer", "invalid host pointer"},
    {cudaErrorInvalidDevicePointer, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
     "an illegal memory access was encountered"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {cudaErrorAssert, "cudaErrorAssert", "device-side assert triggered"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorLaunchFailure, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorInvalidClusterSize, "cudaErrorInvalidClusterSize", "cluster misconfiguration"},
    {cudaErrorUnknown, "cudaErrorUnknown", "unknown error"},
};

} // namespace

cudaError_t remember_error(cudaError_t error) {
    if (error != cudaSuccess)
        last_error = error;
    return error;
}
void make_sticky(cudaError_t error) {
    sticky = error;
    remember_error(error);
}
cudaError_t sticky_error() { return sticky; }
void clear_errors() { sticky = last_error = cudaSuccess; }

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

const char *cudaGetErrorString(cudaError_t error) {
    for (auto &entry : ERRORS)
        if (entry.error == error)
            return entry.text;
    return "unrecognized error code";
}
const char *cudaGetErrorName(cudaError_t error) {
    for (auto &entry : ERRORS)
        if (entry.error == error)
            return entry.name;
    return "unrecognized error code";
}
cudaError_t cudaGetLastError(void) {
    if (observing)
        observing->error_asked();
    cudaError_t error = last_error;
    last_error = sticky;
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    if (observing)
        observing->error_asked();
    return last_error;
}

} /* extern "C" */
