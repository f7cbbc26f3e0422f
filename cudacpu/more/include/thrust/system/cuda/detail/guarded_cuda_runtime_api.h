/* guarded_cuda_runtime_api.h - in place of Thrust's, which takes __host__ away. */
#ifndef CUDACPU_THRUST_GUARDED_CUDA_RUNTIME_API_H
#define CUDACPU_THRUST_GUARDED_CUDA_RUNTIME_API_H
#include "cuda_runtime.h"
#endif
