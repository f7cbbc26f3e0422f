/* call.cpp - gives a call to its stream; and checks the memory that it uses. */
#include "call.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "runtime/memory/protection.h"
#include "runtime/streams/stream_queue.h"
#include <cstdio>

namespace cudacpu::cublas {
namespace {

size_t bytes_of(const operand &o) {
    return ((size_t)(o.columns - 1) * (size_t)o.ld + (size_t)o.rows) * o.size;
}
bool is_empty(const operand &o) { return o.rows <= 0 || o.columns <= 0; }

/* What is wrong with the operand, or nothing. */
std::string check(const operand &o) {
    const size_t bytes = bytes_of(o);
    if (lie_on_side(o.pointer, bytes, true))
        return "";
    const allocation *a = find_live_allocation(o.pointer);
    const std::string wants = text(o.name, " wants ", bytes, " bytes of device memory");
    if (!a)
        return wants + (o.pointer ? ", and points to host memory" : ", and is NULL");
    return text(wants, ", which go ", (const char *)o.pointer + bytes - (a->data + a->bytes),
                " bytes past an allocation of ", a->bytes);
}

void perform(const char *name, const std::vector<operand> &operands,
             const std::function<void()> &work) {
    for (const operand &o : operands) {
        const std::string problem = is_empty(o) ? "" : check(o);
        if (problem.empty())
            continue;
        const std::string sentence = text(name, ": ", problem);
        fflush(stdout);
        say(sentence);
        tell(&observer::fault, "out of bounds", "", 0, sentence.c_str());
        make_sticky(cudaErrorIllegalAddress);
        return;
    }
    for (const operand &o : operands)
        if (!is_empty(o)) {
            const size_t pitch = (size_t)o.ld * o.size, width = (size_t)o.rows * o.size;
            if (o.write)
                tell(&observer::host_wrote, o.pointer, pitch, width, (size_t)o.columns);
            set_host_access(o.pointer, true);
        }
    work();
    for (const operand &o : operands)
        if (!is_empty(o))
            set_host_access(o.pointer, false);
}

} // namespace

cublasStatus_t issue(cublasHandle_t handle, const char *name, void *caller,
                     const std::vector<operand> &operands, std::function<void()> work, bool waits) {
    runtime_guard guard;
    if (sticky_error())
        return CUBLAS_STATUS_EXECUTION_FAILED;
    CUstream_st *stream = find_stream(handle->stream);
    if (!stream)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (performs_at_once()) {
        perform(name, operands, work);
        return sticky_error() ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
    }
    stream_operation o = make_operation(name, caller);
    for (const operand &p : operands)
        if (!is_empty(p))
            o.uses.push_back({p.pointer, (size_t)p.ld * p.size, (size_t)p.rows * p.size,
                              (size_t)p.columns, p.write});
    o.perform = [=](const stream_operation &) { perform(name, operands, work); };
    const stream_clock issued = cudacpu::issue(stream, std::move(o));
    if (waits)
        wait_for(issued);
    return sticky_error() ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

} // namespace cudacpu::cublas
