/* errors.h - the last error of an OS thread, and the sticky error after a faulty kernel; and of
 * failed calls why, said when the program asks for the error's text, or that it never asked, when
 * it ends. */
#ifndef CUDACPU_RUNTIME_ERRORS_H
#define CUDACPU_RUNTIME_ERRORS_H
#include "cuda_runtime_api.h"
#include "text.h"
#include <string>

namespace cudacpu {

/* The call of this OS thread, at place or else where it comes from, will fail with this error, and
 * why: the value and the limit. Returns the error. */
cudaError_t explain_at(const std::string &place, cudaError_t error, const std::string &why);
template <class... Part> cudaError_t explain(cudaError_t error, const Part &...why) {
    return explain_at("", error, text(why...));
}
/* A call of the runtime API fails. */
void note_failed_call(cudaError_t error);
/* A call of nccl.h fails, and this is why; the program asks why (ncclGetLastError). */
void note_failed_nccl_call(const char *why);
void forget_failed_nccl_call();
/* The program asks for the last error, or somebody else has said it. */
void forget_failed_call();
/* It asks for the text of one. */
void tell_failed_call(cudaError_t error);
/* "file:line" and text of the last one; false: there is none. */
bool find_last_failed_call(std::string *place, std::string *text);
/* The program ends. */
void say_unasked_error();

/* Returns error; unless it is cudaSuccess, it is the last error from now on. */
cudaError_t remember_error(cudaError_t error);
/* A call's beginning: cudaSuccess, or what it returns at once: the sticky error, or else this one
 * where its arguments are not right. */
cudaError_t check_call(bool right, cudaError_t error = cudaErrorInvalidValue);
/* On the current device: all later calls return it, as after a GPU's fault. */
void make_sticky(cudaError_t error);
/* cudaSuccess when there is none. */
cudaError_t sticky_error();
void clear_errors();
/* As cudaGetErrorString and cudaGetErrorName, and nobody has asked for them. */
const char *error_text(cudaError_t error);
const char *error_name(cudaError_t error);

} // namespace cudacpu
#endif
