/* stream_calls.cpp - the API of streams; and of events: points in a stream, and the times when they
 * were reached. */
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "stream_queue.h"
#include <algorithm>
#include <chrono>
#include <memory>
#include <set>

/* C's name of an event. A record outlives it while it waits in a stream. */
struct CUevent_st {
    struct record {
        bool done;
        std::chrono::steady_clock::time_point when;
    };
    int device; /* the current one when it was created */
    bool timed;
    std::shared_ptr<record> last; /* NULL: it was never recorded */
    cudacpu::stream_clock order;  /* of the last record */
    unsigned asked;               /* how often a query found it not reached */
};

namespace cudacpu {
namespace {

/* The host's function runs at once, after all that stands before it: the program may wait for what
 * it does in ways that nobody sees. */
cudaError_t run_on_host(cudaStream_t handle, bool right, const char *name, void *caller,
                        const std::function<void()> &function) {
    CUstream_st *stream;
    if (cudaError_t error = get_stream(handle, &stream))
        return remember_error(error);
    if (!right)
        return remember_error(cudaErrorInvalidValue);
    if (performs_at_once()) {
        function();
        return cudaSuccess;
    }
    stream_operation o = make_operation(name, caller);
    o.perform = [function](const stream_operation &) { function(); };
    wait_for(issue(stream, std::move(o)));
    return cudaSuccess;
}

std::set<cudaEvent_t> events;

void reach(CUevent_st::record *record) { *record = {true, std::chrono::steady_clock::now()}; }

cudaError_t check_event(cudaEvent_t event) {
    runtime_guard guard;
    return sticky_error()        ? sticky_error()
           : events.count(event) ? cudaSuccess
                                 : cudaErrorInvalidResourceHandle;
}

/* Of a call that puts an event into a stream, which has no flags. */
cudaError_t check_event_in(cudaStream_t handle, cudaEvent_t event, unsigned flags,
                           CUstream_st **stream) {
    *stream = find_stream(handle);
    if (cudaError_t error = check_event(event))
        return error;
    return !*stream ? cudaErrorInvalidResourceHandle : flags ? cudaErrorInvalidValue : cudaSuccess;
}

} // namespace
} // namespace cudacpu

using namespace cudacpu;

extern "C" {

/* ---- streams ---- */

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority) {
    if (cudaError_t error = check_call(stream && flags <= cudaStreamNonBlocking))
        return error;
    *stream = create_stream(flags, std::clamp(priority, GREATEST_PRIORITY, LEAST_PRIORITY));
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    return cudaStreamCreateWithPriority(stream, flags, LEAST_PRIORITY);
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}
cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    runtime_guard guard;
    CUstream_st *stream = find_stream(handle);
    if (!stream || stream != handle) /* the default streams stay */
        return remember_error(cudaErrorInvalidResourceHandle);
    destroy_stream(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    CUstream_st *stream;
    if (cudaError_t error = get_stream(handle, &stream))
        return remember_error(error);
    wait_for(order_of(stream));
    return remember_error(sticky_error());
}
cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void *data) {
    return run_on_host(handle, function, __func__, __builtin_return_address(0),
                       [=] { function(data); });
}
cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void *data,
                                  unsigned flags) {
    return run_on_host(handle, function && !flags, __func__, __builtin_return_address(0),
                       [=] { function(handle, cudaSuccess, data); });
}

/* ---- events ---- */

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    if (cudaError_t error = check_call(event))
        return error;
    runtime_guard guard;
    *event = new CUevent_st{current_device(), !(flags & cudaEventDisableTiming), nullptr, {}, 0};
    events.insert(*event);
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    runtime_guard guard;
    if (!events.erase(event))
        return remember_error(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t handle, unsigned flags) {
    CUstream_st *stream;
    if (cudaError_t error = check_event_in(handle, event, flags, &stream))
        return remember_error(error);
    if (event->device != stream->device)
        return remember_error(cudaErrorInvalidResourceHandle);
    runtime_guard guard;
    auto record = std::make_shared<CUevent_st::record>();
    event->last = record;
    event->asked = 0;
    if (capturing)
        capturing->event_recorded(event, stream);
    if (performs_at_once()) {
        reach(record.get());
        return cudaSuccess;
    }
    stream_operation o = make_operation("cudaEventRecord", __builtin_return_address(0));
    o.perform = [record](const stream_operation &) { reach(record.get()); };
    event->order = issue(stream, std::move(o));
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    return cudaEventRecordWithFlags(event, stream, 0);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned flags) {
    CUstream_st *stream;
    if (cudaError_t error = check_event_in(handle, event, flags, &stream))
        return remember_error(error);
    if (capturing)
        capturing->event_awaited(stream, event);
    order_after(stream, event->order);
    return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    if (cudaError_t error = check_event(event))
        return remember_error(error);
    wait_for(event->order);
    return remember_error(sticky_error());
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    if (cudaError_t error = check_event(event))
        return remember_error(error);
    if (!is_done(event->order, &event->asked))
        return remember_error(cudaErrorNotReady);
    return remember_error(sticky_error());
}
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    if (cudaError_t error = check_call(milliseconds))
        return error;
    runtime_guard guard;
    if (check_event(start) || check_event(stop) || !start->last || !stop->last || !start->timed ||
        !stop->timed || start->device != stop->device)
        return remember_error(cudaErrorInvalidResourceHandle);
    if (!start->last->done || !stop->last->done)
        return remember_error(cudaErrorNotReady);
    const std::chrono::duration<double, std::milli> time = stop->last->when - start->last->when;
    *milliseconds = (float)time.count();
    return cudaSuccess;
}

} /* extern "C" */
