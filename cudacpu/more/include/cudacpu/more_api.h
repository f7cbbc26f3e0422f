/* more_api.h - what cuda_runtime_api.h has beside the core: arrays, textures and graphs. */
#ifndef CUDACPU_MORE_API_H
#define CUDACPU_MORE_API_H
#include "cudacpu/array_api.h"
#include "cudacpu/graph_api.h"
#endif
