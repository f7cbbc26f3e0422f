/* observer.h - the interface of instrumentation: what the runtime tells an observer of the program
 * (cudacpu/inspect is one). */
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

const int HOST = -1; /* where a transfer begins or ends, in place of a device's number */

/* An observer sets all of the events up to host_frees. */
struct observer {
    /* memory: data of width x height bytes, rows pitch bytes apart */
    void (*allocated)(const allocation &a, size_t pitch, size_t width);
    void (*freed)(const allocation &a);
    void (*host_wrote)(const void *pointer, size_t pitch, size_t width, size_t height);
    void (*host_reads)(const void *pointer, size_t pitch, size_t width, size_t height);
    void (*device_copied)(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                          size_t width, size_t height);
    void (*host_pointer_passed)(const char *kernel, int position, bool freed);
    /* launches; a refused one is a fault unless the program asks for the error before the next */
    void (*launch_refused)(const char *kernel, cudaError_t error, const std::string &why,
                           const char *file, int line);
    void (*error_asked)();
    void (*launch_begins)(const kernel &k, dim3 grid, dim3 block, const char *file, int line);
    void (*launch_ends)();
    /* within a block: order is that in which its threads are to run until the next barrier */
    void (*block_begins)(uint64_t number, unsigned threads, const char *dynamic,
                         size_t dynamic_bytes, const char *stacks, size_t stacks_bytes,
                         const unsigned short **order);
    void (*barrier_opens)(const unsigned short **order);
    void (*warp_synchronised)(unsigned first_thread);
    void (*block_ends)();
    /* a fault that the runtime itself found (line 0: of the operation that is being done); and the
     * process ends now */
    void (*fault)(const char *kind, const char *file, int line, const char *message);
    void (*process_ends)();
    /* streams: an operation is issued (its order is known), and done later; and what host code does
     * to memory that operations use, at pc or in an API function */
    void (*operation_issued)(const stream_operation &o);
    void (*operation_begins)(const stream_operation &o);
    void (*operation_ends)(const stream_operation &o);
    void (*host_accessed)(const void *address, bool write, void *pc);
    void (*host_frees)(const char *function, const void *pointer, size_t bytes);
    /* a copy moves bytes: from and to are devices, or HOST; both may be the same one */
    void (*transferred)(int from, int to, size_t bytes) = [](int, int, size_t) {};
    /* a call will read or write host memory: returns how many of the bytes are there */
    size_t (*host_range_used)(const char *function, const void *pointer, size_t bytes, bool write) =
        [](const char *, const void *, size_t bytes, bool) { return bytes; };
    /* Barriers of the instructions of PTX; what an observer does not set does nothing. The thread
     * that runs is the one that arrives or passes. caller: the place in the program's text. An
     * mbarrier is named by its address on the host, its phases are counted from 0. */
    void (*named_barrier_arrived)(unsigned number) = [](unsigned) {};
    /* threads: those that wait at it; who has only arrived goes on long since */
    void (*named_barrier_opens)(unsigned number, const unsigned *threads,
                                unsigned count) = [](unsigned, const unsigned *, unsigned) {};
    void (*cluster_arrived)() = [] {};
    void (*cluster_waited)() = [] {}; /* all blocks have arrived, and this thread goes on */
    void (*mbarrier_initialised)(const uint64_t *barrier, unsigned count, void *caller,
                                 const site *where) = [](const uint64_t *, unsigned, void *,
                                                         const site *) {};
    void (*mbarrier_invalidated)(const uint64_t *barrier, void *caller,
                                 const site *where) = [](const uint64_t *, void *, const site *) {};
    /* rank: of the barrier's block; phase: the one that it arrives at */
    void (*mbarrier_arrived)(const uint64_t *barrier, unsigned rank, uint64_t phase,
                             const site *where) = [](const uint64_t *, unsigned, uint64_t,
                                                     const site *) {};
    /* the thread begins to wait for a phase that is not complete */
    void (*mbarrier_waits)(const uint64_t *barrier, uint64_t phase,
                           const site *where) = [](const uint64_t *, uint64_t, const site *) {};
    /* phase: the one that was waited for and is complete; -1: the one before the first */
    void (*mbarrier_passed)(const uint64_t *barrier, uint64_t phase,
                            const site *where) = [](const uint64_t *, uint64_t, const site *) {};
    /* expect_tx, and (below 0) complete_tx of the program */
    void (*mbarrier_bytes)(const uint64_t *barrier, int bytes,
                           const site *where) = [](const uint64_t *, int, const site *) {};
    void (*mbarrier_init_fence)() = [] {};
    /* Asynchronous copies (cp.async) of the thread that runs, in groups. */
    void (*copy_issued)(const void *to, const void *from, unsigned bytes, unsigned source_bytes,
                        void *caller) = [](const void *, const void *, unsigned, unsigned, void *) {
    };
    void (*copies_committed)() = [] {};
    /* for all groups but the newest; all: for those that are in no group, too */
    void (*copies_waited)(size_t newest, bool all, const site *where) = [](size_t, bool,
                                                                           const site *) {};
    /* the barrier is told once the thread's copies so far are done */
    void (*copies_arrive)(const uint64_t *barrier, const site *where) = [](const uint64_t *,
                                                                           const site *) {};
    /* Bulk copies (TMA). A load into each block's shared memory that it writes: rank, and the
     * barrier there. Its source: global memory, or this block's shared memory. */
    void (*bulk_load_issued)(const bulk_copy &c, unsigned rank, const uint64_t *barrier) =
        [](const bulk_copy &, unsigned, const uint64_t *) {};
    void (*bulk_store_issued)(const bulk_copy &c) = [](const bulk_copy &) {};
    void (*bulk_committed)() = [] {};
    /* read: the sources of all groups but the newest have been read; else: those are written */
    void (*bulk_waited)(size_t newest, bool read, const site *where) = [](size_t, bool,
                                                                          const site *) {};
    void (*proxy_fence)() = [] {}; /* fence.proxy.async */
    /* wgmma of the thread that runs: d, the addresses of its sums; the threads of a warpgroup do
     * not come at once, and the last one reads the operands for all. */
    void (*wgmma_issued)(const wgmma_operation &w, bool last) = [](const wgmma_operation &, bool) {
    };
    void (*wgmma_fenced)() = [] {};
    void (*wgmma_committed)() = [] {};
    void (*wgmma_waited)(size_t newest, const site *where) = [](size_t, const site *) {};
    /* griddepcontrol, of the thread that runs: the launch before has ended; the next may begin */
    void (*primary_waited)() = [] {};
    void (*dependents_launched)() = [] {};
    /* An OS thread that has run blocks ends. */
    void (*worker_ends)() = [] {};
    /* Memory holds structures of so many bytes; of the mask, those of padding are 0. */
    void (*padding_known)(const void *memory, const unsigned char *mask,
                          size_t bytes) = [](const void *, const unsigned char *, size_t) {};
    /* The same, by a kernel's parameter. */
    void (*structure_known)(const void *memory, const unsigned char *mask,
                            size_t bytes) = [](const void *, const unsigned char *, size_t) {};
    /* An access within the runtime, as the program's own. */
    void (*accessed)(const void *p, size_t bytes, bool write,
                     void *caller) = [](const void *, size_t, bool, void *) {};
};

/* NULL unless somebody observes: `cpucc --inspect` links an observer that sets it. */
inline observer *observing;

} // namespace cudacpu
/* The place in the program that called: what functions of cudacpu's own headers do is taken as
 * their callers' (cpucc collects those of an observed program in a section). */
extern "C" {
__attribute__((weak)) extern char __start_cudacpu_copies, __stop_cudacpu_copies;
}

namespace cudacpu {

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
