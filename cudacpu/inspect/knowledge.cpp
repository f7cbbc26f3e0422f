/* knowledge.cpp - keeps the vector clocks of a cluster's threads. */
#include "knowledge.h"
#include "faults.h"
#include "observed.h"
#include "observer.h"
#include "recording.h"
#include "runtime/scheduler/cluster.h"
#include <algorithm>
#include <map>
#include <mutex>

namespace cudacpu::inspect {
namespace {

/* The clusters that run, by their number. */
std::mutex clusters_lock;
std::map<uint64_t, knowledge *> clusters;

/* Does something order some of a block's threads, in this launch? Then all readers of a word are
 * kept, also in the blocks that begin later. */
std::atomic<bool> partial_order;
void note_partial_order(observed_worker *w) { w->keeps_readers = partial_order = true; }

uint32_t entry_of(const vector_clock &clock, size_t entry) {
    return entry < clock.size() ? clock[entry] : 0;
}

void record_ended(const knowledge *k, const remote_access &r) {
    record_fault("block is not there", r.at,
                 text("block ", block_name(k->number[r.owner]), " may end before thread ",
                      thread_name(r.thread), " of block ", block_name(k->number[r.rank]),
                      " accesses its shared memory here: no barrier of the cluster lies between"));
}

class clock_events : public observer {
    void launch_begins(const kernel &, dim3, dim3) override { partial_order = false; }
    void block_begins(const block_start &, const unsigned short **) override {
        observed_worker *w = this_worker;
        /* all readers of the first blocks are kept, since nobody knows yet */
        w->keeps_readers = is_first_block() || partial_order;
        const cluster *c = self->together;
        std::lock_guard<std::mutex> guard(clusters_lock);
        knowledge *&k = clusters[c->number];
        if (!k) {
            k = new knowledge();
            k->blocks = c->size;
            k->threads = w->threads;
            k->active = is_sampled(c->number);
        }
        k->worker[self->rank] = w;
        k->number[self->rank] = w->block;
        w->knows = k;
        w->rank = self->rank;
        w->cluster = c->number;
        w->active = k->active;
        if (k->blocks > 1)
            keep_knowledge(w);
    }
    void block_ends() override {
        observed_worker *w = this_worker;
        std::lock_guard<std::mutex> guard(clusters_lock);
        knowledge *k = w->knows;
        w->knows = nullptr;
        k->ended[w->rank] = true;
        if (std::count(k->ended, k->ended + k->blocks, true) < k->blocks)
            return;
        clusters.erase(w->cluster);
        delete k;
    }

    /* These threads of the block know from now on what each of them knows. */
    static void share(observed_worker *w, unsigned first, unsigned count) {
        if (w->knows->known.empty())
            return;
        vector_clock all;
        const unsigned end = std::min(first + count, w->threads);
        for (unsigned i = first; i < end; i++)
            release(w, i, all);
        for (unsigned i = first; i < end; i++)
            acquire(w, i, all);
    }
    void barrier_opens(const unsigned short **) override {
        observed_worker *w = this_worker;
        w->block_clock = ++w->clock;
        share(w, 0, w->threads);
        w->phase++;
    }
    void warp_synchronised(unsigned first_thread) override {
        observed_worker *w = this_worker;
        note_partial_order(w);
        w->warp_clock[first_thread / 32] = ++w->clock;
        share(w, first_thread, 32);
    }

    void named_barrier_arrived(unsigned number) override {
        record_event("named barrier", nullptr, nullptr, {number});
        if (observed_worker *w = observed())
            release(w, thread_number(), w->knows->arriving[{w->rank, number}]);
    }
    void named_barrier_opens(unsigned number, const unsigned *threads, unsigned count) override {
        observed_worker *w = observed();
        if (!w)
            return;
        vector_clock &all = w->knows->arriving[{w->rank, number}];
        for (unsigned i = 0; i < count; i++)
            acquire(w, threads[i], all);
        all.clear();
    }

