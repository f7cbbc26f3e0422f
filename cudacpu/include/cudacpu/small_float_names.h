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
static inline signed char CUDACPU_NAME(__, 2char_rz)(CUDACPU_NUMBER x) {
    return ::cudacpu::to_integer<signed char>(x.value(), ::cudacpu::rounding::to_zero);
}
static inline unsigned char CUDACPU_NAME(__, 2uchar_rz)(CUDACPU_NUMBER x) {
    return ::cudacpu::to_integer<unsigned char>(x.value(), ::cudacpu::rounding::to_zero);
}

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
static inline CUDACPU_NUMBER CUDACPU_NAME(__low2, )(CUDACPU_PAIR a) { return a.x; }
static inline CUDACPU_NUMBER CUDACPU_NAME(__high2, )(CUDACPU_PAIR a) { return a.y; }
static inline CUDACPU_PAIR CUDACPU_NAME(__low2, 2)(CUDACPU_PAIR a) {
    return CUDACPU_PAIR(a.x, a.x);
}
static inline CUDACPU_PAIR CUDACPU_NAME(__high2, 2)(CUDACPU_PAIR a) {
    return CUDACPU_PAIR(a.y, a.y);
}
static inline CUDACPU_PAIR CUDACPU_NAME(__lows2, 2)(CUDACPU_PAIR a, CUDACPU_PAIR b) {
    return CUDACPU_PAIR(a.x, b.x);
}
static inline CUDACPU_PAIR CUDACPU_NAME(__highs2, 2)(CUDACPU_PAIR a, CUDACPU_PAIR b) {
    return CUDACPU_PAIR(a.y, b.y);
}
static inline CUDACPU_PAIR CUDACPU_NAME(__halves2, 2)(CUDACPU_NUMBER x, CUDACPU_NUMBER y) {
    return CUDACPU_PAIR(x, y);
}
static inline CUDACPU_PAIR CUDACPU_NAME(make_, 2)(CUDACPU_NUMBER x, CUDACPU_NUMBER y) {
    return CUDACPU_PAIR(x, y);
}
