/* launch.h - the launch that an OS thread works for: who runs, and how a kernel fails it. */
#ifndef CUDACPU_RUNTIME_LAUNCH_H
#define CUDACPU_RUNTIME_LAUNCH_H
#include "cuda_runtime_api.h"
#include <string>

namespace cudacpu {

struct running_thread {
    const char *kernel;
    int device;
    const char *file; /* of the launch */
    int line;
    uint3 block, thread;
};
/* The CUDA thread that this OS thread runs; false outside a kernel. */
bool find_running_thread(running_thread *who);
/* The launch ends with this error; message goes to stderr, after the kernel's and the block's name.
 * The first one of a launch counts. kind: for the observer; NULL: it knows. */
void fail_launch(cudaError_t error, const std::string &message, const char *kind, const char *file,
                 int line);
std::string format_triple(uint3 v); /* "(1,2)", "(1,2,3)" */

} // namespace cudacpu
#endif
