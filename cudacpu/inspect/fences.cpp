/* fences.cpp - who has released what in which word, and who has read it there. */
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include <bitset>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace cudacpu::inspect {

/* A word that threads of the block have read; clock: when the first one did. */
struct read_by_thread {
    uintptr_t word;
    uint32_t clock;
    std::bitset<1024> threads;
};

/* Those of a block, in the order of their first reads. Others look at them after its end. */
typedef std::vector<read_by_thread> read_list;

/* Of a block. clock, block_clock: at each thread's last fence; 0: none. pending: the word that each
 * thread is about to read, in which nobody has released anything yet; 0: none. A read through a
 * volatile pointer is announced before it takes place, and a release may come in between. */
struct fence_state {
    uint32_t clock[1024], block_clock[1024], pending_clock[1024];
    uintptr_t pending[1024];
    bool has_pending;
    std::shared_ptr<read_list> read = std::make_shared<read_list>();
};

namespace {

/* What a thread that released something had read: of the first `count` words of its block those
 * that it had read itself, or any thread before the barrier at block_clock. */
struct reads_before {
    std::shared_ptr<read_list> of;
    size_t count;
    unsigned thread;
    uint32_t block_clock;
};

/* What a thread has released in a word: what it, and what all of its block, did before a clock. */
struct release_of_thread {
    uint32_t clock, block_clock;
    reads_before through;
};
/* By block and thread. */
using sync_word = std::map<std::pair<uint64_t, unsigned>, release_of_thread>;

std::atomic<bool> has_fences; /* in this launch */
std::mutex fences_lock;
std::unordered_map<uintptr_t, sync_word> words;

fence_state *fences_of(observed_worker *w) {
    if (!w->fences)
        w->fences = new fence_state();
    return w->fences;
}

/* Takes note of the read, if somebody has released something in the word. */
bool note_read(fence_state *f, uintptr_t word, unsigned thread, uint32_t clock) {
    for (read_by_thread &r : *f->read)
        if (r.word == word) {
            if (!r.threads[thread]) {
                std::lock_guard<std::mutex> guard(fences_lock);
                r.threads[thread] = true;
            }
            return true;
        }
    if (!has_fences)
        return false;
    std::lock_guard<std::mutex> guard(fences_lock);
    if (!words.count(word))
        return false;
    f->read->push_back({word, clock, {}});
    f->read->back().threads[thread] = true;
    return true;
}

/* Takes note of the pending reads of words in which somebody has released something since. */
void note_pending(fence_state *f) {
    if (!f->has_pending)
        return;
    f->has_pending = false;
    for (unsigned i = 0; i < 1024; i++)
        if (f->pending[i] && note_read(f, f->pending[i], i, f->pending_clock[i]))
            f->pending[i] = 0;
        else if (f->pending[i])
            f->has_pending = true;
}

class fence_events : public observer {
    void launch_begins(const kernel &, dim3, dim3) override {
        if (has_fences.exchange(false))
            words.clear();
    }
    void block_begins(const block_start &, const unsigned short **) override {
        delete this_worker->fences;
        this_worker->fences = nullptr;
    }
};

} // namespace

void on_fence() {
    observed_worker *w = observed();
    if (!w)
        return;
    fence_state *f = fences_of(w);
    const unsigned thread = thread_number();
    f->block_clock[thread] = w->block_clock;
    f->clock[thread] = ++w->clock;
    has_fences = true;
}

bool has_fenced(const observed_worker *w, unsigned thread) {
    return w->fences && w->fences->clock[thread];
}

void before_atomic_write(const volatile void *word, int order) {
    observed_worker *w = observed();
    if (!w)
        return;
    if (order >= __ATOMIC_RELEASE)
        on_fence();
    const unsigned thread = thread_number();
    if (!has_fenced(w, thread))
        return;
    note_pending(w->fences);
    std::lock_guard<std::mutex> guard(fences_lock);
    const auto &read = w->fences->read;
    words[(uintptr_t)word][{w->block, thread}] = {w->fences->clock[thread],
                                                  w->fences->block_clock[thread],
                                                  {read, read->size(), thread, w->block_clock}};
}

void after_atomic_read(const volatile void *word) {
    observed_worker *w = observed();
    if (!w)
        return;
    fence_state *f = fences_of(w);
    const unsigned thread = thread_number();
    uintptr_t &pending = f->pending[thread];
    if (pending && pending != (uintptr_t)word)
        note_read(f, pending, thread, f->pending_clock[thread]);
    if (note_read(f, (uintptr_t)word, thread, w->clock)) {
        pending = 0;
    } else if (pending != (uintptr_t)word) {
        pending = (uintptr_t)word;
        f->pending_clock[thread] = w->clock;
        f->has_pending = true;
    }
}

bool is_ordered_by_fences(const observed_worker *w, unsigned thread, const visit &v) {
    if (!has_fences || !w->fences)
        return false;
    note_pending(w->fences);
    std::lock_guard<std::mutex> guard(fences_lock);
    std::vector<uintptr_t> next;
    std::unordered_set<uintptr_t> seen;
    std::map<std::tuple<const read_list *, unsigned, uint32_t>, size_t> followed;
    auto follow = [&](const reads_before &r) {
        size_t &from = followed[{r.of.get(), r.thread, r.block_clock}];
        for (; from < r.count; from++) {
            const read_by_thread &read = (*r.of)[from];
            if ((read.threads[r.thread] || read.clock < r.block_clock) &&
                seen.insert(read.word).second)
                next.push_back(read.word);
        }
    };
    follow({w->fences->read, w->fences->read->size(), thread, w->block_clock});
    while (!next.empty()) {
        const auto found = words.find(next.back());
        next.pop_back();
        if (found == words.end())
            continue;
        const sync_word &s = found->second;
        for (auto at = s.lower_bound({v.block, 0}); at != s.end() && at->first.first == v.block;
             at++)
            if (v.clock <
                (at->first.second == v.thread ? at->second.clock : at->second.block_clock))
                return true;
        for (const auto &writer : s)
            follow(writer.second.through);
    }
    return false;
}

observer &fences() { return only<fence_events>(); }

} // namespace cudacpu::inspect
