/* cuda_fp16.h - __half and __half2: conversions, arithmetic, comparisons. Functions that a GPU
 * approximates (hexp, hlog, hsin, hrsqrt ...) are rounded from double. Absent are caching hints. */
#ifndef CUDACPU_CUDA_FP16_H
#define CUDACPU_CUDA_FP16_H
#include "cuda_runtime.h"
#include "cudacpu/small_pair.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

namespace cudacpu {
struct half_format {
    typedef __half_raw raw;
    typedef __half2_raw raw_pair;
    enum { INFINITY_BITS = 0x7c00 };
    static uint16_t round(double x, rounding mode) { return half_bits(x, mode); }
    static float value(uint16_t bits) { return half_value(bits); }
};
} // namespace cudacpu

typedef ::cudacpu::small_float<::cudacpu::half_format> __half, __nv_half, nv_half;
typedef ::cudacpu::small_pair<::cudacpu::half_format> __half2, __nv_half2, nv_half2;
#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
#endif

#define CUDACPU_NAME(before, after) before##half##after
#define CUDACPU_NUMBER __half
#define CUDACPU_PAIR __half2
#include "cudacpu/small_float_names.h"
static inline __half2 __half2half2(__half a) { return __half2(a, a); }

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#endif
