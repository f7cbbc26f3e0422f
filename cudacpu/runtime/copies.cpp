/* copies.cpp - cudaMemcpy, cudaMemset and their kin, by rows; and copies of __device__ variables.
 */
#include "allocation.h"
#include "cudacpu/typed_api.h"
#include "errors.h"
#include "lock.h"
#include "observer.h"
#include "streams.h"
#include <cstring>

namespace cudacpu {
namespace {

/* The kind that cudaMemcpyDefault stands for, or what is wrong. */
cudaError_t check_kind(const void *dst, const void *src, cudaMemcpyKind *kind) {
    if (*kind < cudaMemcpyHostToHost || *kind > cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    if (*kind == cudaMemcpyDefault) {
        const allocation *d = find_live_allocation(dst), *s = find_live_allocation(src);
        int to = d && d->kind == DEVICE_MEMORY, from = s && s->kind == DEVICE_MEMORY;
        *kind = to ? (from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
                   : (from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
    }
    return cudaSuccess;
}
bool to_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
}
bool from_device(cudaMemcpyKind kind) {
    return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
}

cudaError_t copy_rows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind) {
    runtime_guard guard;
    if (sticky_error())
        return sticky_error();
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (dst_pitch < width || src_pitch < width)
        return cudaErrorInvalidPitchValue;
    if (!dst || !src)
        return cudaErrorInvalidValue;
    if (cudaError_t error = check_kind(dst, src, &kind))
        return error;
    size_t dst_bytes, src_bytes;
    if (__builtin_mul_overflow(dst_pitch, height - 1, &dst_bytes) ||
        __builtin_add_overflow(dst_bytes, width, &dst_bytes) ||
        __builtin_mul_overflow(src_pitch, height - 1, &src_bytes) ||
        __builtin_add_overflow(src_bytes, width, &src_bytes))
        return cudaErrorInvalidValue;
    if (!lie_on_side(dst, dst_bytes, to_device(kind)) ||
        !lie_on_side(src, src_bytes, from_device(kind)))
        return cudaErrorInvalidValue;
    if (observing && to_device(kind) && from_device(kind))
        observing->device_copied(dst, dst_pitch, src, src_pitch, width, height);
    else if (observing && to_device(kind))
        observing->host_wrote(dst, dst_pitch, width, height);
    else if (observing && from_device(kind))
        observing->host_reads(src, src_pitch, width, height);
    set_host_access(dst, true);
    set_host_access(src, true);
    if (dst_pitch == width && src_pitch == width)
        memmove(dst, src, width * height);
    else
        for (size_t row = 0; row < height; row++)
            memmove((char *)dst + row * dst_pitch, (const char *)src + row * src_pitch, width);
    set_host_access(dst, false);
    set_host_access(src, false);
    return cudaSuccess;
}

cudaError_t set_rows(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    runtime_guard guard;
    if (sticky_error())
        return sticky_error();
    if (width == 0 || height == 0)
        return cudaSuccess;
    if (height > 1 && pitch < width)
        return cudaErrorInvalidValue;
    size_t bytes;
    if (__builtin_mul_overflow(pitch, height - 1, &bytes) ||
        __builtin_add_overflow(bytes, width, &bytes) || !pointer ||
        !lie_on_side(pointer, bytes, true))
        return cudaErrorInvalidValue;
    if (observing)
        observing->host_wrote(pointer, pitch, width, height);
    set_host_access(pointer, true);
    for (size_t row = 0; row < height; row++)
        memset((char *)pointer + row * pitch, value, width);
    set_host_access(pointer, false);
    return cudaSuccess;
}

} // namespace

cudaError_t copy_symbol(char *symbol, size_t size, void *to, const void *from, size_t bytes,
                        size_t offset, bool to_symbol, cudaMemcpyKind kind) {
    if (sticky_error())
        return remember_error(sticky_error());
    if (offset > size || bytes > size - offset)
        return remember_error(cudaErrorInvalidValue);
    if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice &&
        kind != (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost))
        return remember_error(cudaErrorInvalidMemcpyDirection);
    const void *other = to_symbol ? from : to;
    if (!lie_on_side(other, bytes, kind == cudaMemcpyDeviceToDevice))
        return remember_error(cudaErrorInvalidValue);
    set_host_access(other, true);
    if (to_symbol)
        memcpy(symbol + offset, from, bytes);
    else
        memcpy(to, symbol + offset, bytes);
    set_host_access(other, false);
    return cudaSuccess;
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
    return remember_error(copy_rows(dst, bytes, src, bytes, bytes, 1, kind));
}
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
    return remember_error(copy_rows(dst, dst_pitch, src, src_pitch, width, height, kind));
}
cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
    return remember_error(set_rows(pointer, bytes, value, bytes, 1));
}
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    return remember_error(set_rows(pointer, pitch, value, width, height));
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemcpy(dst, src, bytes, kind)
                                : remember_error(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemcpy2D(dst, dst_pitch, src, src_pitch, width, height, kind)
                                : remember_error(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemset(pointer, value, bytes)
                                : remember_error(cudaErrorInvalidResourceHandle);
}
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return valid_stream(stream) ? cudaMemset2D(pointer, pitch, value, width, height)
                                : remember_error(cudaErrorInvalidResourceHandle);
}

} /* extern "C" */
