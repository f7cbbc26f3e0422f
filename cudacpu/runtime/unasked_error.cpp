/* unasked_error.cpp - the first failed call that the program has not asked about since. Whether it
 * looks at what a call returns cannot be seen: to ask is to call cudaGetLastError and its kin, or
 * to want an error's name or text. */
#include "unasked_error.h"
#include "errors.h"
#include "source_place.h"
#include <cstdio>
#include <execinfo.h>

namespace cudacpu {
namespace {

const int FRAMES = 8; /* from here to the program's call */

struct {
    cudaError_t error;
    int count;
    void *frames[FRAMES];
} unasked;

/* Those that answer a question, and those of a kernel, which was said. */
bool is_worth_a_word(cudaError_t error) {
    return error != cudaErrorNotReady && error != cudaErrorPeerAccessAlreadyEnabled &&
           error != cudaErrorPeerAccessUnsupported && error != cudaErrorPeerAccessNotEnabled &&
           error != cudaErrorMemoryAllocation && error != sticky_error();
}

__attribute__((destructor)) void say_at_end() { say_unasked_error(); }

} // namespace

void say_unasked_error() {
    if (unasked.error == cudaSuccess)
        return;
    char place[300] = "";
    for (int i = 0; i < unasked.count && !*place; i++)
        find_place((char *)unasked.frames[i] - 1, place, sizeof place);
    const cudaError_t error = unasked.error;
    fprintf(
        stderr,
        "cudacpu: warning: the call%s%s failed: %s (%s); the program did not ask for the error\n",
        *place ? " at " : "", place, cudaGetErrorString(error), cudaGetErrorName(error));
}

void note_failed_call(cudaError_t error) {
    if (unasked.error != cudaSuccess || !is_worth_a_word(error))
        return;
    unasked.count = backtrace(unasked.frames, FRAMES);
    unasked.error = error;
}
void forget_failed_call() { unasked.error = cudaSuccess; }

} // namespace cudacpu
