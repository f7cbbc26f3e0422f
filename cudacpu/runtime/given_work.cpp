/* given_work.cpp - keeps what a kernel's threads give to the device until their grid has ended. */
#include "given_work.h"
#include "devices.h"
#include "errors.h"
#include "worker.h"
#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>

/* What an observer has in place of the C library's; NULL: nobody observes. */
extern "C" {
__attribute__((weak)) void *cudacpu_observed_malloc(size_t bytes);
__attribute__((weak)) void cudacpu_observed_free(void *p);
}

namespace cudacpu {

typedef std::function<void(launch_state *)> work;
struct given_work {
    std::deque<work> first, last; /* last: in cudaStreamTailLaunch */
};

namespace {

std::mutex giving; /* threads of blocks on several OS threads give at once */
char stream_name, event_name;

work take_next(launch_state *l) {
    work next;
    for (auto *list : {&l->given->first, &l->given->last})
        if (!next && !list->empty()) {
            next = std::move(list->front());
            list->pop_front();
        }
    return next;
}

} // namespace

cudaStream_t stream_of_kernel() { return (cudaStream_t)&stream_name; }
cudaEvent_t event_of_kernel() { return (cudaEvent_t)&event_name; }
bool is_stream_of_kernel(cudaStream_t stream) {
    return !stream || stream == stream_of_kernel() || stream == cudaStreamTailLaunch ||
           stream == cudaStreamFireAndForget;
}

cudaError_t give_work(cudaStream_t stream, work perform) {
    if (!is_stream_of_kernel(stream)) /* those of the host mean nothing in a kernel */
        return cudaErrorInvalidResourceHandle;
    std::lock_guard<std::mutex> guard(giving);
    std::shared_ptr<given_work> &given = self->launch->given;
    if (!given)
        given = std::make_shared<given_work>();
    (stream == cudaStreamTailLaunch ? given->last : given->first).push_back(std::move(perform));
    return cudaSuccess;
}

void perform_given(launch_state *l) {
    while (l->given && !l->failed && !l->error) {
        const work next = take_next(l);
        if (!next)
            break;
        next(l);
    }
    l->given = nullptr;
}

cudaError_t allocate_in_kernel(void **pointer, size_t bytes) {
    if (!pointer)
        return cudaErrorInvalidValue;
    *pointer = !bytes                    ? nullptr
               : cudacpu_observed_malloc ? cudacpu_observed_malloc(bytes)
                                         : malloc(bytes);
    return bytes && !*pointer ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t free_in_kernel(void *pointer) {
    if (pointer && cudacpu_observed_free)
        cudacpu_observed_free(pointer);
    else
        free(pointer);
    return cudaSuccess;
}

} // namespace cudacpu
