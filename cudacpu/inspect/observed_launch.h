/* observed_launch.h - the launch that runs, and how its threads and blocks are called. */
#ifndef CUDACPU_INSPECT_OBSERVED_LAUNCH_H
#define CUDACPU_INSPECT_OBSERVED_LAUNCH_H
#include "cuda_runtime.h"
#include <string>

namespace cudacpu::inspect {

struct observed_launch {
    const cudacpu::kernel *kernel; /* NULL between launches */
    dim3 grid, block;
    int device;
    uint64_t number; /* the first is 1 */
    uint64_t blocks() const { return (uint64_t)grid.x * grid.y * grid.z; }
};
extern observed_launch running_launch;

/* "" between launches. */
const char *kernel_name();
/* "(x,y)", or "(x,y,z)" where z is not 0, of a block by its number in the grid. */
std::string block_name(uint64_t number);
/* The same of a thread by its number in its block. */
std::string thread_name(unsigned number);

/* The number, in its block, of the thread that runs now. */
inline unsigned thread_number() {
    const coordinates &at = here();
    return at.thread.x + at.block_dim.x * (at.thread.y + at.block_dim.y * at.thread.z);
}

} // namespace cudacpu::inspect
#endif
