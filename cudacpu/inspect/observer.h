/* observer.h - what inspect does at each event that the runtime tells. */
#ifndef CUDACPU_INSPECT_OBSERVER_H
#define CUDACPU_INSPECT_OBSERVER_H
#include <atomic>

namespace cudacpu::inspect {

/* From now on the program's launches and memory are observed. process_ends: what to do when the
 * runtime ends the program. */
void start_observing(void (*process_ends)());
/* The program ends: faults that can be told only now; cut_short: it had no occasion to free its
 * memory. */
void finish_observing(bool cut_short);

/* The time that the program was given is over: no more blocks begin. */
extern std::atomic<bool> is_time_over;

} // namespace cudacpu::inspect
#endif
