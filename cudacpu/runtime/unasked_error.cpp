/* unasked_error.cpp - the first failed call that the program has not asked about since. Whether it
 * looks at what a call returns cannot be seen: to ask is to call cudaGetLastError and its kin, or
 * to want an error's name or text. */
#include "unasked_error.h"
#include "errors.h"
#include "source_place.h"
#include <cstdio>
#include <execinfo.h>
#include <string>

namespace cudacpu {
namespace {

const int FRAMES = 8; /* from here to the program's call */

struct failed_call {
    cudaError_t error;
    int count;
    void *frames[FRAMES];
    char why[300]; /* of a call of nccl.h */
} unasked, unasked_of_nccl;

/* Those that answer a question, and those of a kernel, which was said. */
bool is_worth_a_word(cudaError_t error) {
    return error != cudaErrorNotReady && error != cudaErrorPeerAccessAlreadyEnabled &&
           error != cudaErrorPeerAccessUnsupported && error != cudaErrorPeerAccessNotEnabled &&
           error != cudaErrorMemoryAllocation && error != sticky_error();
}

__attribute__((destructor)) void say_at_end() { say_unasked_error(); }

std::string find_call(const failed_call &call) {
    char place[300] = "";
    for (int i = 0; i < call.count && !*place; i++)
        find_place((char *)call.frames[i] - 1, place, sizeof place);
    return *place ? std::string(" at ") + place : "";
}

} // namespace

void say_unasked_error() {
    if (*unasked_of_nccl.why)
        fprintf(stderr,
                "cudacpu: warning: the call%s failed: %s; the program did not ask why "
                "(ncclGetLastError)\n",
                find_call(unasked_of_nccl).c_str(), unasked_of_nccl.why);
    if (unasked.error == cudaSuccess)
        return;
    const cudaError_t error = unasked.error;
    fprintf(stderr,
            "cudacpu: warning: the call%s failed: %s (%s); the program did not ask for the error\n",
            find_call(unasked).c_str(), cudaGetErrorString(error), cudaGetErrorName(error));
}

void note_failed_call(cudaError_t error) {
    if (unasked.error != cudaSuccess || !is_worth_a_word(error))
        return;
    unasked.count = backtrace(unasked.frames, FRAMES);
    unasked.error = error;
}
void note_failed_nccl_call(const char *why) {
    if (*unasked_of_nccl.why)
        return;
    unasked_of_nccl.count = backtrace(unasked_of_nccl.frames, FRAMES);
    snprintf(unasked_of_nccl.why, sizeof unasked_of_nccl.why, "%s", why);
}
void forget_failed_nccl_call() { *unasked_of_nccl.why = 0; }
void forget_failed_call() { unasked.error = cudaSuccess; }

} // namespace cudacpu
