/* cuda.h - the driver API, of which cudacpu has a part; most programs include it by habit. */
#include "cuda_runtime.h"
#include "cudacpu/driver_api.h"
