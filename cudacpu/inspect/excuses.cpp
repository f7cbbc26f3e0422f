/* excuses.cpp - races that wait until it shows whether they are faults. */
#include "excuses.h"
#include "observer.h"
#include "recording.h"
#include <algorithm>
#include <cstring>
#include <mutex>
#include <unistd.h>

namespace cudacpu::inspect {

struct held_write {
    uintptr_t address;
    unsigned size;
    uint32_t before;
    fault race;
};
struct held_writes : std::vector<held_write> {};

namespace {

enum { WAIT = 50, MOST_WAITS = 4000, MOST_BYTES = 4000, MOST_HELD = 16384 };

std::mutex lock;
std::vector<std::pair<uintptr_t, fault>> held; /* by the reader; one of each kind and line */
std::set<uintptr_t> exchanging;                /* readers, in this launch */

uint32_t read_word(uintptr_t address, unsigned size) {
    uint32_t value = 0;
    memcpy(&value, (const void *)address, size);
    return value;
}

/* Those whose readers never came to an atomicCAS are faults. */
class benign_race_events : public observer {
    void launch_ends() override {
        for (const auto &known : held)
            if (!exchanging.count(known.first))
                record_fault(known.second);
        held.clear();
        exchanging.clear();
    }
};

} // namespace

void hold_for_exchange(uintptr_t reader, const fault &f) {
    std::lock_guard<std::mutex> guard(lock);
    for (auto &known : held)
        if (known.first == reader && known.second.kind == f.kind && known.second.at == f.at) {
            const uint64_t count = known.second.count + 1;
            if (f.order < known.second.order)
                known.second = f;
            known.second.count = count;
            return;
        }
    held.push_back({reader, f});
}

void note_exchange(uintptr_t reader) {
    std::lock_guard<std::mutex> guard(lock);
    exchanging.insert(reader);
}

void wait_for_write(uint64_t block, uintptr_t address) {
    const observed_worker *w = find_worker(block);
    /* not too long: its thread may compute, or announce words of the same lock (races.cpp) */
    for (unsigned i = 0; i < MOST_WAITS && w && w->active && w->block == block; i++) {
        const uintptr_t last = __atomic_load_n(&w->last_stored, __ATOMIC_ACQUIRE),
                        first = __atomic_load_n(&w->first_stored, __ATOMIC_RELAXED);
        if (address < first || address > last || last - first > MOST_BYTES)
            return;
        usleep(WAIT);
    }
}

void hold_for_value(observed_worker *w, uintptr_t address, unsigned size, const fault &f) {
    if (!w->writes)
        w->writes = new held_writes();
    if (w->writes->size() < MOST_HELD)
        w->writes->push_back({address, size, read_word(address, size), f});
}

void compare_values(observed_worker *w) {
    for (const held_write &h : *w->writes) {
        if (read_word(h.address, h.size) != h.before) {
            record_step_fault(w, h.race.kind.c_str(), h.race.at, h.address, h.race.message);
            record_fault(h.race);
            continue;
        }
        const std::string at = text(h.race.at, ": kernel ", h.race.kernel);
        std::lock_guard<std::mutex> guard(lock);
        equal_values().insert(at);
    }
    delete w->writes;
    w->writes = nullptr;
}

std::set<std::string> &equal_values() {
    static auto *all = new std::set<std::string>(); /* the report comes after destructors */
    return *all;
}

observer &benign_races() { return only<benign_race_events>(); }

} // namespace cudacpu::inspect
