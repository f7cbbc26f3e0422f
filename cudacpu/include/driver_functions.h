/* driver_functions.h - programs include it by habit; all of it is in cuda_runtime.h. */
#include "cuda_runtime.h"
