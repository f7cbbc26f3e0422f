/* observer.h - the observers of which inspect consists: one for each concern, in the file that is
 * about it. What the runtime tells them: runtime/host/observer.h. */
#ifndef CUDACPU_INSPECT_OBSERVER_H
#define CUDACPU_INSPECT_OBSERVER_H
#include "runtime/host/observer.h"
#include <atomic>

namespace cudacpu::inspect {

/* The one observer of a class. */
template <class T> observer &only() {
    static T one;
    return one;
}

observer &launches();         /* observed.cpp: which launch and blocks run, and how */
observer &sampling();         /* which blocks are observed */
observer &vector_clocks();    /* knowledge.cpp: what each thread knows of the others */
observer &remote_accesses();  /* knowledge.cpp: shared memory of blocks that have ended */
observer &mbarriers();        /* their order, phases and bytes */
observer &recordings();       /* recording.cpp: the page of --html */
observer &async_copies();     /* async_operations.cpp: cp.async and bulk copies */
observer &registers();        /* wgmma: registers, fences, groups */
observer &access_logs();      /* access_log.cpp: accesses become requests (counts.h) */
observer &benign_races();     /* excuses.cpp */
observer &fences();           /* and atomic functions, which order threads */
observer &launch_races();     /* of dependent launches */
observer &memory_areas();     /* areas.cpp: what was allocated, written and read */
observer &shared_variables(); /* of the kernel that runs */
observer &host_arrays();      /* that are shorter than what a copy takes from them */
observer &stream_faults();    /* operations and host code without an order */
observer &launch_errors();    /* that nobody asks about */

/* The time that the program was given is over: no more blocks begin. */
extern std::atomic<bool> is_time_over;

} // namespace cudacpu::inspect
#endif
