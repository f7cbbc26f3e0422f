/* allocation.h - what memory there is: allocations, between guard pages, filled with NaN, with a
 * pattern (a red zone) on either side; and __device__ and __constant__ variables, of which each
 * device has its own. */
#ifndef CUDACPU_RUNTIME_ALLOCATION_H
#define CUDACPU_RUNTIME_ALLOCATION_H
#include "cuda_runtime_api.h"
#include "runtime/host/symbolizer.h"
#include <cstddef>

namespace cudacpu {

/* REGISTERED: host memory of the program's own, by cudaHostRegister. It has no guards. */
enum memory_kind { DEVICE_MEMORY, HOST_MEMORY, MANAGED_MEMORY, REGISTERED_MEMORY };

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
    int device; /* whose it is; of host memory: the current one when it was allocated */
    bool freed;
    bool in_stream_order; /* by cudaMallocAsync */
    const bool *access;   /* of memory of a pool: which devices may touch it */
    bool to_be_freed;     /* by a cudaFreeAsync that is not done yet */
    bool of_graph;        /* more/graphs.cpp */
    unsigned flags;       /* of host memory */
    bool is_open;         /* protection.h */
    allocation *next_open;
    call_path allocated_by, freed_by;
};

/* bytes > 0 of the current device or of the host. The rows of cudaMallocPitch are for the observer,
 * the flags for host memory. */
cudaError_t allocate(void **pointer, size_t bytes, memory_kind kind, size_t pitch = 0,
                     size_t width = 0, unsigned flags = 0);
/* What a program may free: the beginning of an allocation that nothing else frees. */
allocation *find_to_free(const void *pointer, bool host);
/* The program has freed it: a late use is told apart. */
void release(allocation *a);
/* The same, and nothing of it is kept; registered memory stays the program's. */
void forget(allocation &a);

/* Host memory of the program's own. False: a part of it was allocated here, or is registered; it is
 * not registered. */
bool add_registered(void *pointer, size_t bytes, unsigned flags);

/* May kernels of the device touch it? */
bool may_touch(int device, const allocation &a);

/* The allocation that holds address, its guards included; NULL when there is none. */
allocation *find_live_allocation(const void *address);
const allocation *find_allocation(const void *address); /* those that were freed, too */
/* Pinned host memory that holds it, allocated or registered. */
const allocation *find_pinned(const void *address);
/* find_allocation in a signal handler: without the runtime's lock, which another OS thread may
 * hold, or malloc's. */
allocation *find_in_handler(const void *address);
void each_allocation(void (*visit)(allocation *));
/* Do the bytes lie on that side, the device's or the host's, and inside one allocation if in any?
 * A variable of the program lies on both sides. */
bool lie_on_side(const void *pointer, size_t bytes, bool device);
/* Tells observers (observer::shared_memory) of all that is not the device's alone. */
void show_host_memory(bool launch_ended);
void free_all(int device);
/* True, and says so on stderr, where the function was given memory that was freed: a failed copy is
 * often met only where the program next asks for an error. */
bool warn_of_freed(const void *pointer, const char *function);

/* ---- __device__ and __constant__ variables ---- */

/* From now on the variables are those of this device. One launch, one copy at a time. */
void use_variables(int device);
/* An address that tells the device's variable from another device's; of no variable, itself. */
const void *identify_variable(const void *pointer, int device);

} // namespace cudacpu
#endif
