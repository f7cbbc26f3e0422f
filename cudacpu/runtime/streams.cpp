/* streams.cpp - streams, which run in order and at once, and events, which are points in time. */
#include "streams.h"
#include "errors.h"
#include "lock.h"
#include <set>
#include <time.h>

namespace cudacpu {
namespace {

std::set<void *> streams;

} // namespace

bool valid_stream(cudaStream_t stream) {
    runtime_guard guard;
    return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread ||
           streams.count(stream);
}
void forget_streams() {
    runtime_guard guard;
    streams.clear();
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

struct CUstream_st {
    int unused;
};
struct CUevent_st {
    bool recorded, timed;
    struct timespec when;
};

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!stream || flags > cudaStreamNonBlocking)
        return remember_error(cudaErrorInvalidValue);
    runtime_guard guard;
    *stream = new CUstream_st();
    streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    runtime_guard guard;
    if (!streams.erase(stream))
        return remember_error(cudaErrorInvalidResourceHandle);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    return remember_error(sticky_error()         ? sticky_error()
                          : valid_stream(stream) ? cudaSuccess
                                                 : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    return remember_error(sticky_error()                  ? sticky_error()
                          : valid_stream(stream) && event ? cudaSuccess
                                                          : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!event)
        return remember_error(cudaErrorInvalidValue);
    *event = new CUevent_st();
    (*event)->timed = !(flags & cudaEventDisableTiming);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!event || !valid_stream(stream))
        return remember_error(cudaErrorInvalidResourceHandle);
    event->recorded = true;
    clock_gettime(CLOCK_MONOTONIC, &event->when);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    return remember_error(sticky_error() ? sticky_error()
                          : event        ? cudaSuccess
                                         : cudaErrorInvalidResourceHandle);
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (!milliseconds)
        return remember_error(cudaErrorInvalidValue);
    if (!start || !stop || !start->recorded || !stop->recorded || !start->timed || !stop->timed)
        return remember_error(cudaErrorInvalidResourceHandle);
    double seconds = (double)(stop->when.tv_sec - start->when.tv_sec);
    *milliseconds =
        (float)(1e3 * seconds + 1e-6 * (double)(stop->when.tv_nsec - start->when.tv_nsec));
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    if (!event)
        return remember_error(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

} /* extern "C" */
