/* driver.cpp - the driver API's devices and contexts. A context is its device's primary one, which
 * the runtime API uses too: it is there from the start, so that making it costs nothing. */
#include "cudacpu/driver_api.h"
#include <cstring>
#include <vector>

namespace {

bool initialised;
thread_local std::vector<CUcontext> contexts; /* the last one is the current one */

CUcontext context_of(CUdevice device) {
    return reinterpret_cast<CUcontext>(static_cast<uintptr_t>(device) + 1);
}
CUdevice device_of(CUcontext context) {
    return static_cast<CUdevice>(reinterpret_cast<uintptr_t>(context) - 1);
}
bool exists(CUdevice device) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && device >= 0 && device < count;
}
/* What a call that asks for a device gives back when there is none. */
CUresult check(CUdevice device) {
    return !initialised      ? CUDA_ERROR_NOT_INITIALIZED
           : !exists(device) ? CUDA_ERROR_INVALID_DEVICE
                             : CUDA_SUCCESS;
}
CUresult use_current() {
    return contexts.empty() ? CUDA_SUCCESS
                            : cudacpu_driver_error(cudaSetDevice(device_of(contexts.back())));
}
CUresult give(CUcontext *context, CUdevice device) {
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult problem = check(device);
    if (problem == CUDA_SUCCESS)
        *context = context_of(device);
    return problem;
}

const struct {
    CUresult error;
    const char *name;
} NAMES[] = {
#define NAMED(name, number) {CUDA_##name, "CUDA_" #name},
    CUDACPU_DRIVER_ERRORS(NAMED)
#undef NAMED
};

CUresult get_properties(cudaDeviceProp *properties, bool is_wanted, CUdevice device) {
    const CUresult problem = is_wanted ? check(device) : CUDA_ERROR_INVALID_VALUE;
    return problem != CUDA_SUCCESS
               ? problem
               : cudacpu_driver_error(cudaGetDeviceProperties(properties, device));
}

} // namespace

extern "C" {

CUresult cudacpu_driver_error(cudaError_t error) {
    if (error != cudaSuccess)
        cudaGetLastError();
    return static_cast<CUresult>(error);
}
CUresult cudacpu_has_context(void) {
    return !initialised       ? CUDA_ERROR_NOT_INITIALIZED
           : contexts.empty() ? CUDA_ERROR_INVALID_CONTEXT
                              : CUDA_SUCCESS;
}
CUresult cudacpu_create_context(CUcontext *context, CUdevice device) {
    const CUresult problem = give(context, device);
    return problem != CUDA_SUCCESS ? problem : cuCtxPushCurrent(*context);
}

CUresult cuInit(unsigned flags) {
    int count = 0;
    if (flags)
        return CUDA_ERROR_INVALID_VALUE;
    const CUresult result = cudacpu_driver_error(cudaGetDeviceCount(&count));
    initialised = result == CUDA_SUCCESS;
    return result;
}
CUresult cuGetErrorName(CUresult error, const char **name) {
    if (!name)
        return CUDA_ERROR_INVALID_VALUE;
    *name = nullptr;
    for (const auto &known : NAMES)
        if (known.error == error)
            *name = known.name;
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult error, const char **text) {
    const char *name;
    const CUresult known = text ? cuGetErrorName(error, &name) : CUDA_ERROR_INVALID_VALUE;
    if (text)
        *text =
            known == CUDA_SUCCESS ? cudaGetErrorString(static_cast<cudaError_t>(error)) : nullptr;
    return known;
}

CUresult cuDeviceGetCount(int *count) {
    return !initialised ? CUDA_ERROR_NOT_INITIALIZED
                        : cudacpu_driver_error(cudaGetDeviceCount(count));
}
CUresult cuDeviceGet(CUdevice *device, int ordinal) {
    const CUresult problem = device ? check(ordinal) : CUDA_ERROR_INVALID_VALUE;
    if (problem == CUDA_SUCCESS)
        *device = ordinal;
    return problem;
}
CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
    cudaDeviceProp properties;
    const CUresult problem = get_properties(&properties, name && length > 0, device);
    if (problem == CUDA_SUCCESS) {
        strncpy(name, properties.name, static_cast<size_t>(length) - 1);
        name[length - 1] = 0;
    }
    return problem;
}
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    cudaDeviceProp properties;
    const CUresult problem = get_properties(&properties, bytes, device);
    if (problem == CUDA_SUCCESS)
        *bytes = properties.totalGlobalMem;
    return problem;
}
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    const CUresult problem = check(device);
    return problem != CUDA_SUCCESS
               ? problem
               : cudacpu_driver_error(cudaDeviceGetAttribute(
                     value, static_cast<cudaDeviceAttr>(static_cast<int>(attribute)), device));
}
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    const CUresult result =
        cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return result != CUDA_SUCCESS
               ? result
               : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    return give(context, device);
}
CUresult cuDevicePrimaryCtxRelease(CUdevice device) { return check(device); }
CUresult cuCtxDestroy(CUcontext context) {
    if (!initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!context || !exists(device_of(context)))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (!contexts.empty() && contexts.back() == context)
        contexts.pop_back();
    return use_current();
}
CUresult cuCtxGetCurrent(CUcontext *context) {
    if (!initialised || !context)
        return !initialised ? CUDA_ERROR_NOT_INITIALIZED : CUDA_ERROR_INVALID_VALUE;
    *context = contexts.empty() ? nullptr : contexts.back();
    return CUDA_SUCCESS;
}
CUresult cuCtxPushCurrent(CUcontext context) {
    if (!initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!context || !exists(device_of(context)))
        return CUDA_ERROR_INVALID_CONTEXT;
    contexts.push_back(context);
    return use_current();
}
CUresult cuCtxPopCurrent(CUcontext *context) {
    const CUresult problem = cudacpu_has_context();
    if (problem != CUDA_SUCCESS)
        return problem;
    if (context)
        *context = contexts.back();
    contexts.pop_back();
    return use_current();
}
CUresult cuCtxSetCurrent(CUcontext context) {
    if (!initialised)
        return CUDA_ERROR_NOT_INITIALIZED;
    if (!contexts.empty())
        contexts.pop_back();
    return context ? cuCtxPushCurrent(context) : use_current();
}
CUresult cuCtxGetDevice(CUdevice *device) {
    const CUresult problem = device ? cudacpu_has_context() : CUDA_ERROR_INVALID_VALUE;
    if (problem == CUDA_SUCCESS)
        *device = device_of(contexts.back());
    return problem;
}

} /* extern "C" */
