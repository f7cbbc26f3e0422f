/* observer.h - what the runtime tells an observer of the program (cudacpu/inspect is one). */
#ifndef CUDACPU_RUNTIME_OBSERVER_H
#define CUDACPU_RUNTIME_OBSERVER_H
#include "allocation.h"
#include "cuda_runtime_api.h"
#include <cstdint>

namespace cudacpu {

struct kernel;
struct operation;

/* An observer sets all of them. */
struct observer {
    /* memory: data of width x height bytes, rows pitch bytes apart */
    void (*allocated)(const allocation &a, size_t pitch, size_t width);
    void (*freed)(const allocation &a);
    void (*host_wrote)(const void *pointer, size_t pitch, size_t width, size_t height);
    void (*host_reads)(const void *pointer, size_t pitch, size_t width, size_t height);
    void (*device_copied)(void *dst, size_t dst_pitch, const void *src, size_t src_pitch,
                          size_t width, size_t height);
    void (*host_pointer_passed)(const char *kernel, int position);
    /* launches; a refused one is a fault unless the program asks for the error before the next */
    void (*launch_refused)(const char *kernel, cudaError_t error, const char *file, int line);
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
    void (*operation_issued)(const operation &o);
    void (*operation_begins)(const operation &o);
    void (*operation_ends)(const operation &o);
    void (*host_accessed)(const void *address, bool write, void *pc);
    void (*host_frees)(const char *function, const void *pointer, size_t bytes);
};

/* NULL unless somebody observes: `cpucc --inspect` links an observer that sets it. */
inline observer *observing;

} // namespace cudacpu
#endif
