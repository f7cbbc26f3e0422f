/* more.h - what a kernel file has beside the core, as cuda_runtime.h includes it. */
#ifndef CUDACPU_MORE_H
#define CUDACPU_MORE_H
#include "cudacpu/dpx.h"
#include "cudacpu/graph_overloads.h"
#include "cudacpu/packed_integers.h"
#include "cudacpu/texture.h"
#endif
