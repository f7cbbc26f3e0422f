/* internal.h - what memory.cpp, launch.cpp and fault.cpp share. */
#ifndef CUDACPU_INTERNAL_H
#define CUDACPU_INTERNAL_H
#include "cuda_runtime.h"

namespace cudacpu {

/* ---- memory.cpp ---- */
enum memory_kind { DEVICE_MEMORY, HOST_MEMORY, MANAGED_MEMORY };

/* One mapping: guard | front pattern, data, back pattern | guard. The data ends as near to the rear
 * guard as its alignment of 256 bytes allows; the bytes between carry a pattern that is checked
 * after each launch. */
struct allocation {
    char *map;
    size_t map_bytes;
    char *pages; /* the accessible pages */
    size_t page_bytes;
    char *data;
    size_t bytes;
    memory_kind kind;
    bool freed;
};

cudaError_t report(cudaError_t error); /* remembers it as the last error and returns it */
void make_sticky(cudaError_t error);   /* all later calls return it, as after a GPU's fault */
cudaError_t sticky_error();
const allocation *
find_allocation(const void *address); /* guards and freed ones included; NULL when there is none */
void open_memory();                   /* device memory can be touched (a launch is running) */
void close_memory();
struct damage {
    const allocation *where;
    char *first; /* the first byte whose pattern is gone */
};
bool find_damage(damage *found);
void restore_pattern(const damage &found);
int processors();
bool valid_stream(cudaStream_t stream);
size_t shared_default();
size_t shared_optin();
size_t dynamic_limit(const void *function);

/* ---- launch.cpp ---- */
struct running_thread {
    const char *kernel, *file; /* the launch */
    int line;
    uint3 block, thread;
};
bool running(running_thread *who); /* is this OS thread inside a kernel? */
bool in_stack_guard(const void *address);
[[noreturn]] void end_process(int status);

/* ---- fault.cpp ---- */
void install_fault_handler();
void prepare_signal_stack();
int start_addr2line(pid_t *child);
/* "file:line" of a code address in this program, or "" */
void ask_addr2line(int connection, void *pc, bool is_return_address, char *out, size_t size);
uintptr_t program_base(); /* what is added to the addresses in the program's file */

/* Steps through accesses to the pages around damage until one of them destroys the pattern
 * (x86-64). */
void watch(const damage &found);
void unwatch();
bool can_watch();

/* ---- inspect.cpp: what an observer of a program is told. observing is NULL unless the program is
 * made by `cpucc --inspect`. ---- */
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
    /* a fault that the runtime itself found; and the process ends now */
    void (*fault)(const char *kind, const char *file, int line, const char *message);
    void (*process_ends)();
};
extern observer *observing;

} // namespace cudacpu
#endif
