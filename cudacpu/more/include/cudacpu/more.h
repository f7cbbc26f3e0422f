/* more.h - what a kernel file has beside the core, as cuda_runtime.h includes it. */
#ifndef CUDACPU_MORE_H
#define CUDACPU_MORE_H
#include "cudacpu/directed_rounding.h"
#include "cudacpu/dpx.h"
#include "cudacpu/graph_overloads.h"
#include "cudacpu/packed_integers.h"
#include "cudacpu/ptx_arithmetic.h"
#include "cudacpu/rare_arithmetic.h"
#include "cudacpu/rare_functions.h"
#include "cudacpu/special_functions.h"
#include "cudacpu/texture.h"
#include "cudacpu/typed_queries.h"
#endif
