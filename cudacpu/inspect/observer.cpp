/* observer.cpp - registers inspect's observers with the runtime. */
#include "observer.h"
#include "areas.h"
#include "faults.h"
#include "runtime/host/errors.h"
#include "runtime/streams/async_mode.h"

namespace cudacpu::inspect {

/* A launch, a block or an operation begins for them in this order, and ends in the reverse one: who
 * needs what another one has prepared stands behind it. */
void start_observing() {
    for (observer *o :
         {&launches(),       &thread_order(),     &vector_clocks(),    &sampling(),
          &runtime_faults(), &mbarriers(),        &remote_accesses(),  &recordings(),
          &async_copies(),   &registers(),        &access_logs(),      &transfers(),
          &readers(),        &benign_races(),     &fences(),           &launch_races(),
          &memory_areas(),   &shared_variables(), &launch_arguments(), &host_arrays(),
          &launch_errors(),  &stream_faults()})
        observers::add(o);
    follows_accesses = true;
    default_async_mode = LATE;
}

void finish_observing(bool cut_short) {
    record_unasked_error();
    finish_faults();
    if (!cut_short)
        record_leaks();
    say_unasked_error();
}

} // namespace cudacpu::inspect
