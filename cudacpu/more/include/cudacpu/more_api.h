/* more_api.h - what cuda_runtime_api.h has beside the core: arrays, textures and
 * graphs, pools of memory, and what is asked rarely. */
#ifndef CUDACPU_MORE_API_H
#define CUDACPU_MORE_API_H
#include "cudacpu/array_api.h"
#include "cudacpu/graph_api.h"
#include "cudacpu/memory_pool_api.h"
#include "cudacpu/query_api.h"
#endif
