/* launch_races.cpp - an access before the wait, and one of the kernel before that it may meet. */
#include "areas.h"
#include "async_operations.h"
#include "faults.h"
#include "knowledge.h"
#include "observed.h"
#include "observer.h"
#include "races.h"
#include "runtime/streams/operation.h"
#include <atomic>

namespace cudacpu::inspect {

bool overlaps_primary;

namespace {

/* The kernel that was done last. */
struct {
    uint64_t operation;
    std::string name;
    bool triggered; /* the next one could begin before it had ended */
} last;
std::atomic<bool> triggers; /* does the running one? */

/* Does the thread know that a thread of its cluster has waited? */
bool knows_of_wait(const observed_worker *w, unsigned thread) {
    const knowledge *k = w->knows;
    for (unsigned rank = 0; rank < k->blocks; rank++)
        if (const observed_worker *other = k->worker[rank])
            for (const primary_wait &p : other->primary_waits)
                if (knows(w, thread, k->number[rank], p.thread, p.clock))
                    return true;
    return false;
}

class launch_race_events : public observer {
    void operation_begins(const stream_operation &o) override {
        if (!o.is_kernel())
            return;
        triggers = false;
        overlaps_primary = o.primary && o.primary == last.operation;
        if (overlaps_primary)
            keep_histories();
    }
    void operation_ends(const stream_operation &o) override {
        if (!o.is_kernel())
            return;
        if (overlaps_primary)
            forget_histories();
        overlaps_primary = false;
        last = {o.number, o.name, triggers};
    }
    void block_begins(const block_start &, const unsigned short **) override {
        this_worker->primary_waits.clear();
    }
    void primary_waited() override {
        if (observed_worker *w = observed())
            w->primary_waits.push_back({thread_number(), w->clock});
    }
    void dependents_launched() override { triggers = true; }
};

} // namespace

/* Where the kernel before triggers nowhere, this one begins after its blocks have ended: then they
 * have read what they read, but what they wrote need not be there. */
void check_launch_race(observed_worker *w, const instruction *s, unsigned thread, const area *a,
                       size_t i, uint8_t bytes, uintptr_t address) {
    if (!a->before)
        return;
    const word_history &h = a->before[i];
    auto meets = [&](const visit &v) {
        return v.instruction && (v.bytes & bytes) && !(s->atomic && is_atomic(v.instruction));
    };
    const bool written = meets(h.writer);
    const visit &other = written ? h.writer : meets(h.reader) ? h.reader : h.second;
    if (!written && (!s->write || !last.triggered || !meets(other)))
        return;
    if (knows_of_wait(w, thread))
        return;
    const place at = place_of_instruction(other.instruction);
    record_access_fault("launch race", s->return_address, address,
                        text(s->write ? "writes " : "reads ", describe_position(a, address),
                             ", which kernel ", last.name, written ? " writes at " : " reads at ",
                             at,
                             "; this kernel may begin before that one has ended, and the thread "
                             "has not waited for it (griddepcontrol.wait)"),
                        text("kernel ", last.name, " at ", at));
}

observer &launch_races() { return only<launch_race_events>(); }

} // namespace cudacpu::inspect
