/* cuda_runtime.h - CUDA for a machine without a GPU: kernels run on the CPU. In C this is the
 * runtime API alone; in C++ also what a kernel file needs. How it works: ../README.md. */
#ifndef CUDACPU_RUNTIME_H
#define CUDACPU_RUNTIME_H
#define __CUDA_RUNTIME_H__
#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "cudacpu/hide_letters.h"
#include <cstdint>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS /* C++17's std::riemann_zeta and the like: half of what the     \
                                      compiler would read here */
/* What nvcc brings along, programs do not include. */
#include <cassert>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <limits>
#include <math.h>
#include <new>
#include <type_traits>
#include <utility>
#if __has_include(<bits/stl_algobase.h>)
#include <bits/stl_algobase.h> /* std::min, std::max, std::swap */
#else
#include <algorithm>
#endif

/* The macros come after the C++ library's headers. */
#include "cudacpu/keywords.h"

#include "cudacpu/arithmetic.h"
#include "cudacpu/atomic.h"
#include "cudacpu/barrier.h"
#include "cudacpu/coordinates.h"
#include "cudacpu/device_functions.h"
#include "cudacpu/kernel.h"
#include "cudacpu/launch.h"
#include "cudacpu/launch_config.h"
#include "cudacpu/lockstep.h"
#include "cudacpu/polling.h"
#include "cudacpu/ptx.h"
#include "cudacpu/ptx_operands.h"
#include "cudacpu/ptx_scalar.h"
#include "cudacpu/shared_memory.h"
#include "cudacpu/shared_variable.h"
#include "cudacpu/typed_api.h"
#include "cudacpu/warp.h"
#include "cudacpu/warp_matrix.h"
#if __has_include("cudacpu/more.h") /* what is more than the core, where its folder is given */
#include "cudacpu/more.h"
#endif

/* Last: what follows is the program's own. */
#include "cudacpu/show_letters.h"
#endif
#endif
