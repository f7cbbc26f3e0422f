/* stack.cpp - for each word of the stacks whether it lies in a red zone; and unset variables, told
 * from data that happen to be the pattern. */
#include "stack.h"
#include "areas.h"
#include "cudacpu/local_array.h"
#include "faults.h"
#include "observed.h"
#include "places.h"
#include <cstring>
#include <mutex>

namespace cudacpu::inspect {
namespace {

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
    record_fault(f);
}

void record_beside_array(const observed_worker *w, const instruction *s, uintptr_t address) {
    const size_t word = (address - (uintptr_t)w->stacks) / 4;
    const char *name = nullptr; /* of the nearest */
    for (size_t i = 0; !name && i < sizeof(local_array<char>::before) / 4; i++)
        name = w->array_names[word - i] ? w->array_names[word - i] : w->array_names[word + i];
    record_access_fault(
        "out of bounds", s->return_address, address,
        text(s->write ? "writes" : "reads", " beside the local array ", name ? name : ""));
}

} // namespace cudacpu::inspect

using namespace cudacpu::inspect;

void cudacpu::guard_local_array(const void *array, size_t bytes, const char *name) {
    const size_t zone = sizeof(local_array<char>::before);
    observed_worker *w = observed();
    /* what an array holds may have been overwritten meanwhile */
    const uintptr_t begin = (uintptr_t)array - (w ? (uintptr_t)w->stacks : 0);
    if (!w || begin < zone || begin > w->stacks_bytes || bytes > w->stacks_bytes - begin ||
        w->stacks_bytes - begin - bytes < zone)
        return;
    if (!w->red_zones) {
        w->red_zones = make_zeroed<bool>(w->stacks_bytes / 4);
        w->array_names = make_zeroed<const char *>(w->stacks_bytes / 4);
    }
    w->local_arrays += name ? 1 : -1;
    const size_t last = begin / 4 - 1, first = (begin + bytes + 3) / 4;
    if (name) { /* what nobody has set (stack.h) */
        memset((char *)array - zone, 0xfe, zone);
        memset((char *)array + bytes, 0xfe, zone);
    }
    memset(w->red_zones + last + 1 - zone / 4, name != nullptr, zone / 4);
    memset(w->red_zones + first, name != nullptr, zone / 4);
    w->array_names[last] = w->array_names[first] = name; /* the words beside the array */
}
