/* nvml.h - not provided, said at compile time. */
#error "cudacpu does not provide NVML: cudaGetDeviceProperties tells of the device"
