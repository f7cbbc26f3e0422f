/* observer.h - the interface of instrumentation: what the runtime tells those who observe the
 * program (cudacpu/inspect, and a grader of programs). */
#ifndef CUDACPU_RUNTIME_OBSERVER_H
#define CUDACPU_RUNTIME_OBSERVER_H
#include "cuda_runtime_api.h"
#include "cudacpu/ptx.h"
#include "cudacpu/site.h"
#include <cstdint>
#include <string>

namespace cudacpu {

struct allocation;
struct kernel;
struct stream_operation;

/* A block begins: its number in the grid, its memory. */
struct block_start {
    uint64_t number;
    unsigned threads;
    const char *dynamic, *stacks;
    size_t dynamic_bytes, stacks_bytes;
};
struct bulk_copy {
    void *to;
    const void *from;
    unsigned bytes;
    void *caller; /* the place in the program's text, as for an access */
    const site *where;
};
struct wgmma_operation {
    const ptx::wgmma_shape *shape;
    void *const *d;
    bool a_in_registers;
    uint64_t a, b; /* descriptors */
    bool accumulate;
    void *caller;
    const site *where;
};

const int HOST = -1; /* where a transfer begins or ends, instead of a device's number */

/* What an observer does not override does nothing. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
class observer {
  public:
    /* memory: data of width x height bytes, rows pitch bytes apart */
    virtual void allocated(const allocation &a, size_t pitch, size_t width) {}
    virtual void freed(const allocation &a) {}
    virtual void host_wrote(const void *pointer, size_t pitch, size_t width, size_t height) {}
    virtual void host_reads(const void *pointer, size_t pitch, size_t width, size_t height) {}
    virtual void device_copied(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                               size_t width, size_t height) {}
    virtual void host_pointer_passed(const char *kernel, int position, bool freed) {}
    /* Memory holds structures of so many bytes; of the mask, those of padding are 0. The same, by a
     * kernel's parameter. */
    virtual void padding_known(const void *memory, const unsigned char *mask, size_t bytes) {}
    virtual void structure_known(const void *memory, const unsigned char *mask, size_t bytes) {}

    /* copies: from and to are devices, or HOST; both may be the same one */
    virtual void transferred(int from, int to, size_t bytes) {}
    /* A copy is given host memory, by the call that returns to caller. */
    virtual void host_memory_given(const void *pointer, const char *function, void *caller) {}
    /* It will read or write bytes there; there: how many of them are. */
    virtual void host_range_used(const char *function, const void *pointer, size_t bytes,
                                 bool write, size_t *there) {}
    /* Between memory that only the device reaches and memory that host code does (its own, pinned,
     * registered and managed memory, and variables): data have come to the device; will leave it;
     * have left it. Data have come to the host from memory that both reach. */
    virtual void uploaded(void *data, size_t pitch, size_t width, size_t height) {}
    virtual void downloads(const void *data, size_t pitch, size_t width, size_t height) {}
    virtual void downloaded(void *data, size_t pitch, size_t width, size_t height) {}
    virtual void fetched(void *data, size_t pitch, size_t width, size_t height) {}
    virtual void filled() {} /* cudaMemset and its kin */

    /* launches: one is asked for, and fails where the error is set; a refused one is a fault unless
     * the program asks for the error before the next */
    virtual void launch_asked(const char *kernel, size_t argument_bytes, cudaError_t *error) {}
    virtual void launch_refused(const char *kernel, cudaError_t error, const std::string &why,
                                const char *file, int line) {}
    virtual void error_asked() {}
    virtual void launch_begins(const kernel &k, dim3 grid, dim3 block) {}
    virtual void launch_ends() {}
    /* around it, of each piece of memory that host code and kernels share */
    virtual void shared_memory(void *data, size_t bytes, bool launch_ended) {}
    /* within a block: order is that in which its threads are to run until the next barrier */
    virtual void block_begins(const block_start &b, const unsigned short **order) {}
    virtual void barrier_opens(const unsigned short **order) {}
    virtual void warp_synchronised(unsigned first_thread) {}
    virtual void block_ends() {}
    virtual void worker_ends() {} /* an OS thread that has run blocks */
    /* a fault that the runtime itself found (line 0: of the operation that is being done); and the
     * process ends now */
    virtual void fault(const char *kind, const char *file, int line, const char *message) {}
    virtual void process_ends() {}

    /* streams: an operation is issued (its order is known), and done later; and what host code does
     * to memory that operations use, at pc or in an API function */
    virtual void operation_issued(const stream_operation &o) {}
    virtual void operation_begins(const stream_operation &o) {}
    virtual void operation_ends(const stream_operation &o) {}
    virtual void host_accessed(const void *address, bool write, void *pc) {}
    virtual void host_frees(const char *function, const void *pointer, size_t bytes) {}

