/* observed_worker.cpp - the OS threads that run blocks. */
#include "observed_worker.h"
#include "access_log.h"
#include "places.h"
#include "races.h"
#include "runtime/host/process.h"
#include "zeroed.h"
#include <mutex>

namespace cudacpu::inspect {

CUDACPU_NEAR_THREAD observed_worker *this_worker;

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

} // namespace

void make_this_worker() {
    std::lock_guard<std::mutex> guard(workers_lock);
    if (unused.empty()) {
        all_workers.push_back(new_worker());
        this_worker = all_workers.back();
    } else {
        this_worker = unused.back();
        unused.pop_back();
        for (instruction *s : this_worker->instructions)
            s->bytes = 0; /* what it accessed last may be elsewhere now */
    }
    this_worker->tls = (uintptr_t)program_thread_locals().begin;
}
void end_this_worker() {
    std::lock_guard<std::mutex> guard(workers_lock);
    if (this_worker)
        unused.push_back(this_worker);
    this_worker = nullptr;
}

std::vector<observed_worker *> workers() {
    std::lock_guard<std::mutex> guard(workers_lock);
    return all_workers;
}

observed_worker *find_worker(uint64_t block) {
    std::lock_guard<std::mutex> guard(workers_lock);
    for (observed_worker *w : all_workers)
        if (w->active && w->block == block)
            return w;
    return nullptr;
}

} // namespace cudacpu::inspect
