/* errors.h - the last error of an OS thread, and the error that stays after a faulty kernel. */
#ifndef CUDACPU_RUNTIME_ERRORS_H
#define CUDACPU_RUNTIME_ERRORS_H
#include "cuda_runtime_api.h"

namespace cudacpu {

/* Returns error; unless it is cudaSuccess, it is the last error from now on. */
cudaError_t remember_error(cudaError_t error);
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