    /* Barriers of the instructions of PTX. The thread that runs is the one that arrives or passes.
     * caller: the place in the program's text. threads: those that wait at it; who has only arrived
     * goes on long since. */
    virtual void named_barrier_arrived(unsigned number) {}
    virtual void named_barrier_opens(unsigned number, const unsigned *threads, unsigned count) {}
    virtual void cluster_arrived() {}
    virtual void cluster_waited() {} /* all blocks have arrived, and this thread goes on */
    /* An mbarrier is named by its address on the host, its phases are counted from 0. rank: of its
     * block; phase: the one that the thread arrives at */
    virtual void mbarrier_initialised(const uint64_t *barrier, const site *where) {}
    virtual void mbarrier_invalidated(const uint64_t *barrier, const site *where) {}
    virtual void mbarrier_arrived(const uint64_t *barrier, uint64_t phase, const site *where) {}
    /* the thread begins to wait for a phase that is not complete */
    virtual void mbarrier_waits(const uint64_t *barrier, uint64_t phase, const site *where) {}
    /* phase: the one that was waited for and is complete; -1: the one before the first */
    virtual void mbarrier_passed(const uint64_t *barrier, uint64_t phase, const site *where) {}
    /* expect_tx, and (below 0) complete_tx of the program */
    virtual void mbarrier_bytes(const uint64_t *barrier, int bytes, const site *where) {}
    virtual void mbarrier_init_fence() {}

    /* Asynchronous copies (cp.async) of the thread that runs, in groups. */
    virtual void copy_issued(const void *to, const void *from, unsigned bytes,
                             unsigned source_bytes, void *caller) {}
    virtual void copies_committed() {}
    /* for all groups but the newest; all: for those that are in no group, too */
    virtual void copies_waited(size_t newest, bool all, const site *where) {}
    /* the barrier is told once the thread's copies so far are done */
    virtual void copies_arrive(const uint64_t *barrier, const site *where) {}
    /* Bulk copies (TMA). A load into each block's shared memory that it writes: rank, and the
     * barrier there. Its source: global memory, or this block's shared memory. */
    virtual void bulk_load_issued(const bulk_copy &c, unsigned rank, const uint64_t *barrier) {}
    virtual void bulk_store_issued(const bulk_copy &c) {}
    virtual void bulk_committed() {}
    /* read: the sources of all groups but the newest have been read; else: those are written */
    virtual void bulk_waited(size_t newest, bool read, const site *where) {}
    virtual void proxy_fence() {} /* fence.proxy.async */
    /* wgmma of the thread that runs: d, the addresses of its sums; the threads of a warpgroup do
     * not come at once, and the last one reads the operands for all. */
    virtual void wgmma_issued(const wgmma_operation &w, bool last) {}
    virtual void wgmma_fenced() {}
    virtual void wgmma_committed() {}
    virtual void wgmma_waited(size_t newest, const site *where) {}
    /* griddepcontrol, of the thread that runs: the launch before has ended; the next may begin */
    virtual void primary_waited() {}
    virtual void dependents_launched() {}
    /* An access within the runtime, as the program's own. Those of kernels do not come this way:
     * the compiler calls a function for each (inspect/instrumentation.cpp). */
    virtual void accessed(const void *p, size_t bytes, bool write, void *caller) {}

    /* inspect's JSON report is written: what it is to have as its "seal" */
    virtual void report_written(const char **seal) {}

  private:
    observer *before, *after; /* in the order in which they were registered */
    friend class observers;
};
#pragma GCC diagnostic pop

/* Those who observe: none, unless a program is linked with one. */
class observers {
  public:
    static bool any() { return __builtin_expect(first != nullptr, 0); }
    static void add(observer *o) {
        o->before = last;
        (last ? last->after : first) = o;
        last = o;
    }
    /* Of an event, in the order of registration; of what ends, the other way round, as destructors
     * run. */
    template <class Tell> static void each(Tell tell) {
        for (observer *o = first; __builtin_expect(o != nullptr, 0); o = o->after)
            tell(o);
    }
    template <class Tell> static void each_backwards(Tell tell) {
        for (observer *o = last; __builtin_expect(o != nullptr, 0); o = o->before)
            tell(o);
    }

  private:
    static inline observer *first, *last;
};

template <class T> struct as_declared { typedef T type; };

/* tell(&observer::copies_committed): an event and its arguments. Without an observer it is a test
 * of a variable. */
template <class... P>
inline __attribute__((always_inline)) void tell(void (observer::*event)(P...),
                                                typename as_declared<P>::type... arguments) {
    observers::each([&](observer *o) { (o->*event)(arguments...); });
}
/* The same of what ends. */
template <class... P>
inline __attribute__((always_inline)) void tell_end(void (observer::*event)(P...),
                                                    typename as_declared<P>::type... arguments) {
    observers::each_backwards([&](observer *o) { (o->*event)(arguments...); });
}

/* Set by an observer that follows each access: then streams are queues, and nothing that would hide
 * an access is done at once. */
inline bool follows_accesses;

/* The place in the program that called: what functions of cudacpu's own headers do is taken as
 * their callers' (cpucc collects those of an observed program in a section). */
extern "C" __attribute__((weak)) char __start_cudacpu_copies, __stop_cudacpu_copies;

/* From the frame of a function that the program calls. Observed code has frame pointers. */
inline __attribute__((always_inline)) void *find_program_caller(void *return_address, void *frame) {
    while (__builtin_expect((uintptr_t)return_address - (uintptr_t)&__start_cudacpu_copies <
                                (uintptr_t)(&__stop_cudacpu_copies - &__start_cudacpu_copies),
                            0)) {
        frame = *(void **)frame;
        return_address = ((void **)frame)[1];
    }
    return return_address;
}

} // namespace cudacpu

#define PROGRAM_CALLER                                                                             \
    ::cudacpu::find_program_caller(__builtin_return_address(0), __builtin_frame_address(0))
#endif
