/* local_arrays.h - red zones around a thread's local arrays, which lie on its stack. */
#ifndef CUDACPU_INSPECT_LOCAL_ARRAYS_H
#define CUDACPU_INSPECT_LOCAL_ARRAYS_H
#include "access_log.h"
#include "observed_worker.h"

namespace cudacpu::inspect {

/* An access to a stack: a fault in a red zone. */
void check_local_arrays(const observed_worker *w, const instruction *s, uintptr_t address);

} // namespace cudacpu::inspect
#endif
