/* fences.cpp - who has released what in which word, and who has read it there. */
#include "fences.h"
#include "observed_launch.h"
#include <algorithm>
#include <bitset>
#include <map>
#include <mutex>
#include <set>
#include <unordered_map>

namespace cudacpu::inspect {

/* A word that threads of the block have read; clock: when the first one did. */
struct read_word {
    uintptr_t word;
    uint32_t clock;
    std::bitset<1024> threads;
};

/* Of a block. clock, block_clock: at each thread's last fence; 0: none. pending: the word that each
 * thread is about to read, in which nobody has released anything yet; 0: none. A read through a
 * volatile pointer is announced before it takes place, and a release may come in between. */
struct fence_state {
    uint32_t clock[1024], block_clock[1024], pending_clock[1024];
    uintptr_t pending[1024];
    bool has_pending;
    std::vector<read_word> read;
};

namespace {

struct sync_word {
    std::map<std::pair<uint64_t, unsigned>, uint32_t> threads; /* block, thread: done before */
    std::map<uint64_t, uint32_t> blocks;                       /* all threads of a block */
    std::set<uintptr_t> through;                               /* words that its writers had read */
};

std::atomic<bool> has_fences; /* in this launch */
std::mutex lock;
std::unordered_map<uintptr_t, sync_word> words;

bool has_read(const observed_worker *w, unsigned thread, const read_word &r) {
    return r.threads[thread] || r.clock < w->block_clock;
}

/* Takes note of the read, if somebody has released something in the word. */
bool note_read(fence_state *f, uintptr_t word, unsigned thread, uint32_t clock) {
    for (read_word &r : f->read)
        if (r.word == word) {
            r.threads[thread] = true;
            return true;
        }
    if (!has_fences)
        return false;
    std::lock_guard<std::mutex> guard(lock);
    if (!words.count(word))
        return false;
    f->read.push_back({word, clock, {}});
    f->read.back().threads[thread] = true;
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

} // namespace

void forget_fences() {
    if (has_fences.exchange(false))
        words.clear();
}

void begin_fences(observed_worker *w) {
    delete w->fences;
    w->fences = nullptr;
}

void on_fence() {
    observed_worker *w = observed();
    if (!w)
        return;
    if (!w->fences)
        w->fences = new fence_state();
    const unsigned thread = thread_number();
    w->fences->block_clock[thread] = w->block_clock;
    w->fences->clock[thread] = ++w->clock;
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
    std::lock_guard<std::mutex> guard(lock);
    sync_word &s = words[(uintptr_t)word];
    s.threads[{w->block, thread}] = w->fences->clock[thread];
    uint32_t &all = s.blocks[w->block];
    all = std::max(all, w->fences->block_clock[thread]);
    for (const read_word &r : w->fences->read)
        if (has_read(w, thread, r) && r.word != (uintptr_t)word)
            s.through.insert(r.word);
}

void after_atomic_read(const volatile void *word) {
    observed_worker *w = observed();
    if (!w)
        return;
    if (!w->fences)
        w->fences = new fence_state();
    fence_state *f = w->fences;
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
    std::vector<uintptr_t> next;
    for (const read_word &r : w->fences->read)
        if (has_read(w, thread, r))
            next.push_back(r.word);
    std::lock_guard<std::mutex> guard(lock);
    for (std::set<uintptr_t> seen; !next.empty();) {
        const uintptr_t word = next.back();
        next.pop_back();
        const auto found = words.find(word);
        if (!seen.insert(word).second || found == words.end())
            continue;
        const sync_word &s = found->second;
        const auto by_thread = s.threads.find({v.block, v.thread});
        const auto by_block = s.blocks.find(v.block);
        if ((by_thread != s.threads.end() && v.clock < by_thread->second) ||
            (by_block != s.blocks.end() && v.clock < by_block->second))
            return true;
        next.insert(next.end(), s.through.begin(), s.through.end());
    }
    return false;
}

} // namespace cudacpu::inspect
