/* operands.h - the matrices that wgmma reads from shared memory. */
#ifndef CUDACPU_INSPECT_OPERANDS_H
#define CUDACPU_INSPECT_OPERANDS_H
#include "access_log.h"
#include "runtime/host/observer.h"

namespace cudacpu::inspect {

/* All threads of the warpgroup have come: it reads A and B. */
void observe_operands(observed_worker *w, unsigned thread, const wgmma_operation &o);

} // namespace cudacpu::inspect
#endif
