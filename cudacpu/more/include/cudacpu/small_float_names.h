/* small_float_names.h - the functions of cuda_fp16.h and cuda_bf16.h that have the type's name in
 * theirs. Both headers include this file, each with its own
 *     CUDACPU_NAME(before, after)   before, half or bfloat16, after: one name
 *     CUDACPU_NUMBER, CUDACPU_PAIR  the types */

static inline CUDACPU_NUMBER CUDACPU_NAME(__double2, )(double x) { return CUDACPU_NUMBER(x); }
static inline CUDACPU_NUMBER CUDACPU_NAME(__float2, )(float x) { return CUDACPU_NUMBER(x); }
static inline float CUDACPU_NAME(__, 2float)(CUDACPU_NUMBER x) { return x; }

/* Conversions, for each rounding of the second float and for each integer. */
#define CUDACPU_ROUNDINGS(of_one)                                                                  \
    of_one(rn, to_nearest_even) of_one(rz, to_zero) of_one(ru, up) of_one(rd, down)
#define CUDACPU_FROM_FLOAT(mode, long_mode)                                                        \
    static inline CUDACPU_NUMBER CUDACPU_NAME(__float2, _##mode)(float x) {                        \
        return CUDACPU_NUMBER::of(x, ::cudacpu::rounding::long_mode);                              \
    }
CUDACPU_ROUNDINGS(CUDACPU_FROM_FLOAT)
#undef CUDACPU_FROM_FLOAT

#define CUDACPU_INTEGER(name, type, mode, long_mode)                                               \
    static inline CUDACPU_NUMBER CUDACPU_NAME(__##name##2, _##mode)(type x) {                      \
        return CUDACPU_NUMBER::of(::cudacpu::integer_to_odd(x), ::cudacpu::rounding::long_mode);   \
    }                                                                                              \
    static inline type CUDACPU_NAME(__, 2##name##_##mode)(CUDACPU_NUMBER x) {                      \
        return ::cudacpu::to_integer<type>(x.value(), ::cudacpu::rounding::long_mode);             \
    }
#define CUDACPU_INTEGERS(mode, long_mode)                                                          \
    CUDACPU_INTEGER(short, short, mode, long_mode)                                                 \
    CUDACPU_INTEGER(ushort, unsigned short, mode, long_mode)                                       \
    CUDACPU_INTEGER(int, int, mode, long_mode)                                                     \
    CUDACPU_INTEGER(uint, unsigned, mode, long_mode)                                               \
    CUDACPU_INTEGER(ll, long long, mode, long_mode)                                                \
    CUDACPU_INTEGER(ull, unsigned long long, mode, long_mode)
CUDACPU_ROUNDINGS(CUDACPU_INTEGERS)
#undef CUDACPU_ROUNDINGS
#undef CUDACPU_INTEGERS
#undef CUDACPU_INTEGER
#define CUDACPU_BYTE(name, type)                                                                   \
    static inline type CUDACPU_NAME(__, 2##name##_rz)(CUDACPU_NUMBER x) {                          \
        return ::cudacpu::to_integer<type>(x.value(), ::cudacpu::rounding::to_zero);               \
    }
CUDACPU_BYTE(char, signed char)
CUDACPU_BYTE(uchar, unsigned char)
#undef CUDACPU_BYTE

static inline unsigned short CUDACPU_NAME(__, _as_ushort)(CUDACPU_NUMBER x) { return x.bits; }
static inline short CUDACPU_NAME(__, _as_short)(CUDACPU_NUMBER x) { return (short)x.bits; }
static inline CUDACPU_NUMBER CUDACPU_NAME(__ushort_as_, )(unsigned short bits) {
    return CUDACPU_NUMBER::of_bits(bits);
}
static inline CUDACPU_NUMBER CUDACPU_NAME(__short_as_, )(short bits) {
    return CUDACPU_NUMBER::of_bits((unsigned short)bits);
}

static inline CUDACPU_PAIR CUDACPU_NAME(__float2, 2_rn)(float x) {
    return CUDACPU_PAIR(CUDACPU_NUMBER(x), CUDACPU_NUMBER(x));
}
static inline CUDACPU_PAIR CUDACPU_NAME(__floats2, 2_rn)(float x, float y) {
    return CUDACPU_PAIR(CUDACPU_NUMBER(x), CUDACPU_NUMBER(y));
}
static inline CUDACPU_PAIR CUDACPU_NAME(__float22, 2_rn)(float2 x) {
    return CUDACPU_NAME(__floats2, 2_rn)(x.x, x.y);
}
static inline float2 CUDACPU_NAME(__, 22float2)(CUDACPU_PAIR a) { return make_float2(a.x, a.y); }
/* Of one pair, of two pairs and of two numbers. */
#define CUDACPU_PAIRED(name, parameters, x, y)                                                     \
    static inline CUDACPU_PAIR name parameters { return CUDACPU_PAIR(x, y); }
CUDACPU_PAIRED(CUDACPU_NAME(__low2, 2), (CUDACPU_PAIR a), a.x, a.x)
CUDACPU_PAIRED(CUDACPU_NAME(__high2, 2), (CUDACPU_PAIR a), a.y, a.y)
CUDACPU_PAIRED(CUDACPU_NAME(__lows2, 2), (CUDACPU_PAIR a, CUDACPU_PAIR b), a.x, b.x)
CUDACPU_PAIRED(CUDACPU_NAME(__highs2, 2), (CUDACPU_PAIR a, CUDACPU_PAIR b), a.y, b.y)
CUDACPU_PAIRED(CUDACPU_NAME(__halves2, 2), (CUDACPU_NUMBER x, CUDACPU_NUMBER y), x, y)
CUDACPU_PAIRED(CUDACPU_NAME(make_, 2), (CUDACPU_NUMBER x, CUDACPU_NUMBER y), x, y)
#undef CUDACPU_PAIRED
static inline CUDACPU_NUMBER CUDACPU_NAME(__low2, )(CUDACPU_PAIR a) { return a.x; }
static inline CUDACPU_NUMBER CUDACPU_NAME(__high2, )(CUDACPU_PAIR a) { return a.y; }
#undef CUDACPU_NAME
#undef CUDACPU_NUMBER
#undef CUDACPU_PAIR
