/* thread_order.h - the order in which a block's threads run, a new one at each barrier: a result
 * that is right by luck is wrong now and then. */
#ifndef CUDACPU_INSPECT_THREAD_ORDER_H
#define CUDACPU_INSPECT_THREAD_ORDER_H
#include "observed_worker.h"

namespace cudacpu::inspect {

/* Ascending, descending or random, in turn; the threads of a warp stay together. The order stands
 * until the next call. */
const unsigned short *make_thread_order(observed_worker *w);

} // namespace cudacpu::inspect
#endif
