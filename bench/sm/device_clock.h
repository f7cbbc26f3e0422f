/* device_clock.h - the device's clock in ns, beside CUDA's clock64() in cycles of an SM. */
#ifndef DEVICE_CLOCK_H
#define DEVICE_CLOCK_H
static __device__ __forceinline__ long long read_ns() {
    long long ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}
#endif
