/* knowledge.cpp - keeps the vector clocks of a cluster's threads. */
#include "knowledge.h"
#include "faults.h"
#include "observed_launch.h"
#include "recording.h"
#include <algorithm>
#include <map>
#include <mutex>

namespace cudacpu::inspect {
namespace {

/* The clusters that run, by their number. */
std::mutex clusters_lock;
std::map<uint64_t, knowledge *> clusters;

uint32_t entry_of(const vector_clock &clock, size_t entry) {
    return entry < clock.size() ? clock[entry] : 0;
}

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

void begin_knowledge(observed_worker *w, unsigned rank, unsigned blocks, uint64_t cluster,
                     bool active) {
    std::lock_guard<std::mutex> guard(clusters_lock);
    knowledge *&k = clusters[cluster];
    if (!k) {
        k = new knowledge();
        k->blocks = blocks;
        k->threads = w->threads;
        k->active = active;
    }
    k->worker[rank] = w;
    k->number[rank] = w->block;
    w->knows = k;
    w->rank = rank;
    w->cluster = cluster;
    w->active = k->active;
    if (blocks > 1)
        keep_knowledge(w);
}

void end_knowledge(observed_worker *w) {
    std::lock_guard<std::mutex> guard(clusters_lock);
    knowledge *k = w->knows;
    w->knows = nullptr;
    k->ended[w->rank] = true;
    if (std::count(k->ended, k->ended + k->blocks, true) < k->blocks)
        return;
    clusters.erase(w->cluster);
    delete k;
}

void keep_knowledge(observed_worker *w) {
    knowledge *k = w->knows;
    note_partial_order(w);
    if (k->known.empty())
        k->known.assign((size_t)k->blocks * k->threads, vector_clock(k->blocks * k->block_width()));
    if (k->phases.empty())
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

void share(observed_worker *w, const unsigned *threads, unsigned count) {
    vector_clock all;
    for (unsigned i = 0; i < count; i++)
        release(w, threads[i], all);
    for (unsigned i = 0; i < count; i++)
        acquire(w, threads[i], all);
}

namespace {
void share_range(observed_worker *w, unsigned first, unsigned count) {
    if (w->knows->known.empty())
        return;
    std::vector<unsigned> threads;
    for (unsigned i = first; i < first + count && i < w->threads; i++)
        threads.push_back(i);
    share(w, threads.data(), (unsigned)threads.size());
}
} // namespace

void share_block(observed_worker *w) { share_range(w, 0, w->threads); }
void share_warp(observed_worker *w, unsigned first_thread) { share_range(w, first_thread, 32); }

void on_named_barrier_arrived(unsigned number) {
    record_event(STEP_NAMED_BARRIER, nullptr, nullptr, {number});
    if (observed_worker *w = observed())
        release(w, thread_number(), w->knows->arriving[{w->rank, number}]);
}

void on_named_barrier_opens(unsigned number, const unsigned *threads, unsigned count) {
    observed_worker *w = observed();
    if (!w)
        return;
    vector_clock &all = w->knows->arriving[{w->rank, number}];
    for (unsigned i = 0; i < count; i++)
        acquire(w, threads[i], all);
    all.clear();
}

void on_cluster_arrived() {
    record_event(STEP_CLUSTER_ARRIVE, nullptr);
    observed_worker *w = observed();
    if (!w)
        return;
    keep_knowledge(w);
    knowledge *k = w->knows;
    const unsigned thread = thread_number();
    const uint64_t phase = ++k->phases[w->rank * k->threads + thread];
    if (k->cluster_phase[phase % 2] != phase)
        k->cluster_barrier[phase % 2].clear();
    k->cluster_phase[phase % 2] = phase;
    release(w, thread, k->cluster_barrier[phase % 2]);
}

void on_cluster_waited() {
    record_event(STEP_CLUSTER_WAIT, nullptr);
    observed_worker *w = observed();
    if (!w)
        return;
    keep_knowledge(w);
    const knowledge *k = w->knows;
    const unsigned thread = thread_number();
    acquire(w, thread, k->cluster_barrier[k->phases[w->rank * k->threads + thread] % 2]);
}

namespace {
void record_ended(const knowledge *k, const remote_access &r) {
    record_fault("block is not there", r.at,
                 "block " + block_name(k->number[r.owner]) + " may end before thread " +
                     thread_name(r.thread) + " of block " + block_name(k->number[r.rank]) +
                     " accesses its shared memory here: no barrier of the cluster lies between");
}
} // namespace

void note_remote(observed_worker *w, const remote_access &r) {
    knowledge *k = w->knows;
    if (k->ended[r.owner]) {
        record_ended(k, r);
        return;
    }
    for (remote_access &known : k->remote)
        if (known.owner == r.owner && known.rank == r.rank && known.thread == r.thread &&
            known.entry == r.entry) {
            known = r;
            return;
        }
    k->remote.push_back(r);
}

void check_remote(observed_worker *w) {
    const knowledge *k = w->knows;
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

bool knows(const observed_worker *w, unsigned thread, uint64_t block, unsigned other,
           uint32_t clock) {
    if (block == w->block) {
        if (other == thread || clock < w->block_clock ||
            (other / 32 == thread / 32 && clock < w->warp_clock[thread / 32]))
            return true;
    }
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

} // namespace cudacpu::inspect
