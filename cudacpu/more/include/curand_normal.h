/* curand_normal.h - programs include it by habit; what there is stands in curand_kernel.h. */
#include "curand_kernel.h"
