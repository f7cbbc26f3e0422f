/* errors.cpp - errors: the last one, the sticky one, their names and texts. Of each OS thread the
 * first failed call that the program has not asked about since, and the last one: whether it looks
 * at what a call returns cannot be seen; to ask is to call cudaGetLastError and its kin, or to want
 * an error's name or text. */
#include "errors.h"
#include "devices.h"
#include "observer.h"
#include "signals.h"
#include "symbolizer.h"
#include "text.h"
#include <atomic>
#include <map>
#include <mutex>

namespace cudacpu {
namespace {

struct failed_call {
    cudaError_t error = cudaSuccess;
    std::string why;   /* the value and the limit, where they are known */
    std::string place; /* of a launch; of others it is that of their path */
    bool told = false; /* why */
    call_path path = {};
};
struct thread_calls {
    failed_call unasked, last, next; /* next: that will fail, and why */
};
std::map<unsigned, thread_calls> &calls = *new std::map<unsigned, thread_calls>();
unsigned last_thread; /* whose call has failed last */
std::mutex lock;
/* error: cudaErrorUnknown, if there is one; read when the program ends, so never destroyed */
failed_call &unasked_of_nccl = *new failed_call();

thread_calls &own_calls() {
    static unsigned threads;
    static thread_local unsigned number;
    if (!number)
        number = ++threads;
    last_thread = number;
    return calls[number];
}

/* Those that answer a question, and those of a kernel, which was said. */
bool is_worth_a_word(cudaError_t error) {
    return error != cudaErrorNotReady && error != cudaErrorPeerAccessAlreadyEnabled &&
           error != cudaErrorPeerAccessUnsupported && error != cudaErrorPeerAccessNotEnabled &&
           error != cudaErrorMemoryAllocation && error != sticky_error();
}

__attribute__((destructor)) void say_at_end() { say_unasked_error(); }

std::string find_call(const failed_call &call) {
    return call.place.empty() ? place_of(call.path) : call.place;
}

/* Beside it lie the __shared__ variables of kernels: what is written past these is told from an
 * error. */
struct kept_error {
    cudaError_t error;
    unsigned seal;
};
__thread kept_error last_error;
unsigned seal_of(cudaError_t error) { return (unsigned)error * 0x9E3779B1u; }
void keep_error(cudaError_t error) { last_error = {error, seal_of(error)}; }
cudaError_t read_error() {
    if (last_error.seal != seal_of(last_error.error))
        end_overwritten();
    return last_error.error;
}
std::atomic<cudaError_t> sticky[MAX_DEVICES];

struct known_error {
    cudaError_t error;
    const char *name, *text;
};
const known_error &find_error(cudaError_t error) {
    static const known_error all[] = {{cudaSuccess, "cudaSuccess", "no error"},
#define CUDACPU_ERROR(name, value, text) {cudaError##name, "cudaError" #name, text},
                                      CUDACPU_ERRORS(CUDACPU_ERROR)
#undef CUDACPU_ERROR
    },
                             none = {cudaErrorUnknown, "unrecognized error code",
                                     "unrecognized error code"};
    for (const known_error &entry : all)
        if (entry.error == error)
            return entry;
    return none;
}

} // namespace

void say_unasked_error() {
    std::lock_guard<std::mutex> guard(lock);
    if (unasked_of_nccl.error)
        say("warning: the call", after(" at ", find_call(unasked_of_nccl)),
            " failed: ", unasked_of_nccl.why, "; the program did not ask why (ncclGetLastError)");
    for (const auto &entry : calls) {
        const failed_call &call = entry.second.unasked;
        if (call.error)
            say("warning: the call", after(" at ", find_call(call)),
                " failed: ", error_text(call.error), " (", error_name(call.error),
                "); the program did not ask for the error", after(": ", call.why));
    }
}

cudaError_t explain_at(const std::string &place, cudaError_t error, const std::string &why) {
    std::lock_guard<std::mutex> guard(lock);
    own_calls().next = {error, why, place};
    return error;
}

void note_failed_call(cudaError_t error) {
    std::lock_guard<std::mutex> guard(lock);
    thread_calls &own = own_calls();
    const bool explained = own.next.error == error;
    const std::string why = explained ? own.next.why : "";
    own.next.error = cudaSuccess;
    if (!is_worth_a_word(error) || (own.unasked.error && own.last.error == error &&
                                    own.last.why == why && own.last.path.count))
        return;
    own.last = {error, why, explained ? own.next.place : "", false, find_call_path()};
    if (!own.unasked.error)
        own.unasked = own.last;
}
void note_failed_nccl_call(const char *why) {
    std::lock_guard<std::mutex> guard(lock);
    if (!unasked_of_nccl.error)
        unasked_of_nccl = {cudaErrorUnknown, why, "", false, find_call_path()};
}
void forget_failed_nccl_call() { unasked_of_nccl.error = cudaSuccess; }
void forget_failed_call() {
    std::lock_guard<std::mutex> guard(lock);
    own_calls().unasked.error = cudaSuccess;
}

void tell_failed_call(cudaError_t error) {
    if (!error)
        return;
    std::lock_guard<std::mutex> guard(lock);
    own_calls().unasked.error = cudaSuccess;
    for (auto &entry : calls) { /* one thread may say what failed in another */
        failed_call &unasked = entry.second.unasked, &last = entry.second.last;
        if (unasked.error == error)
            unasked.error = cudaSuccess;
        if (last.error != error || last.why.empty() || last.told)
            continue;
        fflush(stdout);
        say(error_text(error), ": ", last.why, after(", at ", find_call(last)));
        last.told = true;
    }
}

bool find_last_failed_call(std::string *place, std::string *text) {
    std::lock_guard<std::mutex> guard(lock);
    const failed_call &last = calls[last_thread].last;
    if (!last.error)
        return false;
    *place = find_call(last);
    *text = error_text(last.error) + after(": ", last.why);
    return true;
}

const char *error_text(cudaError_t error) { return find_error(error).text; }
const char *error_name(cudaError_t error) { return find_error(error).name; }

cudaError_t remember_error(cudaError_t error) {
    if (error != cudaSuccess) {
        error = device_count() ? error : cudaErrorNoDevice;
        keep_error(error);
        note_failed_call(error);
    }
    return error;
}
cudaError_t check_call(bool right, cudaError_t error) {
    return remember_error(sticky_error() ? sticky_error() : right ? cudaSuccess : error);
}
void make_sticky(cudaError_t error) {
    sticky[current_device()] = error;
    remember_error(error);
}
cudaError_t sticky_error() {
    return device_count() ? sticky[current_device()].load() : cudaErrorNoDevice;
}
void clear_errors() {
    sticky[current_device()] = cudaSuccess;
    keep_error(cudaSuccess);
}

} // namespace cudacpu

using namespace cudacpu;

extern "C" {

const char *cudaGetErrorString(cudaError_t error) {
    tell_failed_call(error);
    return error_text(error);
}
const char *cudaGetErrorName(cudaError_t error) {
    tell_failed_call(error);
    return error_name(error);
}
cudaError_t cudaGetLastError(void) {
    const cudaError_t error = cudaPeekAtLastError();
    keep_error(sticky_error());
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    forget_failed_call();
    tell(&observer::error_asked);
    return read_error();
}

} /* extern "C" */
