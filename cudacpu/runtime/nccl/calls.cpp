/* calls.cpp - the collectives, send and receive: checks what the program says, and issues. */
#include "communicator.h"
#include "exchange.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/memory/allocation.h"
#include "runtime/streams/stream_queue.h"
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

namespace cudacpu {

/* ---- groups ---- */

namespace {

struct group {
    unsigned depth = 0;
    void *caller; /* of the outermost ncclGroupStart */
    std::vector<nccl_call> calls;
    std::vector<std::pair<ncclComm *, void *>> made;
};
thread_local group mine;
/* Of each thread whose open group has calls, the communicator of one. */
std::map<pid_t, ncclComm *> &open_groups = *new std::map<pid_t, ncclComm *>();

/* At the program's end. A thread that another one's exit() stops may be between the two calls. */
void check_open_groups() {
    runtime_guard guard;
    for (const auto &[thread, comm] : open_groups)
        if (thread == gettid() || syscall(SYS_tgkill, getpid(), thread, 0) != 0)
            check_group_ended(comm);
}

/* ---- calls ---- */

template <class... Part> ncclResult_t refuse(const nccl_call &c, const Part &...what) {
    return set_nccl_error(ncclInvalidArgument, name_of(c.kind), ": ", what...);
}

/* "" or what is wrong with memory that the rank sends or receives. */
std::string check_memory(const nccl_call &c, const void *pointer, size_t bytes, const char *what) {
    if (!bytes)
        return "";
    if (!pointer)
        return text(what, " is NULL");
    const allocation *a = find_live_allocation(pointer);
    const char *at = static_cast<const char *>(pointer);
    if (a && at + bytes > a->data + a->bytes)
        return text(what, " is ", bytes, " bytes, and only ", a->data + a->bytes - at,
                    " of them lie in their allocation");
    if (const allocation *freed = a ? nullptr : find_allocation(pointer); freed && freed->freed)
        return text(what, " was freed");
    if (!lie_on_side(pointer, bytes, true))
        return text(what, " is no device memory of ", bytes, " bytes");
    if (a && a->kind == DEVICE_MEMORY && a->device != c.comm->device)
        return text(what, " is memory of device ", a->device,
                    ", the communicator's rank has device ", c.comm->device);
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

} // namespace

void check_group_ended(ncclComm *comm) {
    if (comm->mine().group)
        fail_communicator(comm, name_rank(comm->rank),
                          ": a group was never ended, and its calls have not begun: "
                          "ncclGroupStart",
                          name_place(comm, comm->mine().group));
}

bool add_to_group(const nccl_call &call) {
    if (!mine.depth)
        return false;
    static const int registered = atexit(check_open_groups);
    (void)registered;
    runtime_guard guard;
    mine.calls.push_back(call);
    mine.calls.back().in_group = true;
    call.comm->mine().group = (uintptr_t)mine.caller - program_base();
    open_groups[gettid()] = call.comm;
    return true;
}

bool add_to_group(ncclComm *comm, void *caller) {
    if (mine.depth)
        mine.made.push_back({comm, caller});
    return mine.depth;
}

ncclResult_t check_and_issue(nccl_call c, cudaStream_t stream) {
    runtime_guard guard;
    if (!communicators().count(c.comm))
        return refuse(c, "this is no communicator");
    if (c.comm->aborted || c.comm->finalized)
        return refuse(c, c.comm->aborted ? "the communicator was aborted"
                                         : "the communicator was finalized");
    if (sticky_error())
        return set_nccl_error(ncclUnhandledCudaError, name_of(c.kind), ": ",
                              cudaGetErrorString(sticky_error()));
    if (!size_of(c.type))
        return refuse(c, "there is no data type ", c.type);
    if (!name_of(c.op))
        return refuse(c, "there is no operation ", c.op);
    if (c.root < 0 || c.root >= c.comm->ranks)
        return refuse(c, "there is no rank ", c.root);
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
        fail_communicator(c.comm, name_rank(c.comm->rank), " calls ", name_of(c.kind),
                          name_place(c.comm, (uintptr_t)c.caller - program_base()),
                          ": what it sends overlaps where it receives, and is not its own part "
                          "of that (in place)");
    if (is_captured(c.stream))
        return refuse(c, "cudacpu does not capture calls of nccl.h into graphs");
    if (c.count && !add_to_group(c))
        issue_calls({c});
    return ncclSuccess;
}

} // namespace cudacpu

using namespace cudacpu;

#define CALLER __builtin_return_address(0)

extern "C" {

ncclResult_t ncclGroupStart(void) {
    if (mine.depth++ == 0)
        mine.caller = __builtin_return_address(0);
    return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
    if (!mine.depth)
        return set_nccl_error(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
    if (--mine.depth)
        return ncclSuccess;
    ncclResult_t result = ncclSuccess;
    for (const auto &made : mine.made)
        if (ncclResult_t error = wait_for_ranks(made.first, made.second))
            result = error;
    mine.made.clear();
    if (result)
        return result;
    const std::vector<nccl_call> calls = std::move(mine.calls);
    mine.calls.clear();
    {
        runtime_guard guard;
        for (const nccl_call &c : calls)
            c.comm->mine().group = 0;
        open_groups.erase(gettid());
    }
    issue_calls(calls);
    return ncclSuccess;
}

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue({{BROADCAST, count, type, root}, comm, CALLER, send, receive}, stream);
}
ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue({{SEND, count, type, peer}, comm, CALLER, send, nullptr}, stream);
}
ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
    return check_and_issue({{RECEIVE, count, type, peer}, comm, CALLER, nullptr, receive}, stream);
}

} /* extern "C" */
