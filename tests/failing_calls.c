/* failing_calls.c - calls of CUDA's functions that a step makes: counted, timed, slow, failing.
 * With
 * --wrap=f, which make takes from the list below, calls of f go to __wrap_f, and __real_f is f. */
#define _DEFAULT_SOURCE
#include "failing_calls.h"
#include "timing.h"
#include <cuda_runtime.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const char *failing;
static int failing_call;
static atomic_int left;
static double delay, longer; /* seconds; a step's copies and launches come from one thread */

void fail_call(const char *function, int call) {
    failing = function;
    failing_call = call;
}
int count_left(void) { return left; }
void slow_down(double seconds) {
    delay = seconds;
    longer = 0;
}
double seconds_longer(void) { return longer; }

static int fails(const char *function, int call) {
    return failing && call == failing_call && strcmp(function, failing) == 0;
}
/* A call that fails leaves its error for cudaGetLastError, as one of a launch does. */
static void leave_error(void) { cudaEventQuery(NULL); }

#define WRAP(function, parameters, arguments, error, then)                                         \
    static atomic_int calls_##function;                                                            \
    cudaError_t __real_##function parameters;                                                      \
    cudaError_t __wrap_##function parameters;                                                      \
    cudaError_t __wrap_##function parameters {                                                     \
        const int call = ++calls_##function;                                                       \
        if (fails(#function, call))                                                                \
            return error;                                                                          \
        const cudaError_t status = __real_##function arguments;                                    \
        then;                                                                                      \
        return status;                                                                             \
    }
static void take_longer(void) {
    const double begun = wall_seconds();
    if (delay > 0)
        usleep((unsigned)(1e6 * delay));
    longer += wall_seconds() - begun;
}
#define COPIED kind == cudaMemcpyDeviceToDevice ? (void)0 : take_longer()
#define ALLOCATED (void)(left += status == cudaSuccess), take_longer()
#define FREED (void)(left -= p && status == cudaSuccess), take_longer()
WRAP(cudaMalloc, (void **p, size_t bytes), (p, bytes), cudaErrorMemoryAllocation, ALLOCATED)
WRAP(cudaMallocPitch, (void **p, size_t *pitch, size_t width, size_t height),
     (p, pitch, width, height), cudaErrorMemoryAllocation, ALLOCATED)
WRAP(cudaMallocHost, (void **p, size_t bytes), (p, bytes), cudaErrorMemoryAllocation, ALLOCATED)
WRAP(cudaFree, (void *p), (p), cudaErrorInvalidValue, FREED)
WRAP(cudaFreeHost, (void *p), (p), cudaErrorInvalidValue, FREED)
WRAP(cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
     (to, from, bytes, kind), cudaErrorInvalidValue, (void)0)
WRAP(cudaMemcpy2D,
     (void *to, size_t to_pitch, const void *from, size_t pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind),
     (to, to_pitch, from, pitch, width, height, kind), cudaErrorInvalidValue, COPIED)
WRAP(cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream), cudaErrorInvalidValue, (void)0)
WRAP(cudaMemcpy2DAsync,
     (void *to, size_t to_pitch, const void *from, size_t pitch, size_t width, size_t height,
      enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, to_pitch, from, pitch, width, height, kind, stream), cudaErrorInvalidValue, COPIED)
WRAP(cudaMemset, (void *p, int byte, size_t bytes), (p, byte, bytes), cudaErrorInvalidValue,
     (void)0)
WRAP(cudaMemsetAsync, (void *p, int byte, size_t bytes, cudaStream_t stream),
     (p, byte, bytes, stream), cudaErrorInvalidValue, (void)0)
WRAP(cudaMemset2DAsync,
     (void *p, size_t pitch, int byte, size_t width, size_t height, cudaStream_t stream),
     (p, pitch, byte, width, height, stream), cudaErrorInvalidValue, (void)0)
WRAP(cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags), (stream, flags),
     cudaErrorMemoryAllocation, (void)0)
WRAP(cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
     (stream, event, flags), cudaErrorInvalidResourceHandle, (void)0)
WRAP(cudaStreamSynchronize, (cudaStream_t stream), (stream), cudaErrorLaunchFailure, (void)0)
WRAP(cudaEventCreate, (cudaEvent_t * event), (event), cudaErrorMemoryAllocation, (void)0)
WRAP(cudaEventCreateWithFlags, (cudaEvent_t * event, unsigned flags), (event, flags),
     cudaErrorMemoryAllocation, (void)0)
WRAP(cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream),
     cudaErrorLaunchFailure, if (fails("launch", call)) leave_error())
WRAP(cudaEventSynchronize, (cudaEvent_t event), (event), cudaErrorLaunchFailure, (void)0)
WRAP(cudaEventElapsedTime, (float *ms, cudaEvent_t start, cudaEvent_t end), (ms, start, end),
     cudaErrorInvalidResourceHandle, (void)0)
WRAP(cudaFuncSetAttribute, (const void *f, enum cudaFuncAttribute attribute, int value),
     (f, attribute, value), cudaErrorInvalidValue, (void)0)
WRAP(cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr attribute, int device),
     (value, attribute, device), cudaErrorInvalidDevice, (void)0)
WRAP(cudaGetDevice, (int *device), (device), cudaErrorNoDevice, (void)0)
WRAP(cudaGetLastError, (void), (), cudaErrorLaunchFailure, (void)0)

int count_calls(int i, const char **function) {
#define COUNTED(f)                                                                                 \
    { #f, &calls_##f }
    static const struct {
        const char *name;
        atomic_int *calls;
    } all[] = {COUNTED(cudaMalloc),
               COUNTED(cudaMallocPitch),
               COUNTED(cudaMallocHost),
               COUNTED(cudaFree),
               COUNTED(cudaFreeHost),
               COUNTED(cudaMemcpy),
               COUNTED(cudaMemcpy2D),
               COUNTED(cudaMemcpyAsync),
               COUNTED(cudaMemcpy2DAsync),
               COUNTED(cudaMemset),
               COUNTED(cudaMemsetAsync),
               COUNTED(cudaMemset2DAsync),
               COUNTED(cudaStreamCreateWithFlags),
               COUNTED(cudaStreamWaitEvent),
               COUNTED(cudaStreamSynchronize),
               COUNTED(cudaEventCreate),
               COUNTED(cudaEventCreateWithFlags),
               COUNTED(cudaEventRecord),
               COUNTED(cudaEventSynchronize),
               COUNTED(cudaEventElapsedTime),
               COUNTED(cudaFuncSetAttribute),
               COUNTED(cudaDeviceGetAttribute),
               COUNTED(cudaGetDevice),
               COUNTED(cudaGetLastError)};
    if (i >= (int)(sizeof all / sizeof *all))
        return -1;
    *function = all[i].name;
    return *all[i].calls;
}
