/* freed_memory.cpp - see freed_memory.h */
#include "freed_memory.h"
#include "allocation.h"
#include "runtime/host/source_place.h"
#include <cstdio>
#include <execinfo.h>

namespace cudacpu {

call_path find_call_path() {
    call_path calls;
    calls.count = backtrace(calls.frames, call_path::MOST);
    return calls;
}

std::string place_of(const call_path &calls) {
    char place[4200] = "";
    for (int i = 0; i < calls.count && !*place; i++)
        find_place((char *)calls.frames[i] - 1, place, sizeof place);
    return place;
}

bool warn_of_freed(const void *pointer, const char *function) {
    const allocation *a = find_allocation(pointer);
    if (!a || (!a->freed && !a->to_be_freed))
        return false;
    const std::string here = place_of(find_call_path()), allocated = place_of(a->allocated_by),
                      freed = place_of(a->freed_by);
    fprintf(stderr, "cudacpu: warning: %s was given %zu bytes that were freed before%s%s%s%s%s%s\n",
            function, a->bytes, here.empty() ? "" : ", at ", here.c_str(),
            allocated.empty() ? "" : "; they were allocated at ", allocated.c_str(),
            freed.empty() ? "" : " and freed at ", freed.c_str());
    return true;
}

} // namespace cudacpu
