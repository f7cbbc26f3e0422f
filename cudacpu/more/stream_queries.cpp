/* stream_queries.cpp - what may be asked of a stream, and its window for the cache: a hint, which
 * is kept. */
#include "runtime/host/errors.h"
#include "runtime/streams/stream_queue.h"

using namespace cudacpu;

namespace {

/* What ask finds of the stream goes to *answer. */
template <class T, class Ask> cudaError_t tell(cudaStream_t handle, T *answer, Ask ask) {
    CUstream_st *stream;
    if (cudaError_t error = get_stream(handle, &stream))
        return remember_error(error);
    if (!answer)
        return remember_error(cudaErrorInvalidValue);
    *answer = ask(stream);
    return cudaSuccess;
}

bool is_window(cudaStreamAttrID attribute, const cudaStreamAttrValue *value) {
    return value && attribute == cudaStreamAttributeAccessPolicyWindow;
}

} // namespace

extern "C" {

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = LEAST_PRIORITY;
    if (greatest)
        *greatest = GREATEST_PRIORITY;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t handle, int *priority) {
    return tell(handle, priority, [](CUstream_st *stream) { return stream->priority; });
}
cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned *flags) {
    return tell(handle, flags, [](CUstream_st *stream) { return stream->flags; });
}
cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long *id) {
    return tell(handle, id, [](CUstream_st *stream) {
        return (unsigned long long)stream->device << 32 | stream->number;
    });
}
cudaError_t cudaStreamGetDevice(cudaStream_t handle, int *device) {
    return tell(handle, device, [](CUstream_st *stream) { return stream->device; });
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    CUstream_st *target, *source;
    if (cudaError_t error = get_stream(to, &target))
        return remember_error(error);
    if (cudaError_t error = get_stream(from, &source))
        return remember_error(error);
    target->window = source->window;
    return cudaSuccess;
}
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   const cudaStreamAttrValue *value) {
    CUstream_st *stream;
    if (cudaError_t error = get_stream(handle, &stream))
        return remember_error(error);
    if (!is_window(attribute, value) ||
        !(value->accessPolicyWindow.hitRatio >= 0 && value->accessPolicyWindow.hitRatio <= 1))
        return remember_error(cudaErrorInvalidValue);
    stream->window = value->accessPolicyWindow;
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t handle, cudaStreamAttrID attribute,
                                   cudaStreamAttrValue *value) {
    CUstream_st *stream;
    if (cudaError_t error = get_stream(handle, &stream))
        return remember_error(error);
    if (!is_window(attribute, value))
        return remember_error(cudaErrorInvalidValue);
    value->accessPolicyWindow = stream->window;
    return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
    CUstream_st *stream;
    if (cudaError_t error = get_stream(handle, &stream))
        return remember_error(error);
    if (!is_done(order_of(stream), &stream->asked))
        return remember_error(cudaErrorNotReady);
    return remember_error(sticky_error());
}

} /* extern "C" */
