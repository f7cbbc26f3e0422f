/* async_events.h - what the runtime tells of asynchronous copies, wgmma and their fences. */
#ifndef CUDACPU_INSPECT_ASYNC_EVENTS_H
#define CUDACPU_INSPECT_ASYNC_EVENTS_H
#include "runtime/host/observer.h"

namespace cudacpu::inspect {

/* Sets these events of an observer. */
void observe_async_events(observer &events);

} // namespace cudacpu::inspect
#endif
