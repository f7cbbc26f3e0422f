/* thread_stream.h - calls of files whose default stream is that of the thread
 * (include/cudacpu/default_stream.h). */
#ifndef CUDACPU_RUNTIME_THREAD_STREAM_H
#define CUDACPU_RUNTIME_THREAD_STREAM_H
#include "cuda_runtime_api.h"

namespace cudacpu {

inline cudaStream_t of_thread(cudaStream_t stream) { return stream ? stream : cudaStreamPerThread; }

/* Who makes a call that waits, and takes no stream, while it is that of the thread; or NULL. */
extern thread_local void *waits_in_thread;
struct thread_waits {
    explicit thread_waits(void *caller) { waits_in_thread = caller; }
    ~thread_waits() { waits_in_thread = nullptr; }
};

} // namespace cudacpu

#define OF_THREAD(name, parameters, arguments)                                                     \
    cudaError_t name##_ptsz parameters { return name arguments; }
#define WAIT_IN_THREAD(name, parameters, arguments)                                                \
    cudaError_t name##_ptsz parameters {                                                           \
        const thread_waits here(__builtin_return_address(0));                                      \
        return name arguments;                                                                     \
    }
#endif
