/* guarded_driver_types.h - in place of Thrust's, which takes __host__ away. */
#ifndef CUDACPU_THRUST_GUARDED_DRIVER_TYPES_H
#define CUDACPU_THRUST_GUARDED_DRIVER_TYPES_H
#include "cuda_runtime.h"
#endif
