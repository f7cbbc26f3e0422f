/* observed_worker.cpp - the OS threads that run blocks. */
#include "observed_worker.h"
#include "places.h"
#include "races.h"
#include "runtime/program.h"
#include "zeroed.h"
#include <mutex>

namespace cudacpu::inspect {

CUDACPU_THREAD observed_worker *this_worker;

namespace {

std::vector<observed_worker *> all_workers;
std::mutex workers_lock;

} // namespace

void make_this_worker() {
    observed_worker *w = new observed_worker();
    const thread_locals statics = program_thread_locals();
    w->tls = (uintptr_t)statics.begin;
    w->tls_bytes = statics.bytes;
    w->by_address = make_zeroed<instruction *>(program_text_bytes);
    w->executed = make_zeroed<uint64_t>(program_text_bytes);
    const size_t words = w->tls_bytes / 4 + 64 * 1024 + 2;
    w->shared_history = make_zeroed<word_history>(words);
    w->shared_state = make_zeroed<uint8_t>(words);
    w->shared_block = make_zeroed<uint32_t>(words);
    this_worker = w;
    std::lock_guard<std::mutex> guard(workers_lock);
    all_workers.push_back(w);
}

const std::vector<observed_worker *> &workers() { return all_workers; }

observed_worker *find_worker(uint64_t block) {
    std::lock_guard<std::mutex> guard(workers_lock);
    for (observed_worker *w : all_workers)
        if (w->active && w->block == block)
            return w;
    return nullptr;
}

} // namespace cudacpu::inspect
