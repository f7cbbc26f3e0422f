/* device_properties.cpp - a device's properties and attributes: of this machine what a program
 * plans its work by (name, memory, SMs), else those of an H100, whose compute capability it has. */
#include "cuda_runtime_api.h"
#include "device.h"
#include "runtime/host/devices.h"
#include "runtime/host/environment.h"
#include "runtime/host/errors.h"
#include "runtime/host/machine.h"
#include "runtime/memory/allocation.h"
#include <cstdio>
#include <cstring>
#include <utility>

namespace cudacpu {
namespace {

/* CUDACPU_MULTIPROCESSORS, for a grid like that on a GPU. Otherwise two for a processor, since a
 * cluster's blocks run on one, in turns: a program with a block for each SM, in clusters of two,
 * keeps all processors busy. */
int count_sms() {
    const int most = 1024; /* more than any GPU has */
    return (int)read_setting("CUDACPU_MULTIPROCESSORS", 2 * (uint64_t)processors(), 1, most);
}

/* Cache and bus: no program should divide by 0. */
void set_memory(cudaDeviceProp *p) {
    p->l2CacheSize = 50 << 20;
    p->memoryBusWidth = 5120;
    p->memoryClockRate = 2619000;
    p->persistingL2CacheMaxSize = p->l2CacheSize / 8 * 5;
    p->accessPolicyMaxWindowSize = 128 << 20;
    p->reservedSharedMemPerBlock = 1024;
}

template <size_t N> void set(int (&array)[N], const int (&values)[N]) {
    memcpy(array, values, sizeof array);
}
void set_textures(cudaDeviceProp *p) {
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->maxTexture1D = 131072;
    p->maxTexture1DLinear = 1 << 28;
    p->maxTexture1DMipmap = p->maxTextureCubemap = p->maxSurface1D = p->maxSurfaceCubemap = 32768;
    set(p->maxTexture2D, {131072, 65536});
    set(p->maxTexture2DMipmap, {32768, 32768});
    set(p->maxTexture2DLinear, {131072, 65000, 2097120});
    set(p->maxTexture2DGather, {32768, 32768});
    set(p->maxTexture3D, {16384, 16384, 16384});
    set(p->maxTexture3DAlt, {8192, 8192, 32768});
    set(p->maxTexture1DLayered, {32768, 2048});
    set(p->maxTexture2DLayered, {32768, 32768, 2048});
    set(p->maxTextureCubemapLayered, {32768, 2046});
    set(p->maxSurface2D, {131072, 65536});
    set(p->maxSurface3D, {16384, 16384, 16384});
    set(p->maxSurface1DLayered, {32768, 2048});
    set(p->maxSurface2DLayered, {32768, 32768, 2048});
    set(p->maxSurfaceCubemapLayered, {32768, 2046});
}

} // namespace
} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    if (!p)
        return remember_error(cudaErrorInvalidValue);
    if (!is_device(device))
        return remember_error(cudaErrorInvalidDevice);
    memset(p, 0, sizeof *p);
    char model[128] = "CPU";
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", model) == 1)
            break;
    if (file)
        fclose(file);
    snprintf(p->name, sizeof p->name, "%s (cudacpu, %d thread%s)", model, processors(),
             processors() == 1 ? "" : "s");
    p->totalGlobalMem = total_memory();
    p->sharedMemPerBlock = shared_default();
    p->sharedMemPerBlockOptin = shared_optin();
    p->sharedMemPerMultiprocessor = 228 * 1024;
    p->regsPerBlock = 65536;
    p->warpSize = 32;
    p->memPitch = 2147483647;
    p->maxThreadsPerBlock = 1024;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 2147483647;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->totalConstMem = 65536;
    p->major = 9;
    p->multiProcessorCount = count_sms();
    p->clockRate = 1000000; /* clock64() counts nanoseconds */
    p->integrated = p->canMapHostMemory = p->unifiedAddressing = p->managedMemory =
        p->cooperativeLaunch = 1;
    p->maxThreadsPerMultiProcessor = 1024;
    p->maxBlocksPerMultiProcessor = 1;
    p->regsPerMultiprocessor = 65536;
    p->concurrentKernels = p->asyncEngineCount = p->deviceOverlap = 1;
    p->concurrentManagedAccess = p->pageableMemoryAccess = p->hostRegisterSupported = 1;
    p->hostNativeAtomicSupported = p->canUseHostPointerForRegisteredMem = 1;
    p->streamPrioritiesSupported = p->clusterLaunch = p->memoryPoolsSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->pciBusID = device & 0xff;
    p->singleToDoublePrecisionPerfRatio = 2;
    set_memory(p);
    set_textures(p);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    struct cudaDeviceProp p;
    if (!value)
        return remember_error(cudaErrorInvalidValue);
    if (cudaError_t error = cudaGetDeviceProperties(&p, device))
        return error;
    const std::pair<cudaDeviceAttr, long long> values[] = {
        {cudaDevAttrMaxThreadsPerBlock, p.maxThreadsPerBlock},
        {cudaDevAttrMaxBlockDimX, p.maxThreadsDim[0]},
        {cudaDevAttrMaxBlockDimY, p.maxThreadsDim[1]},
        {cudaDevAttrMaxBlockDimZ, p.maxThreadsDim[2]},
        {cudaDevAttrMaxGridDimX, p.maxGridSize[0]},
        {cudaDevAttrMaxGridDimY, p.maxGridSize[1]},
        {cudaDevAttrMaxGridDimZ, p.maxGridSize[2]},
        {cudaDevAttrMaxSharedMemoryPerBlock, p.sharedMemPerBlock},
        {cudaDevAttrTotalConstantMemory, p.totalConstMem},
        {cudaDevAttrWarpSize, p.warpSize},
        {cudaDevAttrMaxPitch, p.memPitch},
        {cudaDevAttrMaxRegistersPerBlock, p.regsPerBlock},
        {cudaDevAttrClockRate, p.clockRate},
        {cudaDevAttrTextureAlignment, p.textureAlignment},
        {cudaDevAttrGpuOverlap, p.deviceOverlap},
        {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
        {cudaDevAttrKernelExecTimeout, p.kernelExecTimeoutEnabled},
        {cudaDevAttrIntegrated, p.integrated},
        {cudaDevAttrCanMapHostMemory, p.canMapHostMemory},
        {cudaDevAttrComputeMode, p.computeMode},
        {cudaDevAttrMaxTexture1DWidth, p.maxTexture1D},
        {cudaDevAttrMaxTexture2DWidth, p.maxTexture2D[0]},
        {cudaDevAttrMaxTexture2DHeight, p.maxTexture2D[1]},
        {cudaDevAttrMaxTexture3DWidth, p.maxTexture3D[0]},
        {cudaDevAttrMaxTexture3DHeight, p.maxTexture3D[1]},
        {cudaDevAttrMaxTexture3DDepth, p.maxTexture3D[2]},
        {cudaDevAttrMaxTexture2DLayeredWidth, p.maxTexture2DLayered[0]},
        {cudaDevAttrMaxTexture2DLayeredHeight, p.maxTexture2DLayered[1]},
        {cudaDevAttrMaxTexture2DLayeredLayers, p.maxTexture2DLayered[2]},
        {cudaDevAttrSurfaceAlignment, p.surfaceAlignment},
        {cudaDevAttrConcurrentKernels, p.concurrentKernels},
        {cudaDevAttrEccEnabled, p.ECCEnabled},
        {cudaDevAttrPciBusId, p.pciBusID},
        {cudaDevAttrPciDeviceId, p.pciDeviceID},
        {cudaDevAttrPciDomainId, p.pciDomainID},
        {cudaDevAttrTccDriver, p.tccDriver},
        {cudaDevAttrMemoryClockRate, p.memoryClockRate},
        {cudaDevAttrGlobalMemoryBusWidth, p.memoryBusWidth},
        {cudaDevAttrL2CacheSize, p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, p.asyncEngineCount},
        {cudaDevAttrUnifiedAddressing, p.unifiedAddressing},
        {cudaDevAttrMaxTexture1DLayeredWidth, p.maxTexture1DLayered[0]},
        {cudaDevAttrMaxTexture1DLayeredLayers, p.maxTexture1DLayered[1]},
        {cudaDevAttrMaxTexture2DGatherWidth, p.maxTexture2DGather[0]},
        {cudaDevAttrMaxTexture2DGatherHeight, p.maxTexture2DGather[1]},
        {cudaDevAttrMaxTexture3DWidthAlt, p.maxTexture3DAlt[0]},
        {cudaDevAttrMaxTexture3DHeightAlt, p.maxTexture3DAlt[1]},
        {cudaDevAttrMaxTexture3DDepthAlt, p.maxTexture3DAlt[2]},
        {cudaDevAttrTexturePitchAlignment, p.texturePitchAlignment},
        {cudaDevAttrMaxTextureCubemapWidth, p.maxTextureCubemap},
        {cudaDevAttrMaxTextureCubemapLayeredWidth, p.maxTextureCubemapLayered[0]},
        {cudaDevAttrMaxTextureCubemapLayeredLayers, p.maxTextureCubemapLayered[1]},
        {cudaDevAttrMaxSurface1DWidth, p.maxSurface1D},
        {cudaDevAttrMaxSurface2DWidth, p.maxSurface2D[0]},
        {cudaDevAttrMaxSurface2DHeight, p.maxSurface2D[1]},
        {cudaDevAttrMaxSurface3DWidth, p.maxSurface3D[0]},
        {cudaDevAttrMaxSurface3DHeight, p.maxSurface3D[1]},
        {cudaDevAttrMaxSurface3DDepth, p.maxSurface3D[2]},
        {cudaDevAttrMaxSurface1DLayeredWidth, p.maxSurface1DLayered[0]},
        {cudaDevAttrMaxSurface1DLayeredLayers, p.maxSurface1DLayered[1]},
        {cudaDevAttrMaxSurface2DLayeredWidth, p.maxSurface2DLayered[0]},
        {cudaDevAttrMaxSurface2DLayeredHeight, p.maxSurface2DLayered[1]},
        {cudaDevAttrMaxSurface2DLayeredLayers, p.maxSurface2DLayered[2]},
        {cudaDevAttrMaxSurfaceCubemapWidth, p.maxSurfaceCubemap},
        {cudaDevAttrMaxSurfaceCubemapLayeredWidth, p.maxSurfaceCubemapLayered[0]},
        {cudaDevAttrMaxSurfaceCubemapLayeredLayers, p.maxSurfaceCubemapLayered[1]},
        {cudaDevAttrMaxTexture1DLinearWidth, p.maxTexture1DLinear},
        {cudaDevAttrMaxTexture2DLinearWidth, p.maxTexture2DLinear[0]},
        {cudaDevAttrMaxTexture2DLinearHeight, p.maxTexture2DLinear[1]},
        {cudaDevAttrMaxTexture2DLinearPitch, p.maxTexture2DLinear[2]},
        {cudaDevAttrMaxTexture2DMipmappedWidth, p.maxTexture2DMipmap[0]},
        {cudaDevAttrMaxTexture2DMipmappedHeight, p.maxTexture2DMipmap[1]},
        {cudaDevAttrComputeCapabilityMajor, p.major},
        {cudaDevAttrComputeCapabilityMinor, p.minor},
        {cudaDevAttrMaxTexture1DMipmappedWidth, p.maxTexture1DMipmap},
        {cudaDevAttrStreamPrioritiesSupported, p.streamPrioritiesSupported},
        {cudaDevAttrGlobalL1CacheSupported, p.globalL1CacheSupported},
        {cudaDevAttrLocalL1CacheSupported, p.localL1CacheSupported},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, p.regsPerMultiprocessor},
        {cudaDevAttrManagedMemory, p.managedMemory},
        {cudaDevAttrIsMultiGpuBoard, p.isMultiGpuBoard},
        {cudaDevAttrMultiGpuBoardGroupID, p.multiGpuBoardGroupID},
        {cudaDevAttrHostNativeAtomicSupported, p.hostNativeAtomicSupported},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, p.singleToDoublePrecisionPerfRatio},
        {cudaDevAttrPageableMemoryAccess, p.pageableMemoryAccess},
        {cudaDevAttrConcurrentManagedAccess, p.concurrentManagedAccess},
        {cudaDevAttrComputePreemptionSupported, p.computePreemptionSupported},
        {cudaDevAttrCanUseHostPointerForRegisteredMem, p.canUseHostPointerForRegisteredMem},
        {cudaDevAttrCooperativeLaunch, p.cooperativeLaunch},
        {cudaDevAttrCooperativeMultiDeviceLaunch, p.cooperativeMultiDeviceLaunch},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
        {cudaDevAttrCanFlushRemoteWrites, 0},
        {cudaDevAttrHostRegisterSupported, p.hostRegisterSupported},
        {cudaDevAttrPageableMemoryAccessUsesHostPageTables,
         p.pageableMemoryAccessUsesHostPageTables},
        {cudaDevAttrDirectManagedMemAccessFromHost, p.directManagedMemAccessFromHost},
        {cudaDevAttrMaxBlocksPerMultiprocessor, p.maxBlocksPerMultiProcessor},
        {cudaDevAttrMaxPersistingL2CacheSize, p.persistingL2CacheMaxSize},
        {cudaDevAttrMaxAccessPolicyWindowSize, p.accessPolicyMaxWindowSize},
        {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
        {cudaDevAttrSparseCudaArraySupported, p.sparseCudaArraySupported},
        {cudaDevAttrHostRegisterReadOnlySupported, p.hostRegisterReadOnlySupported},
        {cudaDevAttrMemoryPoolsSupported, p.memoryPoolsSupported},
        {cudaDevAttrClusterLaunch, p.clusterLaunch},
        {cudaDevAttrIpcEventSupport, p.ipcEventSupported},
    };
    for (const auto &known : values)
        if (known.first == attribute) {
            *value = (int)known.second;
            return cudaSuccess;
        }
    return remember_error(cudaErrorInvalidValue);
}

} /* extern "C" */
