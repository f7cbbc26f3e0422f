/* timing.c - the monotonic clock of POSIX, and a pair of CUDA events. */
#define _POSIX_C_SOURCE 200809L
#include "timing.h"
#include "cuda_check.h"
#include <stdlib.h>
#include <time.h>

double wall_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

kernel_timer begin_kernel_timer(cudaStream_t stream) {
    kernel_timer timer;
    CUDA_CHECK(cudaEventCreate(&timer.start));
    CUDA_CHECK(cudaEventCreate(&timer.stop));
    CUDA_CHECK(cudaEventRecord(timer.start, stream));
    return timer;
}

void end_kernel_timer(const kernel_timer *timer, cudaStream_t stream) {
    CUDA_CHECK(cudaEventRecord(timer->stop, stream));
}

double read_kernel_timer(kernel_timer *timer) {
    float milliseconds = 0.0f;
    CUDA_CHECK(cudaEventSynchronize(timer->stop));
    CUDA_CHECK(cudaEventElapsedTime(&milliseconds, timer->start, timer->stop));
    CUDA_CHECK(cudaEventDestroy(timer->start));
    CUDA_CHECK(cudaEventDestroy(timer->stop));
    return 1e-3 * (double)milliseconds;
}

int is_kernel_over(const kernel_timer *timer) {
    const cudaError_t error = cudaEventQuery(timer->stop);
    if (error == cudaErrorNotReady)
        cudaGetLastError(); /* else the next launch would seem to have failed */
    else
        CUDA_CHECK(error);
    return error == cudaSuccess;
}

kernel_timer start_kernel_timer(void) { return begin_kernel_timer(0); }

double stop_kernel_timer(kernel_timer *timer) {
    end_kernel_timer(timer, 0);
    return read_kernel_timer(timer);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, ascending);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}
