/* observer.h - what inspect does at each event that the runtime tells. */
#ifndef CUDACPU_INSPECT_OBSERVER_H
#define CUDACPU_INSPECT_OBSERVER_H

namespace cudacpu::inspect {

/* From now on the program's launches and memory are observed. process_ends: what to do when the
 * runtime ends the program. */
void start_observing(void (*process_ends)());
/* The program ends: faults that can be told only now. */
void finish_observing();

} // namespace cudacpu::inspect
#endif
