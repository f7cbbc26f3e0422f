/* faults.h - a fault of a kernel becomes a sentence and ends the launch, or the program: who runs,
 * and who wrote beyond an allocation. */
#ifndef CUDACPU_RUNTIME_FAULTS_H
#define CUDACPU_RUNTIME_FAULTS_H
#include "cuda_runtime_api.h"
#include "runtime/host/text.h"
#include "runtime/memory/protection.h"
#include "worker.h"
#include <string>

namespace cudacpu {

struct running_thread {
    const launch_state *launch;
    uint3 block, thread;
};
/* The CUDA thread that this OS thread runs; false outside a kernel. */
bool find_running_thread(running_thread *who);
/* The launch ends with this error; message goes to stderr, after the kernel's and the block's name.
 * The first one of a launch counts. kind: for the observer; NULL: it knows. */
void fail_launch(cudaError_t error, const std::string &message, const char *kind, const char *file,
                 int line);

/* A warning, "kernel k: TEXT", if it is the first of the launch. */
template <class... Part> void warn(const worker *w, const Part &...parts) {
    if (!w->launch->warned.exchange(true))
        say("warning: kernel ", w->launch->what->name, ": ", parts...);
}
/* The same of a fault that a GPU may bear; an observer is told. */
void warn_of_fault(const worker *w, const char *kind, const site &where, const std::string &told,
                   const std::string &said);

/* Runs the grid again, one thread at a time, to see who does it, then that block with each access
 * to the page watched, to see where. The results are lost already: the process ends. */
[[noreturn]] void find_culprit(launch_state *l, const damage &found);
/* "wrote 12 bytes past a 4000-byte allocation": the first of them is 1 byte past */
std::string describe_damage(const damage &d);
/* While a culprit is looked for, after each step of a thread: true when it was this thread, and the
 * block is to run again. */
bool did_damage(const fiber *f);

} // namespace cudacpu
#endif
