/* progress.h - how far a launch is that takes long: a line on a terminal, which goes when it ends.
 */
#ifndef CUDACPU_RUNTIME_PROGRESS_H
#define CUDACPU_RUNTIME_PROGRESS_H
#include "worker.h"

namespace cudacpu {

/* The launch is watched as long as this exists. */
class progress_line {
    const bool is_watched;

  public:
    explicit progress_line(const launch_state *l);
    ~progress_line();
    progress_line(const progress_line &) = delete;
};

} // namespace cudacpu
#endif
