/* collective.h - what a thread waits for that has come to an instruction of its warp or warpgroup
 * (cudacpu/meeting.h). */
#ifndef CUDACPU_RUNTIME_COLLECTIVE_H
#define CUDACPU_RUNTIME_COLLECTIVE_H
#include "cudacpu/meeting.h"
#include "worker.h"
#include <string>

namespace cudacpu {

/* What the thread waits for in a meeting; "" where it is in none. */
std::string describe_meeting(const worker *w, unsigned thread);

} // namespace cudacpu
#endif
