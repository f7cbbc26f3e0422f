/* calls.cpp - the collectives, send and receive: checks what the program says, and issues. */
#include "faults.h"
#include "groups.h"
#include "reduction.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/lock.h"
#include "runtime/host/program.h"
#include "runtime/memory/allocation.h"
#include "runtime/streams/stream_queue.h"

namespace cudacpu {
namespace {

ncclResult_t refuse(const nccl_call &c, const std::string &what) {
    return set_nccl_error(ncclInvalidArgument, std::string(name_of(c.kind)) + ": " + what);
}

/* "" or what is wrong with memory that the rank sends or receives. */
std::string check_memory(const nccl_call &c, const void *pointer, size_t bytes, const char *what) {
    if (!bytes)
        return "";
    if (!pointer)
        return std::string(what) + " is NULL";
    const allocation *a = find_live_allocation(pointer);
    const char *at = static_cast<const char *>(pointer);
    if (a && at + bytes > a->data + a->bytes)
        return std::string(what) + " is " + std::to_string(bytes) + " bytes, and only " +
               std::to_string(a->data + a->bytes - at) + " of them lie in their allocation";
    if (const allocation *freed = a ? nullptr : find_allocation(pointer); freed && freed->freed)
        return std::string(what) + " was freed";
    if (!lie_on_side(pointer, bytes, true))
        return std::string(what) + " is no device memory of " + std::to_string(bytes) + " bytes";
    if (a && a->kind == DEVICE_MEMORY && a->device != c.comm->device)
        return std::string(what) + " is memory of device " + std::to_string(a->device) +
               ", the communicator's rank has device " + std::to_string(c.comm->device);
    return "";
}

/* What a rank sends and receives may lie at one place: where its own part of the result is. */
bool overlaps_wrongly(const nccl_call &c) {
    const size_t sent = bytes_sent(c), received = bytes_received(c);
    const char *send = static_cast<const char *>(c.send),
               *receive = static_cast<const char *>(c.receive);
    if (!sent || !received || send + sent <= receive || receive + received <= send)
        return false;
    const size_t part = c.count * size_of(c.type) * (size_t)c.comm->rank;
    return c.kind == ALL_GATHER       ? send != receive + part
           : c.kind == REDUCE_SCATTER ? receive != send + part
                                      : send != receive;
}

ncclResult_t check_and_issue(nccl_call c, cudaStream_t stream) {
    runtime_guard guard;
    if (!communicators().count(c.comm))
        return set_nccl_error(ncclInvalidArgument,
                              std::string(name_of(c.kind)) + ": this is no communicator");
    if (c.comm->aborted || c.comm->finalized)
        return refuse(c, c.comm->aborted ? "the communicator was aborted"
                                         : "the communicator was finalized");
    if (sticky_error())
        return set_nccl_error(ncclUnhandledCudaError, std::string(name_of(c.kind)) + ": " +
                                                          cudaGetErrorString(sticky_error()));
    if (!size_of(c.type))
        return refuse(c, "there is no data type " + std::to_string((int)c.type));
    if (!name_of(c.op))
        return refuse(c, "there is no operation " + std::to_string((int)c.op));
    if (c.root < 0 || c.root >= c.comm->ranks)
        return refuse(c, "there is no rank " + std::to_string(c.root));
    {
        device_scope scope(c.comm->device);
        c.stream = find_stream(stream);
    }
    if (!c.stream || c.stream->device != c.comm->device)
        return refuse(c, "the stream is none of the rank's device");
    for (const std::string &wrong :
         {check_memory(c, c.send, bytes_sent(c), "what it sends"),
          check_memory(c, c.receive, bytes_received(c), "where it receives")})
        if (!wrong.empty())
            return refuse(c, wrong);
    if (overlaps_wrongly(c))
        fail_communicator(c.comm->shared, c.comm->rank,
                          "rank " + std::to_string(c.comm->rank) + " calls " + name_of(c.kind) +
                              name_place(c.comm->shared, (uintptr_t)c.caller - program_base()) +
                              ": what it sends overlaps where it receives, and is not its own part "
                              "of that (in place)");
    if (is_captured(c.stream))
        return refuse(c, "cudacpu does not capture calls of nccl.h into graphs");
    if (c.count && !add_to_group(c))
        issue_calls({c});
    return ncclSuccess;
}

} // namespace
} // namespace cudacpu

using namespace cudacpu;
#define CALLER __builtin_return_address(0)

extern "C" {

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {comm, BROADCAST, CALLER, send, receive, count, type, ncclSum, root, nullptr, false},
        stream);
}
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
    return check_and_issue(
        {comm, BROADCAST, CALLER, buffer, buffer, count, type, ncclSum, root, nullptr, false},
        stream);
}
ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {comm, ALL_GATHER, CALLER, send, receive, count, type, ncclSum, 0, nullptr, false}, stream);
}
ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {comm, REDUCE, CALLER, send, receive, count, type, op, root, nullptr, false}, stream);
}
ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {comm, ALL_REDUCE, CALLER, send, receive, count, type, op, 0, nullptr, false}, stream);
}
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {comm, REDUCE_SCATTER, CALLER, send, receive, count, type, op, 0, nullptr, false}, stream);
}
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {comm, SEND, CALLER, send, nullptr, count, type, ncclSum, peer, nullptr, false}, stream);
}
ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return check_and_issue(
        {comm, RECEIVE, CALLER, nullptr, receive, count, type, ncclSum, peer, nullptr, false},
        stream);
}

} /* extern "C" */
