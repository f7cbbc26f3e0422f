/* thread_order.cpp - the order in which a block's threads run, a new one at each barrier: a result
 * that is right by luck is wrong now and then. */
#include "observed_worker.h"
#include "observer.h"
#include <algorithm>

namespace cudacpu::inspect {
namespace {

uint64_t next_random(uint64_t &state) { /* splitmix64 */
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void shuffle(unsigned short *values, unsigned count, uint64_t &random) {
    for (unsigned left = count; left > 1; left--)
        std::swap(values[left - 1], values[next_random(random) % left]);
}

/* Ascending, descending or random, in turn; the threads of a warp stay together. The order stands
 * until the next call. */
const unsigned short *make_thread_order(observed_worker *w) {
    enum { ASCENDING, DESCENDING, RANDOM, ORDERS };
    const unsigned n = w->threads, order = (unsigned)((w->block + w->phase) % ORDERS);
    if (order != RANDOM) {
        for (unsigned i = 0; i < n; i++)
            w->order[i] = (unsigned short)(order == DESCENDING ? n - 1 - i : i);
        return w->order;
    }
    unsigned short warps[32];
    const unsigned count = (n + 31) / 32;
    for (unsigned i = 0; i < count; i++)
        warps[i] = (unsigned short)i;
    shuffle(warps, count, w->random);
    unsigned short *next = w->order;
    for (unsigned i = 0; i < count; i++) {
        const unsigned first = warps[i] * 32u, lanes = std::min(32u, n - first);
        for (unsigned lane = 0; lane < lanes; lane++)
            next[lane] = (unsigned short)(first + lane);
        shuffle(next, lanes, w->random);
        next += lanes;
    }
    return w->order;
}

class thread_order_events : public observer {
    void block_begins(const block_start &, const unsigned short **order) override {
        *order = make_thread_order(this_worker);
    }
    void barrier_opens(const unsigned short **order) override {
        *order = make_thread_order(this_worker);
    }
};

} // namespace

observer &thread_order() {
    static thread_order_events all;
    return all;
}

} // namespace cudacpu::inspect