    void cluster_arrived() override {
        record_event("cluster arrive");
        observed_worker *w = observed();
        if (!w)
            return;
        keep_knowledge(w);
        knowledge *k = w->knows;
        const unsigned thread = thread_number();
        const uint64_t phase = ++k->phases[w->rank * k->threads + thread];
        auto &barrier = k->cluster_barrier[phase % 2];
        if (barrier.phase != phase)
            barrier.passed_on.clear();
        barrier.phase = phase;
        release(w, thread, barrier.passed_on);
    }
    void cluster_waited() override {
        record_event("cluster wait");
        observed_worker *w = observed();
        if (!w)
            return;
        keep_knowledge(w);
        const knowledge *k = w->knows;
        const unsigned thread = thread_number();
        acquire(w, thread,
                k->cluster_barrier[k->phases[w->rank * k->threads + thread] % 2].passed_on);
    }
};

/* Of a block that ends: was each access to its memory done before? */
class remote_events : public observer {
    void block_ends() override {
        const observed_worker *w = this_worker;
        const knowledge *k = w->knows;
        if (!k->active || self->aborted)
            return;
        vector_clock all;
        if (!k->remote.empty())
            for (unsigned i = 0; i < w->threads; i++)
                join(all, w->knows->of(w->rank, i));
        for (const remote_access &r : k->remote)
            if (r.owner == w->rank &&
                entry_of(all, r.entry != NO_ENTRY ? r.entry : k->thread_entry(r.rank, r.thread)) <=
                    r.clock)
                record_ended(k, r);
    }
};

} // namespace

void join(vector_clock &into, const vector_clock &from) {
    if (into.size() < from.size())
        into.resize(from.size());
    for (size_t i = 0; i < from.size(); i++)
        into[i] = std::max(into[i], from[i]);
}

int knowledge::rank_of(uint64_t block) const {
    for (unsigned rank = 0; rank < blocks; rank++)
        if (worker[rank] && number[rank] == block)
            return (int)rank;
    return -1;
}

void keep_knowledge(observed_worker *w) {
    knowledge *k = w->knows;
    note_partial_order(w);
    if (!k->known.empty())
        return;
    k->known.assign((size_t)k->blocks * k->threads, vector_clock(k->blocks * k->block_width()));
    k->phases.assign((size_t)k->blocks * k->threads, 0);
}

void release(observed_worker *w, unsigned thread, vector_clock &into) {
    keep_knowledge(w);
    const knowledge *k = w->knows;
    const vector_clock &mine = w->knows->of(w->rank, thread);
    join(into, mine);
    /* what came before the block's and the warp's last barrier is known, too */
    const uint32_t warp = w->warp_clock[thread / 32];
    uint32_t *own = &into[k->thread_entry(w->rank, 0)];
    for (unsigned i = 0; i < k->threads; i++)
        own[i] = std::max(own[i],
                          i / 32 == thread / 32 ? std::max(w->block_clock, warp) : w->block_clock);
    own[thread] = ++w->clock;
}

void acquire(observed_worker *w, unsigned thread, const vector_clock &from) {
    keep_knowledge(w);
    join(w->knows->of(w->rank, thread), from);
}

void note_remote(observed_worker *w, const remote_access &r) {
    knowledge *k = w->knows;
    if (k->ended[r.owner])
        return record_ended(k, r);
    for (remote_access &known : k->remote)
        if (known.owner == r.owner && known.rank == r.rank && known.thread == r.thread &&
            known.entry == r.entry) {
            known = r;
            return;
        }
    k->remote.push_back(r);
}

bool knows(const observed_worker *w, unsigned thread, uint64_t block, unsigned other,
           uint32_t clock) {
    if (block == w->block && (other == thread || clock < w->block_clock ||
                              (other / 32 == thread / 32 && clock < w->warp_clock[thread / 32])))
        return true;
    const int rank = w->knows ? w->knows->rank_of(block) : -1;
    return rank >= 0 &&
           clock < known_entry(w, thread, w->knows->thread_entry((unsigned)rank, other));
}

uint32_t known_entry(const observed_worker *w, unsigned thread, size_t entry) {
    const knowledge *k = w->knows;
    return !k || k->known.empty() ? 0 : entry_of(w->knows->of(w->rank, thread), entry);
}

void learn_entry(observed_worker *w, unsigned thread, size_t entry, uint32_t value) {
    vector_clock &mine = w->knows->of(w->rank, thread);
    if (mine.size() <= entry)
        mine.resize(entry + 1);
    mine[entry] = std::max(mine[entry], value);
}

observer &remote_accesses() { return only<remote_events>(); }
observer &vector_clocks() { return only<clock_events>(); }

} // namespace cudacpu::inspect
