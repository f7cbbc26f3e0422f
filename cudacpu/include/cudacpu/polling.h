/* polling.h - what cpucc puts around a loop that polls memory. */
#ifndef CUDACPU_POLLING_H
#define CUDACPU_POLLING_H
#include "cudacpu/site.h"

namespace cudacpu {

struct polling;
/* Of a loop that has gone round in vain. */
void poll_memory(polling *p, const site *where);

/* constexpr, since a loop with an empty body may stand in such a function. */
struct polling {
    enum { ROUNDS = 128, FEW = 8 }; /* before the thread lets others run; and again */
    unsigned rounds = 0;
    bool begun = false;
    unsigned long long since = 0; /* when poll_memory was first called; 0: never */
    constexpr bool begins() {
        const bool first = !begun;
        begun = true;
        return first;
    }
    constexpr void again(CUDACPU_SITE) {
        if (__builtin_expect(++rounds % ROUNDS == 0, 0)) {
            const site where = {file, line};
            poll_memory(this, &where);
        }
    }
};

} // namespace cudacpu
#endif
