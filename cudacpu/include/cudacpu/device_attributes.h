/* device_attributes.h - what cudaDeviceGetAttribute can be asked for: names, values, and the member
 * of cudaDeviceProp that has the answer. */
#ifndef CUDACPU_DEVICE_ATTRIBUTES_H
#define CUDACPU_DEVICE_ATTRIBUTES_H

/* clang-format off */
/* OTHER: none has it. */
#define CUDACPU_ATTRIBUTES(X, OTHER) \
    X(MaxThreadsPerBlock, 1, maxThreadsPerBlock) \
    X(MaxBlockDimX, 2, maxThreadsDim[0]) \
    X(MaxBlockDimY, 3, maxThreadsDim[1]) \
    X(MaxBlockDimZ, 4, maxThreadsDim[2]) \
    X(MaxGridDimX, 5, maxGridSize[0]) \
    X(MaxGridDimY, 6, maxGridSize[1]) \
    X(MaxGridDimZ, 7, maxGridSize[2]) \
    X(MaxSharedMemoryPerBlock, 8, sharedMemPerBlock) \
    X(TotalConstantMemory, 9, totalConstMem) \
    X(WarpSize, 10, warpSize) \
    X(MaxPitch, 11, memPitch) \
    X(MaxRegistersPerBlock, 12, regsPerBlock) \
    X(ClockRate, 13, clockRate) \
    X(TextureAlignment, 14, textureAlignment) \
    X(GpuOverlap, 15, deviceOverlap) \
    X(MultiProcessorCount, 16, multiProcessorCount) \
    X(KernelExecTimeout, 17, kernelExecTimeoutEnabled) \
    X(Integrated, 18, integrated) \
    X(CanMapHostMemory, 19, canMapHostMemory) \
    X(ComputeMode, 20, computeMode) \
    X(MaxTexture1DWidth, 21, maxTexture1D) \
    X(MaxTexture2DWidth, 22, maxTexture2D[0]) \
    X(MaxTexture2DHeight, 23, maxTexture2D[1]) \
    X(MaxTexture3DWidth, 24, maxTexture3D[0]) \
    X(MaxTexture3DHeight, 25, maxTexture3D[1]) \
    X(MaxTexture3DDepth, 26, maxTexture3D[2]) \
    X(MaxTexture2DLayeredWidth, 27, maxTexture2DLayered[0]) \
    X(MaxTexture2DLayeredHeight, 28, maxTexture2DLayered[1]) \
    X(MaxTexture2DLayeredLayers, 29, maxTexture2DLayered[2]) \
    X(SurfaceAlignment, 30, surfaceAlignment) \
    X(ConcurrentKernels, 31, concurrentKernels) \
    X(EccEnabled, 32, ECCEnabled) \
    X(PciBusId, 33, pciBusID) \
    X(PciDeviceId, 34, pciDeviceID) \
    X(TccDriver, 35, tccDriver) \
    X(MemoryClockRate, 36, memoryClockRate) \
    X(GlobalMemoryBusWidth, 37, memoryBusWidth) \
    X(L2CacheSize, 38, l2CacheSize) \
    X(MaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor) \
    X(AsyncEngineCount, 40, asyncEngineCount) \
    X(UnifiedAddressing, 41, unifiedAddressing) \
    X(MaxTexture1DLayeredWidth, 42, maxTexture1DLayered[0]) \
    X(MaxTexture1DLayeredLayers, 43, maxTexture1DLayered[1]) \
    X(MaxTexture2DGatherWidth, 45, maxTexture2DGather[0]) \
    X(MaxTexture2DGatherHeight, 46, maxTexture2DGather[1]) \
    X(MaxTexture3DWidthAlt, 47, maxTexture3DAlt[0]) \
    X(MaxTexture3DHeightAlt, 48, maxTexture3DAlt[1]) \
    X(MaxTexture3DDepthAlt, 49, maxTexture3DAlt[2]) \
    X(PciDomainId, 50, pciDomainID) \
    X(TexturePitchAlignment, 51, texturePitchAlignment) \
    X(MaxTextureCubemapWidth, 52, maxTextureCubemap) \
    X(MaxTextureCubemapLayeredWidth, 53, maxTextureCubemapLayered[0]) \
    X(MaxTextureCubemapLayeredLayers, 54, maxTextureCubemapLayered[1]) \
    X(MaxSurface1DWidth, 55, maxSurface1D) \
    X(MaxSurface2DWidth, 56, maxSurface2D[0]) \
    X(MaxSurface2DHeight, 57, maxSurface2D[1]) \
    X(MaxSurface3DWidth, 58, maxSurface3D[0]) \
    X(MaxSurface3DHeight, 59, maxSurface3D[1]) \
    X(MaxSurface3DDepth, 60, maxSurface3D[2]) \
    X(MaxSurface1DLayeredWidth, 61, maxSurface1DLayered[0]) \
    X(MaxSurface1DLayeredLayers, 62, maxSurface1DLayered[1]) \
    X(MaxSurface2DLayeredWidth, 63, maxSurface2DLayered[0]) \
    X(MaxSurface2DLayeredHeight, 64, maxSurface2DLayered[1]) \
    X(MaxSurface2DLayeredLayers, 65, maxSurface2DLayered[2]) \
    X(MaxSurfaceCubemapWidth, 66, maxSurfaceCubemap) \
    X(MaxSurfaceCubemapLayeredWidth, 67, maxSurfaceCubemapLayered[0]) \
    X(MaxSurfaceCubemapLayeredLayers, 68, maxSurfaceCubemapLayered[1]) \
    X(MaxTexture1DLinearWidth, 69, maxTexture1DLinear) \
    X(MaxTexture2DLinearWidth, 70, maxTexture2DLinear[0]) \
    X(MaxTexture2DLinearHeight, 71, maxTexture2DLinear[1]) \
    X(MaxTexture2DLinearPitch, 72, maxTexture2DLinear[2]) \
    X(MaxTexture2DMipmappedWidth, 73, maxTexture2DMipmap[0]) \
    X(MaxTexture2DMipmappedHeight, 74, maxTexture2DMipmap[1]) \
    X(ComputeCapabilityMajor, 75, major) \
    X(ComputeCapabilityMinor, 76, minor) \
    X(MaxTexture1DMipmappedWidth, 77, maxTexture1DMipmap) \
    X(StreamPrioritiesSupported, 78, streamPrioritiesSupported) \
    X(GlobalL1CacheSupported, 79, globalL1CacheSupported) \
    X(LocalL1CacheSupported, 80, localL1CacheSupported) \
    X(MaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor) \
    X(MaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor) \
    X(ManagedMemory, 83, managedMemory) \
    X(IsMultiGpuBoard, 84, isMultiGpuBoard) \
    X(MultiGpuBoardGroupID, 85, multiGpuBoardGroupID) \
    X(HostNativeAtomicSupported, 86, hostNativeAtomicSupported) \
    X(SingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio) \
    X(PageableMemoryAccess, 88, pageableMemoryAccess) \
    X(ConcurrentManagedAccess, 89, concurrentManagedAccess) \
    X(ComputePreemptionSupported, 90, computePreemptionSupported) \
    X(CanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem) \
    X(CooperativeLaunch, 95, cooperativeLaunch) \
    X(CooperativeMultiDeviceLaunch, 96, cooperativeMultiDeviceLaunch) \
    X(MaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin) \
    OTHER(CanFlushRemoteWrites, 98) \
    X(HostRegisterSupported, 99, hostRegisterSupported) \
    X(PageableMemoryAccessUsesHostPageTables, 100, pageableMemoryAccessUsesHostPageTables) \
    X(DirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost) \
    X(MaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor) \
    X(MaxPersistingL2CacheSize, 108, persistingL2CacheMaxSize) \
    X(MaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize) \
    X(ReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock) \
    X(SparseCudaArraySupported, 112, sparseCudaArraySupported) \
    X(HostRegisterReadOnlySupported, 113, hostRegisterReadOnlySupported) \
    OTHER(TimelineSemaphoreInteropSupported, 114) \
    X(MemoryPoolsSupported, 115, memoryPoolsSupported) \
    OTHER(GPUDirectRDMASupported, 116) \
    OTHER(GPUDirectRDMAFlushWritesOptions, 117) \
    OTHER(GPUDirectRDMAWritesOrdering, 118) \
    OTHER(MemoryPoolSupportedHandleTypes, 119) \
    X(ClusterLaunch, 120, clusterLaunch) \
    OTHER(DeferredMappingCudaArraySupported, 121) \
    X(IpcEventSupport, 125, ipcEventSupported) \
    OTHER(MemSyncDomainCount, 126) \
    OTHER(NumaConfig, 130) \
    OTHER(NumaId, 131) \
    OTHER(MpsEnabled, 133) \
    OTHER(HostNumaId, 134) \
    OTHER(D3D12CigSupported, 135) \
    OTHER(VulkanCigSupported, 138) \
    OTHER(GpuPciDeviceId, 139) \
    OTHER(GpuPciSubsystemId, 140) \
    OTHER(HostNumaMemoryPoolsSupported, 142) \
    OTHER(HostNumaMultinodeIpcSupported, 143) \
    OTHER(HostMemoryPoolsSupported, 144) \
    OTHER(OnlyPartialHostNativeAtomicSupported, 147)
/* clang-format on */

enum cudaDeviceAttr {
#define CUDACPU_ATTRIBUTE(name, value, member) cudaDevAttr##name = value,
#define CUDACPU_OTHER(name, value) cudaDevAttr##name = value,
    CUDACPU_ATTRIBUTES(CUDACPU_ATTRIBUTE, CUDACPU_OTHER)
#undef CUDACPU_ATTRIBUTE
#undef CUDACPU_OTHER
};
#endif
