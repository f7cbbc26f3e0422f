/* keywords.h - CUDA's keywords that C++ can take as macros. */
#ifndef CUDACPU_KEYWORDS_H
#define CUDACPU_KEYWORDS_H

/* __shared__, extern __shared__ and <<< >>> are what C++ cannot parse: cpucc rewrites those. */
#define __CUDACC__ 1
#define __device__
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
