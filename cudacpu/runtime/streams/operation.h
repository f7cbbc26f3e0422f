/* operation.h - what a program gives to a stream: a copy, a kernel, an event; and what happens
 * before what, a vector clock over the streams and the host. */
#ifndef CUDACPU_RUNTIME_OPERATION_H
#define CUDACPU_RUNTIME_OPERATION_H
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace cudacpu {

/* Streams have slots, and what is issued to one has a tick of its slot, from 1. A clock says of
 * each slot up to which tick all happened before. */
class stream_clock {
    std::vector<uint64_t> ticks;

  public:
    static const unsigned HOST = 0; /* the slot of host code */

    uint64_t of(unsigned slot) const { return slot < ticks.size() ? ticks[slot] : 0; }
    bool covers(unsigned slot, uint64_t tick) const { return tick <= of(slot); }
    void set(unsigned slot, uint64_t tick) {
        if (slot >= ticks.size())
            ticks.resize(slot + 1);
        ticks[slot] = tick;
    }
    void join(const stream_clock &other) {
        for (unsigned slot = 0; slot < other.ticks.size(); slot++)
            if (other.ticks[slot] > of(slot))
                set(slot, other.ticks[slot]);
    }
};

/* width x height bytes, rows pitch bytes apart. */
struct memory_use {
    const void *pointer;
    size_t pitch, width, height;
    bool write;
};

struct launch_state;

enum memory_life { USED, ALLOCATED, FREED };

struct stream_operation {
    const char *name; /* of the API function or the kernel */
    void *caller;     /* the API call returns there; NULL: it is a kernel, launched at file:line */
    const char *file;
    int line;
    std::vector<memory_use> uses;  /* of a kernel they are not known before it has run, */
    std::vector<void *> arguments; /* but the host memory that its arguments point to is */
    memory_life life;              /* what it does to the memory that it uses */
    std::function<void(const stream_operation &)> perform;
    /* Of one that needs others than this process's streams (nccl/exchange.h), else empty: may it be
     * done? If not, wait lets others come for a moment, without the runtime's lock. */
    std::function<bool()> may_begin;
    std::function<void()> wait;
    std::shared_ptr<launch_state> launch; /* of a kernel */
    bool begins_early; /* a kernel that may overlap the one before it (scheduler/grid.h) */
    /* set when it is issued */
    uint64_t number; /* from 1, in the order in which operations were issued */
    unsigned stream; /* the number of its stream */
    int device;      /* that of its stream */
    unsigned slot;
    uint64_t tick;
    cudacpu::stream_clock order;
    uint64_t primary; /* the number of the kernel that it may overlap; 0: of none */
    bool overlaps;    /* and it will */

    bool is_kernel() const { return !caller; }
};

inline stream_operation make_operation(const char *name, void *caller) {
    return {name, caller, "", 0, {}, {}, USED, {}, {}, {}, {}, false, 0, 0, 0, 0, 0, {}, 0, false};
}

/* "cudaMemcpyAsync (file:line) in stream 1" */
std::string name_operation(const stream_operation &o);
/* Its memory was freed before it was done: says so; the error stays, as after a GPU's fault. */
void fail_lost_memory(const stream_operation &o);

} // namespace cudacpu
#endif
