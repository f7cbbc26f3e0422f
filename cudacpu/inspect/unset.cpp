/* unset.cpp - tells unset variables from data that happen to be the pattern. */
#include "unset.h"
#include "areas.h"
#include "faults.h"
#include "local_arrays.h"
#include "observed_launch.h"
#include "places.h"
#include <mutex>

namespace cudacpu::inspect {
namespace {

const uint32_t PATTERN = 0xfefefefe;

/* Libraries of the distribution carry along elements that were never loaded; and a program may have
 * the pattern among its data. */
bool is_unset(uintptr_t return_address) {
    static std::mutex one;
    static uint64_t launch;
    static bool is_data;
    const place p = place_of(return_address);
    std::lock_guard<std::mutex> guard(one);
    if (launch != running_launch.number)
        is_data = is_in_memory_before(PATTERN);
    launch = running_launch.number;
    return !is_data && p.line && p.file.compare(0, 5, "/usr/") != 0;
}

} // namespace

void note_unset_read(const observed_worker *w, const instruction *s, uintptr_t address) {
    if (w->local_arrays && check_local_arrays(w, s, address))
        return;
    if (!w->range && address - (uintptr_t)w->stacks < w->stacks_bytes &&
        is_unset(s->return_address))
        record_access_fault("unset variable", s->return_address, address,
                            "reads a variable that nobody has set");
}

void note_unset_store(const observed_worker *w) {
    const uintptr_t at = w->stored.instruction;
    if (!is_unset(at))
        return;
    fault f = make_access_fault("unset variable", at, w->stored.address,
                                "stores the value of a variable that nobody has set", "");
    f.thread = thread_name(w->stored.thread);
    record_made_fault(f);
}

} // namespace cudacpu::inspect
