/* observed.cpp - the launch, its blocks and the OS threads that run them: which blocks are
 * observed, and in which order their threads run. */
#include "observed.h"
#include "access_log.h"
#include "counts.h"
#include "faults.h"
#include "knowledge.h"
#include "observer.h"
#include "places.h"
#include "races.h"
#include "runtime/host/devices.h"
#include "runtime/host/machine.h"
#include "runtime/host/process.h"
#include "runtime/host/text.h"
#include "runtime/memory/protection.h"
#include "runtime/scheduler/block.h"
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <numeric>
#include <time.h>
#include <unistd.h>

namespace cudacpu::inspect {

CUDACPU_NEAR_THREAD observed_worker *this_worker;
observed_launch running_launch;
std::atomic<bool> is_time_over;

namespace {

std::vector<observed_worker *> all_workers, unused; /* unused: their OS threads have ended */
std::mutex workers_lock;

observed_worker *new_worker() {
    observed_worker *w = new observed_worker();
    w->tls_bytes = program_thread_locals().bytes;
    w->by_address = make_zeroed<instruction *>(program_text_bytes);
    w->executed = make_zeroed<uint64_t>(program_text_bytes);
    const size_t words = w->tls_bytes / 4 + 64 * 1024 + 2;
    w->shared_history = make_zeroed<word_history>(words);
    w->shared_state = make_zeroed<uint8_t>(words);
    w->shared_block = make_zeroed<uint32_t>(words);
    return w;
}

void make_this_worker() {
    std::lock_guard<std::mutex> guard(workers_lock);
    if (unused.empty()) {
        this_worker = all_workers.emplace_back(new_worker());
    } else {
        this_worker = unused.back();
        unused.pop_back();
        for (instruction *s : this_worker->instructions)
            s->bytes = 0; /* what it accessed last may be elsewhere now */
    }
    this_worker->tls = (uintptr_t)program_thread_locals().begin;
}

/* ---- the launch ---- */

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

/* The order in which the block's threads run, a new one at each barrier: a result that is right by
 * luck is wrong now and then. Ascending, descending or random, in turn; the threads of a warp stay
 * together. The order stands until the next call. */
const unsigned short *make_thread_order(observed_worker *w) {
    enum { ASCENDING, DESCENDING, RANDOM, ORDERS };
    const unsigned n = w->threads, order = (unsigned)((w->block + w->phase) % ORDERS);
    std::iota(w->order, w->order + n, (unsigned short)0);
    if (order == DESCENDING)
        std::reverse(w->order, w->order + n);
    if (order != RANDOM)
        return w->order;
    unsigned short warps[32];
    const unsigned count = (n + 31) / 32;
    std::iota(warps, warps + count, (unsigned short)0);
    shuffle(warps, count, w->random);
    unsigned short *next = w->order;
    for (unsigned i = 0; i < count; i++) {
        const unsigned first = warps[i] * 32u, lanes = std::min(32u, n - first);
        std::iota(next, next + lanes, (unsigned short)first);
        shuffle(next, lanes, w->random);
        next += lanes;
    }
    return w->order;
}

class launch_events : public observer {
    void launch_begins(const kernel &k, dim3 grid, dim3 block) override {
        running_launch = {&k, grid, block, current_device(), running_launch.number + 1};
    }
    void block_begins(const block_start &b, const unsigned short **order) override {
        if (is_time_over)
            self->launch->failed = true; /* no more blocks after this one */
        if (!this_worker)
            make_this_worker();
        observed_worker *w = this_worker;
        w->block = b.number;
        w->blocks++;
        w->threads = b.threads;
        w->warp = w->phase = 0;
        /* a block may have ended amid an access */
        w->is_volatile = w->is_exchange = w->has_failed = false;
        w->range = w->stored.address = w->last_stored = 0;
        w->dynamic = b.dynamic;
        w->dynamic_bytes = b.dynamic_bytes;
        w->shared_area =
            (uintptr_t)b.dynamic + (b.dynamic_bytes + 15) / 16 * 16 - (256 + 64) * 1024;
        w->shared_area_bytes = (256 + 2 * 64) * 1024;
        w->stacks = b.stacks;
        w->stacks_bytes = b.stacks_bytes;
        w->block_clock = ++w->clock;
        memset(w->warp_clock, 0, sizeof w->warp_clock);
        w->random = b.number * 7919 + 1;
        *order = make_thread_order(w);
    }
    void barrier_opens(const unsigned short **order) override {
        *order = make_thread_order(this_worker);
    }
    void launch_ends() override {
        damage found;
        while (find_damage(&found))
            restore_pattern(found);
        running_launch.kernel = nullptr;
        if (is_time_over) {
            tell(&observer::process_ends);
            _exit(recorded_faults().empty() ? 0 : 1);
        }
    }
    /* The OS thread ends; another one's worker will be the same. */
    void worker_ends() override {
        std::lock_guard<std::mutex> guard(workers_lock);
        if (this_worker)
            unused.push_back(this_worker);
        this_worker = nullptr;
    }
};

/* ---- which blocks are observed ---- */

/* A launch that would take longer than LONG seconds is sampled, once PATIENCE seconds have shown
 * it, unless CUDACPU_INSPECT_WHOLE is set: every SAMPLE_STRIDEth block: a prime, so that the sample
 * has blocks of every row and column of the grid. */
const double PATIENCE = 15, LONG = 55;
const unsigned SAMPLE_STRIDE = 61;

std::atomic<uint64_t> blocks_done, blocks_observed;
std::atomic<unsigned> stride; /* every how manyth block is observed */
double work_began;

double work_seconds() { return (double)clock() / CLOCKS_PER_SEC; } /* of all threads */

void sample_if_long(uint64_t done) {
    /* what a machine with nothing else to do would have taken */
    const double seconds = (work_seconds() - work_began) / processors();
    static const bool whole = getenv("CUDACPU_INSPECT_WHOLE") != nullptr;
    if (!whole && stride == 1 && seconds > PATIENCE &&
        seconds / (double)done * (double)running_launch.blocks() > LONG)
        stride = SAMPLE_STRIDE;
}

class sampling_events : public observer {
    void launch_begins(const kernel &, dim3, dim3) override {
        blocks_done = blocks_observed = 0;
        stride = 1;
        work_began = work_seconds();
    }
    void block_ends() override {
        if (this_worker->knows->active)
            blocks_observed++;
        sample_if_long(++blocks_done);
    }
    void launch_ends() override {
        if (blocks_observed < running_launch.blocks())
            counted().sampled = true;
    }
};

} // namespace

std::vector<observed_worker *> workers() {
    std::lock_guard<std::mutex> guard(workers_lock);
    return all_workers;
}

observed_worker *find_worker(uint64_t block) {
    for (observed_worker *w : workers())
        if (w->active && w->block == block)
            return w;
    return nullptr;
}

const char *kernel_name() { return running_launch.kernel ? running_launch.kernel->name : ""; }

static std::string name_within(dim3 all, uint64_t number) {
    return format_triple({(unsigned)(number % all.x), (unsigned)(number / all.x % all.y),
                          (unsigned)(number / all.x / all.y)});
}
std::string block_name(uint64_t number) { return name_within(running_launch.grid, number); }
std::string thread_name(unsigned number) { return name_within(running_launch.block, number); }

observer &launches() { return only<launch_events>(); }

bool is_sampled(uint64_t cluster) { return cluster % stride == 0; }
bool is_first_block() { return blocks_done == 0; }
double sampled_scale() {
    return blocks_observed ? (double)running_launch.blocks() / (double)blocks_observed : 1;
}

observer &sampling() { return only<sampling_events>(); }

} // namespace cudacpu::inspect
