/* communicator.cpp - communicators are made, asked, and destroyed. */
#include "communicator.h"
#include "exchange.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/process.h"
#include "runtime/streams/stream_queue.h"
#include <cstdlib>
#include <unistd.h>
#include <vector>

namespace cudacpu {
namespace {

std::set<ncclComm *> &all = *new std::set<ncclComm *>();

/* At the program's end: the other ranks may still need what these have sent. */
void leave_all() {
    perform_rest();
    runtime_guard guard;
    for (ncclComm *comm : std::set<ncclComm *>(all)) {
        settle(comm);
        comm->mine().state = LEFT;
        comm->shared->progress++;
    }
}

/* NULL: an error was set. */
ncclComm *join(nccl_segment *shared, int ranks, int rank) {
    static const int registered = atexit(leave_all);
    (void)registered;
    int said = 0;
    if (!shared->ranks.compare_exchange_strong(said, ranks) && said != ranks) {
        set_nccl_error(ncclInvalidArgument, name_rank(rank), " says that there are ", ranks,
                       " ranks, another says ", said);
        return nullptr;
    }
    shared_rank &r = shared->rank[rank];
    int absent = ABSENT;
    if (!r.busy.compare_exchange_strong(absent, 1) || r.state != ABSENT) {
        set_nccl_error(ncclInvalidArgument, name_rank(rank), " is there already");
        return nullptr;
    }
    r.process = getpid();
    r.device = current_device();
    r.state = RUNNING;
    r.busy = 0;
    shared->progress++;
    runtime_guard guard;
    return *all.insert(new ncclComm{shared, rank, ranks, r.device}).first;
}

std::vector<int> find_absent(const nccl_segment *shared, int ranks) {
    std::vector<int> absent;
    for (int rank = 0; rank < ranks; rank++)
        if (shared->rank[rank].state == ABSENT)
            absent.push_back(rank);
    return absent;
}

/* Which ranks have the same device, or "". Processes with one device each stand for machines. */
std::string find_device_twice(const ncclComm *comm) {
    const shared_rank *all_ranks = comm->shared->rank;
    for (int a = 0; a < comm->ranks; a++)
        for (int b = a + 1; b < comm->ranks; b++)
            if (all_ranks[a].device == all_ranks[b].device &&
                (all_ranks[a].process == all_ranks[b].process || device_count() > 1))
                return text("ranks ", a, " and ", b, " both have device ", all_ranks[a].device,
                            ": each has one of its own (cudaSetDevice comes before)");
    return "";
}

void leave(ncclComm *comm) {
    comm->mine().state = LEFT;
    comm->shared->progress++;
    all.erase(comm);
    delete comm;
}

thread_local std::string last_error;

} // namespace

const std::set<ncclComm *> &communicators() { return all; }

ncclResult_t keep_nccl_error(ncclResult_t result, const std::string &sentence) {
    last_error = sentence;
    note_failed_nccl_call(sentence.c_str());
    return result;
}

ncclResult_t check_communicator(const ncclComm *comm, const void *out, const char *name) {
    runtime_guard guard;
    if (all.count(const_cast<ncclComm *>(comm)) && out)
        return ncclSuccess;
    return set_nccl_error(ncclInvalidArgument, name,
                          out ? ": this is no communicator" : ": a pointer is NULL");
}

ncclResult_t wait_for_ranks(ncclComm *comm, void *caller) {
    const unsigned MOMENT = 500; /* microseconds */
    double waited = 0;
    for (;;) {
        end_if_failed(comm);
        const std::vector<int> absent = find_absent(comm->shared, comm->ranks);
        if (absent.empty())
            break;
        if (waited > patience()) {
            std::string who;
            for (int rank : absent)
                who += text(who.empty() ? " " : ", ", rank);
            fail_communicator(
                comm, name_rank(comm->rank), " of ", comm->ranks, " waits in ncclCommInitRank",
                name_place(comm, (uintptr_t)caller - program_base()),
                ", and of the others these have not come for ", patience(),
                " s (CUDACPU_NCCL_TIMEOUT): rank", who,
                "; one thread that makes several ranks does it between ncclGroupStart and "
                "ncclGroupEnd");
        }
        usleep(MOMENT);
        waited += 1e-6 * MOMENT;
    }
    bool spans = false;
    for (int rank = 0; rank < comm->ranks; rank++)
        spans |= comm->shared->rank[rank].process != getpid();
    comm->spans_processes = spans;
    const std::string twice = find_device_twice(comm);
    if (!twice.empty()) {
        runtime_guard guard;
        leave(comm);
        return set_nccl_error(ncclInvalidUsage, "ncclCommInitRank: ", twice);
    }
    if (spans)
        start_server(comm->shared);
    return ncclSuccess;
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
    if (!id)
        return set_nccl_error(ncclInvalidArgument, "ncclGetUniqueId: the id is NULL");
    return make_id(id) ? ncclSuccess
                       : set_nccl_error(ncclSystemError, "ncclGetUniqueId: no memory to share");
}

ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
    if (!comm || ranks < 1 || rank < 0 || rank >= ranks || ranks > nccl_segment::MOST_RANKS)
        return set_nccl_error(ncclInvalidArgument, "ncclCommInitRank: ", name_rank(rank), " of ",
                              ranks, " (at most ", nccl_segment::MOST_RANKS, ")");
    std::string why;
    nccl_segment *shared = find_segment(id, &why);
    if (!shared)
        return set_nccl_error(ncclInvalidArgument, "ncclCommInitRank: ", why);
    *comm = join(shared, ranks, rank);
    if (!*comm)
        return ncclInvalidArgument;
    void *caller = __builtin_return_address(0);
    return add_to_group(*comm, caller) ? ncclSuccess : wait_for_ranks(*comm, caller);
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int devices, const int *list) {
    ncclUniqueId id;
    if (!comms || devices < 1 || devices > device_count())
        return set_nccl_error(ncclInvalidArgument, "ncclCommInitAll: ", devices,
                              " devices; there are ", device_count());
    for (int i = 0; list && i < devices; i++)
        if (!is_device(list[i]))
            return set_nccl_error(ncclInvalidArgument, "ncclCommInitAll: there is no device ",
                                  list[i]);
    std::string why;
    nccl_segment *shared = make_id(&id) ? find_segment(id, &why) : nullptr;
    if (!shared)
        return set_nccl_error(ncclSystemError, "ncclCommInitAll: no memory to share");
    for (int i = 0; i < devices; i++) {
        device_scope scope(list ? list[i] : i);
        comms[i] = join(shared, devices, i);
    }
    ncclResult_t result = ncclSuccess;
    for (int i = 0; i < devices; i++)
        if (ncclResult_t error = wait_for_ranks(comms[i], __builtin_return_address(0)))
            result = error;
    return result;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
    if (ncclResult_t error = check_communicator(comm, comm, __func__))
        return error;
    runtime_guard guard;
    check_group_ended(comm);
    settle(comm);
    comm->finalized = true;
    return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
    if (ncclResult_t error = check_communicator(comm, comm, __func__))
        return error;
    runtime_guard guard;
    check_group_ended(comm);
    settle(comm);
    leave(comm);
    return ncclSuccess;
}
/* What is still in the streams ends without data; the memory stays, since that looks at it. */
ncclResult_t ncclCommAbort(ncclComm_t comm) {
    if (ncclResult_t error = check_communicator(comm, comm, __func__))
        return error;
    runtime_guard guard;
    wait_for_takers(comm);
    comm->aborted = true;
    comm->mine().state = LEFT;
    comm->shared->progress++;
    all.erase(comm);
    return ncclSuccess;
}

const char *ncclGetLastError(ncclComm_t) {
    forget_failed_nccl_call();
    return last_error.c_str();
}
const char *ncclGetErrorString(ncclResult_t result) {
    static const char *const TEXTS[] = {"no error",
                                        "unhandled cuda error",
                                        "unhandled system error",
                                        "internal error",
                                        "invalid argument",
                                        "invalid usage",
                                        "remote process exited or there was a network error",
                                        "NCCL operation in progress"};
    return (unsigned)result < ncclNumResults ? TEXTS[result] : "unknown result code";
}

} /* extern "C" */
