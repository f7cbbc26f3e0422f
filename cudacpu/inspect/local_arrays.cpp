/* local_arrays.cpp - for each word of the stacks whether it lies in a red zone. */
#include "local_arrays.h"
#include "cudacpu/local_array.h"
#include "faults.h"
#include "zeroed.h"
#include <cstring>

namespace cudacpu {

using namespace inspect;

void guard_local_array(const void *array, size_t bytes, const char *name) {
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
    if (name) { /* what nobody has set (unset.h) */
        memset((char *)array - zone, 0xfe, zone);
        memset((char *)array + bytes, 0xfe, zone);
    }
    memset(w->red_zones + last + 1 - zone / 4, name != nullptr, zone / 4);
    memset(w->red_zones + first, name != nullptr, zone / 4);
    w->array_names[last] = w->array_names[first] = name; /* the words beside the array */
}

namespace inspect {

void record_beside_array(const observed_worker *w, const instruction *s, uintptr_t address) {
    const size_t word = (address - (uintptr_t)w->stacks) / 4;
    const char *name = nullptr; /* of the nearest */
    for (size_t i = 0; !name && i < sizeof(local_array<char>::before) / 4; i++)
        name = w->array_names[word - i] ? w->array_names[word - i] : w->array_names[word + i];
    record_access_fault("out of bounds", s->return_address, address,
                        std::string(s->write ? "writes" : "reads") + " beside the local array " +
                            (name ? name : ""));
}

} // namespace inspect
} // namespace cudacpu
