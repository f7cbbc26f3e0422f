/* handles.c - in the student's process: events and streams that are created and never destroyed.
 * The linker gives us the calls (toolchain.py: --wrap). */
#include "runner.h"
#include <stdio.h>

typedef struct made {
    void *handle, *caller;
    const char *by;
} made;
static made *alive;
static size_t count, capacity;

static void remember(void *handle, const char *by, void *caller) {
    if (count == capacity) {
        capacity = 2 * capacity + 16;
        made *more = realloc(alive, capacity * sizeof *alive);
        if (!more)
            _exit(3);
        alive = more;
    }
    alive[count++] = (made){handle, caller, by};
}

static void forget(const void *handle) {
    size_t i = 0;
    while (i < count && alive[i].handle != handle)
        i++;
    if (i < count)
        alive[i] = alive[--count];
}

uint64_t handles_alive(char *last, size_t bytes) {
    *last = 0;
    if (count && lab_find_place) {
        char place[200] = "";
        lab_find_place(alive[count - 1].caller, place, sizeof place);
        snprintf(last, bytes, "%s %s", alive[count - 1].by, place);
    }
    return count;
}

#define CREATES(NAME, MORE, ...)                                                                   \
    int __real_##NAME(void **handle MORE);                                                         \
    int __wrap_##NAME(void **handle MORE);                                                         \
    int __wrap_##NAME(void **handle MORE) {                                                        \
        const int error = __real_##NAME(handle __VA_ARGS__);                                       \
        if (!error)                                                                                \
            remember(*handle, #NAME, __builtin_return_address(0));                                 \
        return error;                                                                              \
    }
#define DESTROYS(NAME)                                                                             \
    int __real_##NAME(void *handle);                                                               \
    int __wrap_##NAME(void *handle);                                                               \
    int __wrap_##NAME(void *handle) {                                                              \
        forget(handle);                                                                            \
        return __real_##NAME(handle);                                                              \
    }
#define FLAGS , unsigned flags
#define FLAGS_AND_PRIORITY , unsigned flags, int priority
#define NOTHING
CREATES(cudaEventCreate, NOTHING)
CREATES(cudaEventCreateWithFlags, FLAGS, , flags)
CREATES(cudaStreamCreate, NOTHING)
CREATES(cudaStreamCreateWithFlags, FLAGS, , flags)
CREATES(cudaStreamCreateWithPriority, FLAGS_AND_PRIORITY, , flags, priority)
DESTROYS(cudaEventDestroy)
DESTROYS(cudaStreamDestroy)
