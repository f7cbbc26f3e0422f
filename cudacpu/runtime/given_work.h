/* given_work.h - dynamic parallelism: what a kernel's threads give to the device (launches, copies,
 * fillings). It is done when their grid has ended, in the order in which it was given: one that its
 * streams allow, and no thread can wait for it. What is in cudaStreamTailLaunch comes last. A grid
 * counts as done once all of this is. */
#ifndef CUDACPU_RUNTIME_GIVEN_WORK_H
#define CUDACPU_RUNTIME_GIVEN_WORK_H
#include "cuda_runtime_api.h"
#include "cudacpu/launch.h"
#include <functional>

namespace cudacpu {

struct launch_state;

bool is_in_kernel();

const unsigned MAX_NESTED = 24; /* grids, one launched by the other */

/* Work of the thread that runs, in a stream that kernels have. perform: by the host's OS thread;
 * NULL for what has no effect but its order. */
cudaError_t give_work(cudaStream_t stream, std::function<void(launch_state *parent)> perform);
/* Does what the threads of this grid have given. */
void perform_given(launch_state *l);

/* A stream or an event that a kernel makes: a name, since all of its grid's work is in order. */
cudaStream_t stream_of_kernel();
cudaEvent_t event_of_kernel();
/* May a kernel's thread use it? */
bool is_stream_of_kernel(cudaStream_t stream);

/* The heap of kernels: cudaMalloc and cudaFree of a kernel's thread. */
cudaError_t allocate_in_kernel(void **pointer, size_t bytes);
cudaError_t free_in_kernel(void *pointer);

} // namespace cudacpu
#endif
