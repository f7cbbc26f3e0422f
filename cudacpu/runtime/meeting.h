/* meeting.h - threads that have come to an instruction which others execute with them. */
#ifndef CUDACPU_RUNTIME_MEETING_H
#define CUDACPU_RUNTIME_MEETING_H
#include "cudacpu/site.h"

namespace cudacpu {

struct meeting {
    void (*run)(void **all, unsigned count);
    const site *where;
    const char *what;
    unsigned first, count, come; /* come: threads, while others are still to come */
};

} // namespace cudacpu
#endif
