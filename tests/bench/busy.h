/* busy.h - work for the device, so that its clock is up when something is measured. */
#ifndef BUSY_H
#define BUSY_H
#ifdef __cplusplus
extern "C" {
#endif

/* Keeps all SMs busy for so many seconds, and waits for the end. A failing CUDA call prints one
 * sentence and exits with 1. */
void keep_busy(double seconds);

#ifdef __cplusplus
}
#endif
#endif
