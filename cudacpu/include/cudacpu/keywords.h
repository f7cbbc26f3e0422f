/* keywords.h - CUDA's keywords that C++ can take as macros. */
#ifndef CUDACPU_KEYWORDS_H
#define CUDACPU_KEYWORDS_H

/* __shared__, extern __shared__ and <<< >>> are what C++ cannot parse: cpucc rewrites those. */
#ifdef CUDACPU_CU /* a .cu file */
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
/* It is read once, for the host and for the device: cpucc's -arch says which device. */
#define __CUDA_ARCH__ CUDACPU_ARCH
#endif
#ifndef CUDACPU_CU /* of a .cu file cpucc reads these, too */
#define __host__
#define __launch_bounds__(...)
#define __device__
#define __constant__
#define __managed__
#else
#define __launch_bounds__(...) __attribute__((cudacpu_launch_bounds(__VA_ARGS__)))
#endif
#define __grid_constant__
#define __maxnreg__(registers)
#define __inline_hint__
#define __device_builtin__
#define __builtin_align__(bytes) __align__(bytes)
#define __forceinline__ inline __attribute__((always_inline))
#define __restrict__ __restrict
#define __align__(bytes) __attribute__((aligned(bytes)))
#endif
