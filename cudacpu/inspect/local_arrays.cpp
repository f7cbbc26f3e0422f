/* local_arrays.cpp - for each word of the stacks the array in whose red zone it lies. */
#include "local_arrays.h"
#include "cudacpu/local_array.h"
#include "faults.h"
#include "zeroed.h"

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
    if (!w->red_zones)
        w->red_zones = make_zeroed<const char *>(w->stacks_bytes / 4);
    for (size_t i = 0; i < zone / 4; i++)
        w->red_zones[begin / 4 - 1 - i] = w->red_zones[(begin + bytes + 3) / 4 + i] = name;
}

namespace inspect {

void check_local_arrays(const observed_worker *w, const instruction *s, uintptr_t address) {
    const uintptr_t offset = address - (uintptr_t)w->stacks;
    if (offset < w->stacks_bytes && w->red_zones[offset / 4])
        record_access_fault("out of bounds", s->return_address, address,
                            std::string(s->write ? "writes" : "reads") +
                                " beside the local array " + w->red_zones[offset / 4]);
}

} // namespace inspect
} // namespace cudacpu
