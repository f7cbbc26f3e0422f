/* timing.h - a wall clock for the total, CUDA events for the kernel. */
#ifndef TIMING_H
#define TIMING_H
#include <cuda_runtime.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Seconds on a clock that never goes back. Only differences mean something. */
double wall_seconds(void);

typedef struct kernel_timer {
    cudaEvent_t start, stop;
} kernel_timer;

/* Starts timing the work that follows in the default stream. Exits with a sentence when CUDA
 * fails. */
kernel_timer start_kernel_timer(void);

/* Waits for that work and returns its duration in seconds, by the device's clock. A timer is used
 * once. */
double stop_kernel_timer(kernel_timer *timer);

/* The same for work in a stream. begin_ and end_ stand around it and do not wait; read_ waits for
 * the end, returns seconds, and destroys the timer. */
kernel_timer begin_kernel_timer(cudaStream_t stream);
void end_kernel_timer(const kernel_timer *timer, cudaStream_t stream);
double read_kernel_timer(kernel_timer *timer);
/* Whether it has ended; does not wait. */
int is_kernel_over(const kernel_timer *timer);

/* The median of count >= 1 values, which are put in ascending order. */
double median(double *values, int count);

#ifdef __cplusplus
}
#endif
#endif
