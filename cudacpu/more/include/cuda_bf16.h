/* cuda_bf16.h - __nv_bfloat16 and __nv_bfloat162: conversions, arithmetic, comparisons. Functions
 * that a GPU approximates (hexp, hlog, hsin, hrsqrt ...) are rounded from double. Absent are
 * caching hints. */
#ifndef CUDACPU_CUDA_BF16_H
#define CUDACPU_CUDA_BF16_H
#include "cuda_runtime.h"
#include "cudacpu/small_pair.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat162_raw {
    unsigned short x, y;
};

namespace cudacpu {
struct bfloat16_format {
    typedef __nv_bfloat16_raw raw;
    typedef __nv_bfloat162_raw raw_pair;
    enum { INFINITY_BITS = 0x7f80 };
    static uint16_t round(double x, rounding mode) { return bfloat16_bits(x, mode); }
    static float value(uint16_t bits) { return bfloat16_value(bits); }
};
} // namespace cudacpu

typedef ::cudacpu::small_float<::cudacpu::bfloat16_format> __nv_bfloat16, nv_bfloat16;
typedef ::cudacpu::small_pair<::cudacpu::bfloat16_format> __nv_bfloat162, nv_bfloat162;

#define CUDACPU_NAME(before, after) before##bfloat16##after
#define CUDACPU_NUMBER __nv_bfloat16
#define CUDACPU_PAIR __nv_bfloat162
#include "cudacpu/small_float_names.h"
static inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#endif
