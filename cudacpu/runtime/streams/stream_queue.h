/* stream_queue.h - streams as queues of operations: what happens before what (a vector clock of
 * each), and when they are done (async_mode.h). Stream capture, by graphs, is a hook. */
#ifndef CUDACPU_RUNTIME_STREAM_QUEUE_H
#define CUDACPU_RUNTIME_STREAM_QUEUE_H
#include "cuda_runtime_api.h"
#include "operation.h"
#include <atomic>
#include <map>
#include <string>

/* C's name of a stream. */
struct CUstream_st {
    unsigned number; /* from 1, as they were created; LEGACY_STREAM, THREAD_STREAM */
    unsigned slot, flags;
    int device; /* the current one when it was created */
    int priority;
    unsigned asked;                     /* how often a query found it busy */
    cudacpu::stream_clock order;        /* of what was issued to it last */
    cudaAccessPolicyWindow window = {}; /* a hint */
    uint64_t last_kernel = 0;           /* its number, if what was issued to it last is a kernel */
};

namespace cudacpu {

struct allocation;

const unsigned LEGACY_STREAM = 0, THREAD_STREAM = ~0u; /* the default streams' numbers */

/* The stream of this handle, one of the default streams, which each device has, or one that was
 * created; NULL: none. */
CUstream_st *find_stream(cudaStream_t handle);
/* The same; unless there was a fault, or there is none. */
cudaError_t get_stream(cudaStream_t handle, CUstream_st **stream);
const int LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5;
CUstream_st *create_stream(unsigned flags, int priority);
/* What was issued to it is done all the same. */
void destroy_stream(CUstream_st *stream);
/* The default stream of a device. */
CUstream_st *legacy_stream(int device);
void forget_streams(int device);
/* Stream capture, registered by the graphs of a program that has any (more/graphs.cpp); else NULL.
 */
struct stream_capture {
    bool (*any)(); /* is any stream being captured, or a node being made? */
    /* True when the stream is captured: its graph has the operation then. */
    bool (*capture)(CUstream_st *stream, stream_operation &o);
    bool (*is_captured)(const CUstream_st *stream);
    /* An event was recorded in the stream; a stream waits for an event: it is captured too, if the
     * event was recorded in a capture. */
    void (*event_recorded)(const void *event, const CUstream_st *stream);
    void (*event_awaited)(CUstream_st *stream, const void *event);
    /* Memory that a captured stream allocates, and that of a graph is freed, captured or not. */
    cudaError_t (*allocate)(allocation *a, CUstream_st *stream, void *caller);
    cudaError_t (*free)(CUstream_st *stream, void *caller);
};
extern const stream_capture *capturing;
inline bool captures_anything() { return capturing && capturing->any(); }
inline bool is_captured(const CUstream_st *stream) {
    return captures_anything() && capturing->is_captured(stream);
}

/* "stream 1", "the default stream" */
std::string name_stream(unsigned number);

/* Is every operation done when it is issued, and nobody wants to know the order? Then no operation
 * need be made. */
bool performs_at_once();
/* Gives the operation to the stream, and does it now or later. Returns its order. */
stream_clock issue(CUstream_st *stream, stream_operation &&o);
/* What a wait for the stream, or an event recorded in it, waits for. */
stream_clock order_of(CUstream_st *stream);
/* What is issued to the stream from now on comes after what `before` covers. */
void order_after(CUstream_st *stream, const stream_clock &before);

/* The host waits for what the order covers; for all in the streams of a device; for everything. */
void wait_for(const stream_clock &what);
void wait_for_device(int device);
void wait_for_all();
/* Is it done? It may be said a few times that it is not; asked counts them. */
bool is_done(const stream_clock &what, unsigned *asked);
/* Does what can be done of what the order covers; nobody waits for it. */
void perform_if_ready(const stream_clock &what);
/* At the program's end: waits for everything, in an OS thread of its own. */
void perform_rest();
bool does_program_end(); /* it is called */
/* Who holds the runtime's lock has nothing to do until other ranks do something (nccl/waiting.cpp).
 */
extern std::atomic<bool> waits_for_ranks;
/* Does what was issued before operation `number`; nobody waits for it. */
void perform_before(uint64_t number);

/* Is there a kernel that will begin before the kernel `primary`, which is done now, has ended? */
bool has_dependent(uint64_t primary);
/* Takes it, if nothing else stands before it, for the caller to do. */
bool take_dependent(uint64_t primary, stream_operation *dependent);

/* What the host has waited for; and the tick of something that the host does now. */
const stream_clock &host_order();
uint64_t tick_host();
/* The operations that are not done, by number. */
const std::map<uint64_t, stream_operation> &pending_operations();

} // namespace cudacpu
#endif
