/* unasked_error.h - a failed call that the program never asks about: said when it ends. */
#ifndef CUDACPU_RUNTIME_UNASKED_ERROR_H
#define CUDACPU_RUNTIME_UNASKED_ERROR_H
#include "cuda_runtime_api.h"

namespace cudacpu {

/* A call of the runtime API fails. */
void note_failed_call(cudaError_t error);
/* A call of nccl.h fails, and this is why; the program asks why (ncclGetLastError). */
void note_failed_nccl_call(const char *why);
void forget_failed_nccl_call();
/* The program asks for the last error, or for the text of one; or somebody else has said it. */
void forget_failed_call();
/* The program ends. */
void say_unasked_error();

} // namespace cudacpu
#endif
