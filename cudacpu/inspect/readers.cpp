/* readers.cpp - keeps all the readers of a word. */
#include "readers.h"
#include "knowledge.h"
#include "observer.h"
#include "sampling.h"
#include <atomic>

namespace cudacpu::inspect {
namespace {

std::atomic<bool> partial_order; /* in this launch */

enum { MOST_OPERATIONS = 64 };

} // namespace

void note_partial_order(observed_worker *w) { w->keeps_readers = partial_order = true; }

reader_set *find_readers(observed_worker *w, const word_history *h) {
    std::vector<reader_set> &sets = w->knows->readers;
    return h->readers < sets.size() && sets[h->readers].word == h ? &sets[h->readers] : nullptr;
}

void add_reader(observed_worker *w, word_history *h, const visit &v) {
    std::vector<reader_set> &sets = w->knows->readers;
    if (!find_readers(w, h)) {
        h->readers = (uint32_t)sets.size();
        sets.push_back({h, {}, {}});
    }
    reader_set &set = sets[h->readers];
    if (v.bytes & ASYNCHRONOUS) {
        if (set.operations.size() == MOST_OPERATIONS)
            set.operations.erase(set.operations.begin());
        set.operations.push_back(v);
        return;
    }
    const uint32_t warp = v.thread / 32u;
    size_t i = 0;
    while (i < set.warps.size() && (set.warps[i].block != v.block || set.warps[i].warp != warp ||
                                    set.warps[i].bytes != v.bytes))
        i++;
    if (i == set.warps.size())
        set.warps.push_back({v.block, warp, 0, v.bytes, {}});
    set.warps[i].instruction = v.instruction;
    set.warps[i].clock[v.thread % 32] = v.clock;
}

namespace {
class reader_events : public observer {
    void launch_begins(const kernel &, dim3, dim3) override { partial_order = false; }
    /* All readers of the first blocks are kept, since nobody knows yet. */
    void block_begins(const block_start &, const unsigned short **) override {
        this_worker->keeps_readers = is_first_block() || partial_order;
    }
};
} // namespace

observer &readers() {
    static reader_events all;
    return all;
}

} // namespace cudacpu::inspect
