/* busy.h - work for the device, so that its clock is up when something is measured. */
#ifndef BUSY_H
#define BUSY_H
#include <cuda_runtime.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Starts work of about a millisecond for all SMs in a stream, and does not wait. A failing CUDA
 * call prints one sentence and exits with 1. */
void start_busy_kernels(cudaStream_t stream);

/* Keeps all SMs busy for so many seconds, and waits for the end. A failing CUDA call prints one
 * sentence and exits with 1. */
void keep_busy(double seconds);

#ifdef __cplusplus
}
#endif
#endif
