/* stream_operation.cpp - what is said of an operation. */
#include "stream_operation.h"
#include "runtime/host/devices.h"
#include "runtime/host/errors.h"
#include "runtime/host/observer.h"
#include "runtime/host/source_place.h"
#include "stream_queue.h"
#include <cstdio>

namespace cudacpu {

std::string name_operation(const stream_operation &o) {
    char place[4200];
    if (o.is_kernel())
        snprintf(place, sizeof place, "%s:%d", o.file, o.line);
    else
        find_place((char *)o.caller - 1, place, sizeof place);
    return std::string(o.is_kernel() ? "kernel " : "") + o.name +
           (place[0] ? std::string(" (") + place + ") in " : " in ") + name_stream(o.stream) +
           of_device(o.device);
}

void fail_lost_memory(const stream_operation &o) {
    const std::string text = name_operation(o) + ": its memory was freed before it was done";
    fflush(stdout);
    fprintf(stderr, "cudacpu: %s\n", text.c_str());
    if (observing)
        observing->fault("freed while in use", "", 0, text.c_str());
    make_sticky(cudaErrorIllegalAddress);
}

} // namespace cudacpu
