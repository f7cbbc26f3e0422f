/* groups.cpp - ncclGroupStart and ncclGroupEnd. */
#include "groups.h"
#include "faults.h"
#include "runtime/host/lock.h"
#include "runtime/host/program.h"
#include <cstdio>
#include <cstdlib>
#include <sys/syscall.h>
#include <unistd.h>

namespace cudacpu {
namespace {

struct group {
    unsigned depth = 0;
    void *caller; /* of the outermost ncclGroupStart */
    std::vector<nccl_call> calls;
    std::vector<std::pair<ncclComm *, void *>> made;
};
thread_local group mine;
/* Groups that are open and have calls, by thread: their ncclGroupStart, and a communicator. */
std::map<pid_t, std::pair<void *, ncclComm *>> &open_groups =
    *new std::map<pid_t, std::pair<void *, ncclComm *>>();

/* At the program's end. A thread that another one's exit() stops may be between the two calls. */
void check_open_groups() {
    runtime_guard guard;
    for (const auto &[thread, group] : open_groups)
        if (thread == gettid() || syscall(SYS_tgkill, getpid(), thread, 0) != 0)
            check_group_ended(group.second);
}

} // namespace

void check_group_ended(ncclComm *comm) {
    if (comm->mine().group)
        fail_communicator(comm->shared, comm->rank,
                          "rank " + std::to_string(comm->rank) +
                              ": a group was never ended, and its calls have not begun: "
                              "ncclGroupStart" +
                              name_place(comm->shared, comm->mine().group));
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
    open_groups[gettid()] = {mine.caller, call.comm};
    return true;
}

bool add_to_group(ncclComm *comm, void *caller) {
    if (mine.depth)
        mine.made.push_back({comm, caller});
    return mine.depth;
}

} // namespace cudacpu

using namespace cudacpu;

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

} /* extern "C" */
