/* copies.cpp - cudaMemcpy, cudaMemset and their kin, by rows; and copies of __device__ variables.
 * When each returns is what "API synchronization behavior" in the CUDA reference says. */
#include "calls.h"
#include "cudacpu/structures.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/host/text.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include "runtime/streams/async_mode.h"
#include "runtime/streams/stream_queue.h"
#include <algorithm>
#include <cstring>
#include <memory>

namespace cudacpu {

thread_local void *waits_in_thread;

namespace {

/* On one side: the device's, or the host's. */
struct rows {
    const void *pointer;
    size_t pitch, width, height;
    bool on_device;
};
struct copy {
    void *dst;
    size_t dst_pitch;
    const void *src;
    size_t src_pitch, width, height;
    cudaMemcpyKind kind;
};
struct filling {
    void *pointer;
    size_t pitch;
    int value;
    size_t width, height;
    size_t element = 1; /* bytes that value fills */
};
struct api_call {
    const char *name;
    void *caller;
    bool waits; /* it has no Async in its name */
    cudaStream_t stream;
};
#define ASYNC_CALL(stream)                                                                         \
    api_call { __func__, __builtin_return_address(0), false, stream }
/* One that takes no stream. */
#define WAITING_CALL                                                                               \
    api_call {                                                                                     \
        __func__, waits_in_thread ? waits_in_thread : __builtin_return_address(0), true,           \
            waits_in_thread ? cudaStreamPerThread : cudaStreamLegacy                               \
    }

/* The kind that cudaMemcpyDefault stands for, or what is wrong. */
cudaError_t check_kind(const void *dst, const void *src, cudaMemcpyKind *kind) {
    if (*kind < cudaMemcpyHostToHost || *kind > cudaMemcpyDefault)
        return explain(cudaErrorInvalidMemcpyDirection, "kind ", *kind,
                       " is none of cudaMemcpyKind");
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

rows target(const copy &c) { return {c.dst, c.dst_pitch, c.width, c.height, to_device(c.kind)}; }
rows source(const copy &c) { return {c.src, c.src_pitch, c.width, c.height, from_device(c.kind)}; }
rows target(const filling &f) { return {f.pointer, f.pitch, f.width, f.height, true}; }

/* Bytes from the first row's beginning to the last row's end; false: too many to count. */
bool count_bytes(const rows &r, size_t *bytes) {
    return !__builtin_mul_overflow(r.pitch, r.height - 1, bytes) &&
           !__builtin_add_overflow(*bytes, r.width, bytes);
}
bool lie_in_memory(const rows &r) {
    size_t bytes;
    return count_bytes(r, &bytes) && lie_on_side(r.pointer, bytes, r.on_device);
}
bool lie_in_memory(const copy &c) { return lie_in_memory(target(c)) && lie_in_memory(source(c)); }

/* What is wrong with where they are; "": nothing. */
std::string describe(const char *role, const rows &r) {
    size_t bytes;
    if (!count_bytes(r, &bytes))
        return text(r.height, " rows ", r.pitch, " bytes apart, more than there are addresses");
    if (lie_in_memory(r))
        return "";
    const allocation *a = find_live_allocation(r.pointer);
    const std::string all = cudacpu::count_bytes(bytes) + " at " + role;
    if (a && (r.on_device || a->kind != DEVICE_MEMORY)) {
        const ptrdiff_t from = (const char *)r.pointer - a->data;
        return text(all, from ? text(", byte ", from, " of an") : ", whose", " allocation",
                    from ? " of " : " has ", a->bytes);
    }
    if (in_program(r.pointer, 0))
        return all + ", a variable that has fewer";
    return text(role, r.on_device ? " is not a device pointer" : " is a device pointer");
}
cudaError_t explain_copy(const copy &c, const char *function) {
    static const char *const kinds[] = {"HostToHost", "HostToDevice", "DeviceToHost",
                                        "DeviceToDevice"};
    const std::string why = describe("dst", target(c));
    return explain(cudaErrorInvalidValue, function, " (cudaMemcpy", kinds[c.kind],
                   "): ", why.empty() ? describe("src", source(c)) : why);
}

/* Leaves of the copy what the host's arrays hold, where the observer knows that one is shorter. */
void cut_to_host_arrays(copy *c, const char *function) {
    for (const bool write : {true, false}) {
        const rows r = write ? target(*c) : source(*c);
        size_t bytes;
        if (r.on_device || !count_bytes(r, &bytes))
            continue;
        size_t there = bytes;
        tell(&observer::host_range_used, function, r.pointer, bytes, write, &there);
        if (there < bytes && r.height == 1)
            c->width = there;
        else if (there < bytes)
            c->height = there < r.width ? 0 : (there - r.width) / r.pitch + 1;
    }
}

void copy_rows(const copy &c) {
    if (c.dst_pitch == c.width && c.src_pitch == c.width)
        memmove(c.dst, c.src, c.width * c.height);
    else
        for (size_t row = 0; row < c.height; row++)
            memmove((char *)c.dst + row * c.dst_pitch, (const char *)c.src + row * c.src_pitch,
                    c.width);
}

/* The device in whose memory it lies, or HOST. on_device: the copy's kind says so. */
int device_of(const void *pointer, bool on_device) {
    const allocation *a = find_live_allocation(pointer);
    return a && a->kind == DEVICE_MEMORY ? a->device : on_device ? current_device() : HOST;
}

/* Does host code reach it, too? A copy's kind does not tell: variables lie on both sides. */
bool is_shared(const void *pointer) {
    const allocation *a = find_live_allocation(pointer);
    return !a || a->kind != DEVICE_MEMORY;
}

void perform_copy(const copy &c) {
    use_variables(current_device());
    const bool download = !is_shared(c.src) && is_shared(c.dst),
               upload = is_shared(c.src) && !is_shared(c.dst),
               fetch = from_device(c.kind) && is_shared(c.src) && is_shared(c.dst);
    if (observers::any())
        tell(&observer::transferred, device_of(c.src, from_device(c.kind)),
             device_of(c.dst, to_device(c.kind)), c.width * c.height);
    if (to_device(c.kind) && from_device(c.kind))
        tell(&observer::device_copied, c.dst, c.dst_pitch, c.src, c.src_pitch, c.width, c.height);
    else if (to_device(c.kind))
        tell(&observer::host_wrote, c.dst, c.dst_pitch, c.width, c.height);
    else if (from_device(c.kind))
        tell(&observer::host_reads, c.src, c.src_pitch, c.width, c.height);
    set_host_access(c.dst, true);
    set_host_access(c.src, true);
    if (download)
        tell(&observer::downloads, c.src, c.src_pitch, c.width, c.height);
    copy_rows(c);
    if (download)
        tell(&observer::downloaded, c.dst, c.dst_pitch, c.width, c.height);
    if (fetch)
        tell(&observer::fetched, c.dst, c.dst_pitch, c.width, c.height);
    if (upload)
        tell(&observer::uploaded, c.dst, c.dst_pitch, c.width, c.height);
    set_host_access(c.dst, false);
    set_host_access(c.src, false);
}

void perform_filling(const filling &f) {
    use_variables(current_device());
    tell(&observer::host_wrote, f.pointer, f.pitch, f.width, f.height);
    set_host_access(f.pointer, true);
    for (size_t row = 0; row < f.height; row++) {
        char *to = (char *)f.pointer + row * f.pitch;
        if (f.element == 1)
            memset(to, f.value, f.width);
        else
            for (size_t at = 0; at < f.width; at += f.element)
                memcpy(to + at, &f.value, f.element); /* the low bytes: little endian */
    }
    tell(&observer::filled);
    set_host_access(f.pointer, false);
}

/* The copy's source is staged: the program may change it, and the copy is done later. */
std::shared_ptr<char> stage(copy *c) {
    std::shared_ptr<char> staged(new char[c->width * c->height], std::default_delete<char[]>());
    copy_rows({staged.get(), c->width, c->src, c->src_pitch, c->width, c->height, c->kind});
    c->src = staged.get();
    c->src_pitch = c->width;
    return staged;
}

/* Memory of the host that was not allocated or registered by CUDA. */
bool is_pageable(const void *pointer) { return !find_live_allocation(pointer); }

/* A copy between the memories of two devices, in a default stream, comes after all that was given
 * to the two before, and before all that is given to them later. */
std::vector<CUstream_st *> find_joined(const copy &c, const CUstream_st *stream) {
    const int from = device_of(c.src, true), to = device_of(c.dst, true);
    if (stream->number != LEGACY_STREAM || from == to || c.kind != cudaMemcpyDeviceToDevice)
        return {};
    return {legacy_stream(from), legacy_stream(to)};
}

/* Gives the copy to its stream. */
void issue_copy(copy c, CUstream_st *stream, const api_call &call) {
    const bool upload = c.kind == cudaMemcpyHostToDevice, pageable = upload && is_pageable(c.src);
    stream_operation o = make_operation(call.name, call.caller);
    o.uses.push_back(
        {identify_variable(c.dst, stream->device), c.dst_pitch, c.width, c.height, true});
    if (!pageable)
        o.uses.push_back(
            {identify_variable(c.src, stream->device), c.src_pitch, c.width, c.height, false});
    if (pageable && call.waits)
        wait_for(order_of(stream));
    std::shared_ptr<char> staged =
        pageable && read_async_mode() != EARLY && !is_captured(stream) ? stage(&c) : nullptr;
    o.perform = [c, staged](const stream_operation &self) {
        if (lie_in_memory(target(c)) && (staged || lie_in_memory(source(c))))
            perform_copy(c);
        else
            fail_lost_memory(self);
    };
    const std::vector<CUstream_st *> joined = find_joined(c, stream);
    for (CUstream_st *other : joined)
        order_after(stream, order_of(other));
    const stream_clock issued = issue(stream, std::move(o));
    for (CUstream_st *other : joined)
        order_after(other, issued);
    const bool waits = upload                             ? !pageable && call.waits
                       : c.kind == cudaMemcpyDeviceToHost ? call.waits || is_pageable(c.dst)
                                                          : c.kind == cudaMemcpyHostToHost;
    if (waits)
        wait_for(issued);
}

cudaError_t do_copy(copy c, const api_call &call) {
    runtime_guard guard;
    CUstream_st *stream;
    if (cudaError_t error = get_stream(call.stream, &stream))
        return error;
    if (c.width == 0 || c.height == 0)
        return cudaSuccess;
    if (c.dst_pitch < c.width || c.src_pitch < c.width)
        return explain(cudaErrorInvalidPitchValue, call.name, ": a pitch of ",
                       cudacpu::count_bytes(std::min(c.dst_pitch, c.src_pitch)), " for rows of ",
                       c.width);
    if (!c.dst || !c.src)
        return explain(cudaErrorInvalidValue, call.name, ": ", c.dst ? "src" : "dst", " is NULL");
    if (cudaError_t error = check_kind(c.dst, c.src, &c.kind))
        return error;
    const copy whole = c;
    if (!to_device(c.kind))
        tell(&observer::host_memory_given, c.dst, call.name, call.caller);
    if (!from_device(c.kind))
        tell(&observer::host_memory_given, c.src, call.name, call.caller);
    if (observers::any())
        cut_to_host_arrays(&c, call.name);
    if (!lie_in_memory(whole)) {
        const bool is_freed =
            warn_of_freed(whole.dst, call.name) | warn_of_freed(whole.src, call.name);
        return is_freed ? cudaErrorInvalidValue : explain_copy(whole, call.name);
    }
    if (c.width < whole.width || c.height < whole.height) {
        if (to_device(c.kind)) /* what is left out counts as written: one fault is enough */
            tell(&observer::host_wrote, whole.dst, whole.dst_pitch, whole.width, whole.height);
        if (c.width == 0 || c.height == 0)
            return cudaSuccess;
    }
    if (performs_at_once())
        perform_copy(c);
    else
        issue_copy(c, stream, call);
    return sticky_error();
}

cudaError_t do_filling(const filling &f, const api_call &call) {
    runtime_guard guard;
    CUstream_st *stream;
    if (cudaError_t error = get_stream(call.stream, &stream))
        return error;
    if (f.width == 0 || f.height == 0)
        return cudaSuccess;
    if (f.height > 1 && f.pitch < f.width)
        return explain(cudaErrorInvalidValue, call.name, ": a pitch of ",
                       cudacpu::count_bytes(f.pitch), " for rows of ", f.width);
    if (!f.pointer)
        return explain(cudaErrorInvalidValue, call.name, ": the pointer is NULL");
    if (!lie_in_memory(target(f)))
        return warn_of_freed(f.pointer, call.name) ? cudaErrorInvalidValue
                                                   : explain(cudaErrorInvalidValue, call.name, ": ",
                                                             describe("the pointer", target(f)));
    if (performs_at_once()) {
        perform_filling(f);
        return cudaSuccess;
    }
    stream_operation o = make_operation(call.name, call.caller);
    o.uses.push_back({f.pointer, f.pitch, f.width, f.height, true});
    o.perform = [f](const stream_operation &self) {
        if (lie_in_memory(target(f)))
            perform_filling(f);
        else
            fail_lost_memory(self);
    };
    const stream_clock issued = issue(stream, std::move(o));
    const allocation *a = find_live_allocation(f.pointer);
    if (call.waits && a && a->kind != DEVICE_MEMORY)
        wait_for(issued);
    return sticky_error();
}

/* Peers need no access to each other: the copy goes through the host then. */
cudaError_t copy_between(void *dst, int dst_device, const void *src, int src_device, size_t bytes,
                         const api_call &call) {
    if (!is_device(dst_device) || !is_device(src_device))
        return cudaErrorInvalidDevice;
    runtime_guard guard;
    const int to = device_of(dst, false), from = device_of(src, false);
    if ((to != HOST && to != dst_device) || (from != HOST && from != src_device))
        return cudaErrorInvalidValue;
    return do_copy({dst, bytes, src, bytes, bytes, 1, cudaMemcpyDeviceToDevice}, call);
}

} // namespace

cudaError_t copy_symbol(char *symbol, size_t size, void *to, const void *from, size_t bytes,
                        size_t offset, bool to_symbol, cudaMemcpyKind kind, cudaStream_t stream,
                        bool asynchronous) {
    if (sticky_error())
        return remember_error(sticky_error());
    CUstream_st *queue = find_stream(stream);
    if (!queue || queue->device != current_device()) /* whose variable is it? */
        return remember_error(cudaErrorInvalidResourceHandle);
    if (offset > size || bytes > size - offset)
        return remember_error(explain(cudaErrorInvalidValue, cudacpu::count_bytes(bytes),
                                      " from byte ", offset, " on, of a variable of ", size));
    if (kind != cudaMemcpyDefault && kind != cudaMemcpyDeviceToDevice &&
        kind != (to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost))
        return remember_error(cudaErrorInvalidMemcpyDirection);
    if (kind == cudaMemcpyDefault)
        kind = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
    static const char *const names[2][2] = {
        {"cudaMemcpyFromSymbol", "cudaMemcpyToSymbol"},
        {"cudaMemcpyFromSymbolAsync", "cudaMemcpyToSymbolAsync"}};
    const api_call call = {names[asynchronous][to_symbol], __builtin_return_address(0),
                           !asynchronous, stream};
    void *dst = to_symbol ? symbol + offset : (char *)to;
    const void *src = to_symbol ? (const char *)from : symbol + offset;
    return remember_error(do_copy({dst, bytes, src, bytes, bytes, 1, kind}, call));
}

bool can_copy(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
              size_t height, cudaMemcpyKind kind) {
    runtime_guard guard;
    return check_kind(dst, src, &kind) != cudaSuccess ||
           lie_in_memory({dst, dst_pitch, src, src_pitch, width, height, kind});
}
bool can_fill(void *pointer, size_t pitch, size_t width, size_t height) {
    runtime_guard guard;
    return lie_in_memory({pointer, pitch, width, height, true});
}

cudaError_t fill_elements(void *dst, size_t pitch, unsigned value, size_t element, size_t width,
                          size_t height, cudaStream_t stream) {
    if ((element != 1 && element != 2 && element != 4) || (size_t)dst % element)
        return cudaErrorInvalidValue;
    size_t bytes;
    if (__builtin_mul_overflow(width, element, &bytes))
        return cudaErrorInvalidValue;
    return do_filling({dst, height > 1 ? pitch : bytes, (int)value, bytes, height, element},
                      ASYNC_CALL(stream));
}

void know_padding(const void *memory, const unsigned char *mask, size_t bytes) {
    runtime_guard guard;
    tell(&observer::padding_known, memory, mask, bytes);
}
void know_structure(const void *memory, const unsigned char *mask, size_t bytes) {
    runtime_guard guard;
    tell(&observer::structure_known, memory, mask, bytes);
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

cudaError_t cudaMemcpy(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind) {
    return remember_error(do_copy({dst, bytes, src, bytes, bytes, 1, kind}, WAITING_CALL));
}
cudaError_t cudaMemcpy2D(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                         size_t width, size_t height, enum cudaMemcpyKind kind) {
    return remember_error(
        do_copy({dst, dst_pitch, src, src_pitch, width, height, kind}, WAITING_CALL));
}
cudaError_t cudaMemset(void *pointer, int value, size_t bytes) {
    return remember_error(do_filling({pointer, bytes, value, bytes, 1}, WAITING_CALL));
}
cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    return remember_error(do_filling({pointer, pitch, value, width, height}, WAITING_CALL));
}
cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return remember_error(do_copy({dst, bytes, src, bytes, bytes, 1, kind}, ASYNC_CALL(stream)));
}
cudaError_t cudaMemcpy2DAsync(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                              size_t width, size_t height, enum cudaMemcpyKind kind,
                              cudaStream_t stream) {
    return remember_error(
        do_copy({dst, dst_pitch, src, src_pitch, width, height, kind}, ASYNC_CALL(stream)));
}
cudaError_t cudaMemsetAsync(void *pointer, int value, size_t bytes, cudaStream_t stream) {
    return remember_error(do_filling({pointer, bytes, value, bytes, 1}, ASYNC_CALL(stream)));
}
cudaError_t cudaMemset2DAsync(void *pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream) {
    return remember_error(do_filling({pointer, pitch, value, width, height}, ASYNC_CALL(stream)));
}
cudaError_t cudaMemcpyPeer(void *dst, int dst_device, const void *src, int src_device,
                           size_t bytes) {
    return remember_error(copy_between(dst, dst_device, src, src_device, bytes, WAITING_CALL));
}
cudaError_t cudaMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                size_t bytes, cudaStream_t stream) {
    return remember_error(
        copy_between(dst, dst_device, src, src_device, bytes, ASYNC_CALL(stream)));
}

} /* extern "C" */
