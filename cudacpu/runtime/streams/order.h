/* order.h - what happens before what: a vector clock over the streams and the host. */
#ifndef CUDACPU_RUNTIME_ORDER_H
#define CUDACPU_RUNTIME_ORDER_H
#include <cstdint>
#include <vector>

namespace cudacpu {

/* Streams have slots, and what is issued to one has a tick of its slot, from 1. An order says of
 * each slot up to which tick all happened before. */
class order {
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
    void join(const order &other) {
        for (unsigned slot = 0; slot < other.ticks.size(); slot++)
            if (other.ticks[slot] > of(slot))
                set(slot, other.ticks[slot]);
    }
};

} // namespace cudacpu
#endif
