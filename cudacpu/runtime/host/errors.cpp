/* errors.cpp - errors: the last one, the sticky one, their names and texts. */
#include "errors.h"
#include "devices.h"
#include "observer.h"
#include "signals.h"
#include "unasked_error.h"
#include <atomic>

namespace cudacpu {
namespace {

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

const struct {
    cudaError_t error;
    const char *name, *text;
} ERRORS[] = {
#define CUDACPU_ERROR(name, value, text) {name, #name, text},
    CUDACPU_ERRORS(CUDACPU_ERROR)
#undef CUDACPU_ERROR
};

} // namespace

const char *error_text(cudaError_t error) {
    for (auto &entry : ERRORS)
        if (entry.error == error)
            return entry.text;
    return "unrecognized error code";
}
const char *error_name(cudaError_t error) {
    for (auto &entry : ERRORS)
        if (entry.error == error)
            return entry.name;
    return "unrecognized error code";
}

cudaError_t remember_error(cudaError_t error) {
    if (error != cudaSuccess) {
        error = device_count() ? error : cudaErrorNoDevice;
        keep_error(error);
        note_failed_call(error);
    }
    return error;
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
    if (error != cudaSuccess)
        tell_failed_call(error);
    return error_text(error);
}
const char *cudaGetErrorName(cudaError_t error) {
    if (error != cudaSuccess)
        tell_failed_call(error);
    return error_name(error);
}
cudaError_t cudaGetLastError(void) {
    forget_failed_call();
    if (observing)
        observing->error_asked();
    cudaError_t error = read_error();
    keep_error(sticky_error());
    return error;
}
cudaError_t cudaPeekAtLastError(void) {
    forget_failed_call();
    if (observing)
        observing->error_asked();
    return read_error();
}

} /* extern "C" */
