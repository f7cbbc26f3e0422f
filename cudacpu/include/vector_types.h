/* vector_types.h - CUDA's vector types, dim3 included. */
#ifndef CUDACPU_VECTOR_TYPES_H
#define CUDACPU_VECTOR_TYPES_H

typedef struct __attribute__((aligned(1))) char1 {
    signed char x;
} char1;
typedef struct __attribute__((aligned(2))) char2 {
    signed char x, y;
} char2;
typedef struct __attribute__((aligned(1))) char3 {
    signed char x, y, z;
} char3;
typedef struct __attribute__((aligned(4))) char4 {
    signed char x, y, z, w;
} char4;
typedef struct __attribute__((aligned(1))) uchar1 {
    unsigned char x;
} uchar1;
typedef struct __attribute__((aligned(2))) uchar2 {
    unsigned char x, y;
} uchar2;
typedef struct __attribute__((aligned(1))) uchar3 {
    unsigned char x, y, z;
} uchar3;
typedef struct __attribute__((aligned(4))) uchar4 {
    unsigned char x, y, z, w;
} uchar4;
typedef struct __attribute__((aligned(2))) short1 {
    short x;
} short1;
typedef struct __attribute__((aligned(4))) short2 {
    short x, y;
} short2;
typedef struct __attribute__((aligned(2))) short3 {
    short x, y, z;
} short3;
typedef struct __attribute__((aligned(8))) short4 {
    short x, y, z, w;
} short4;
typedef struct __attribute__((aligned(2))) ushort1 {
    unsigned short x;
} ushort1;
typedef struct __attribute__((aligned(4))) ushort2 {
    unsigned short x, y;
} ushort2;
typedef struct __attribute__((aligned(2))) ushort3 {
    unsigned short x, y, z;
} ushort3;
typedef struct __attribute__((aligned(8))) ushort4 {
    unsigned short x, y, z, w;
} ushort4;
typedef struct __attribute__((aligned(4))) int1 {
    int x;
} int1;
typedef struct __attribute__((aligned(8))) int2 {
    int x, y;
} int2;
typedef struct __attribute__((aligned(4))) int3 {
    int x, y, z;
} int3;
typedef struct __attribute__((aligned(16))) int4 {
    int x, y, z, w;
} int4;
typedef struct __attribute__((aligned(4))) uint1 {
    unsigned int x;
} uint1;
typedef struct __attribute__((aligned(8))) uint2 {
    unsigned int x, y;
} uint2;
typedef struct __attribute__((aligned(4))) uint3 {
    unsigned int x, y, z;
} uint3;
typedef struct __attribute__((aligned(16))) uint4 {
    unsigned int x, y, z, w;
} uint4;
typedef struct __attribute__((aligned(8))) long1 {
    long x;
} long1;
typedef struct __attribute__((aligned(16))) long2 {
    long x, y;
} long2;
typedef struct __attribute__((aligned(8))) long3 {
    long x, y, z;
} long3;
typedef struct __attribute__((aligned(16))) long4 {
    long x, y, z, w;
} long4;
typedef struct __attribute__((aligned(8))) ulong1 {
    unsigned long x;
} ulong1;
typedef struct __attribute__((aligned(16))) ulong2 {
    unsigned long x, y;
} ulong2;
typedef struct __attribute__((aligned(8))) ulong3 {
    unsigned long x, y, z;
} ulong3;
typedef struct __attribute__((aligned(16))) ulong4 {
    unsigned long x, y, z, w;
} ulong4;
typedef struct __attribute__((aligned(8))) longlong1 {
    long long x;
} longlong1;
typedef struct __attribute__((aligned(16))) longlong2 {
    long long x, y;
} longlong2;
typedef struct __attribute__((aligned(8))) longlong3 {
    long long x, y, z;
} longlong3;
typedef struct __attribute__((aligned(16))) longlong4 {
    long long x, y, z, w;
} longlong4;
typedef struct __attribute__((aligned(8))) ulonglong1 {
    unsigned long long x;
} ulonglong1;
typedef struct __attribute__((aligned(16))) ulonglong2 {
    unsigned long long x, y;
} ulonglong2;
typedef struct __attribute__((aligned(8))) ulonglong3 {
    unsigned long long x, y, z;
} ulonglong3;
typedef struct __attribute__((aligned(16))) ulonglong4 {
    unsigned long long x, y, z, w;
} ulonglong4;
typedef struct __attribute__((aligned(4))) float1 {
    float x;
} float1;
typedef struct __attribute__((aligned(8))) float2 {
    float x, y;
} float2;
typedef struct __attribute__((aligned(4))) float3 {
    float x, y, z;
} float3;
typedef struct __attribute__((aligned(16))) float4 {
    float x, y, z, w;
} float4;
typedef struct __attribute__((aligned(8))) double1 {
    double x;
} double1;
typedef struct __attribute__((aligned(16))) double2 {
    double x, y;
} double2;
typedef struct __attribute__((aligned(8))) double3 {
    double x, y, z;
} double3;
typedef struct __attribute__((aligned(16))) double4 {
    double x, y, z, w;
} double4;

/* Of 32 bytes, CUDA 13's: with their alignment in the name. */
typedef struct __attribute__((aligned(16))) long4_16a {
    long x, y, z, w;
} long4_16a;
typedef struct __attribute__((aligned(32))) long4_32a {
    long x, y, z, w;
} long4_32a;
typedef struct __attribute__((aligned(16))) ulong4_16a {
    unsigned long x, y, z, w;
} ulong4_16a;
typedef struct __attribute__((aligned(32))) ulong4_32a {
    unsigned long x, y, z, w;
} ulong4_32a;
typedef struct __attribute__((aligned(16))) longlong4_16a {
    long long x, y, z, w;
} longlong4_16a;
typedef struct __attribute__((aligned(32))) longlong4_32a {
    long long x, y, z, w;
} longlong4_32a;
typedef struct __attribute__((aligned(16))) ulonglong4_16a {
    unsigned long long x, y, z, w;
} ulonglong4_16a;
typedef struct __attribute__((aligned(32))) ulonglong4_32a {
    unsigned long long x, y, z, w;
} ulonglong4_32a;
typedef struct __attribute__((aligned(16))) double4_16a {
    double x, y, z, w;
} double4_16a;
typedef struct __attribute__((aligned(32))) double4_32a {
    double x, y, z, w;
} double4_32a;
typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#endif
} dim3;

/* Inlined at -O0 too, so that a store of what they make is a store that inspect sees. */
#define CUDACPU_INLINE static inline __attribute__((always_inline))
CUDACPU_INLINE char1 make_char1(signed char x) {
    char1 v = {x};
    return v;
}
CUDACPU_INLINE char2 make_char2(signed char x, signed char y) {
    char2 v = {x, y};
    return v;
}
CUDACPU_INLINE char3 make_char3(signed char x, signed char y, signed char z) {
    char3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE char4 make_char4(signed char x, signed char y, signed char z, signed char w) {
    char4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE uchar1 make_uchar1(unsigned char x) {
    uchar1 v = {x};
    return v;
}
CUDACPU_INLINE uchar2 make_uchar2(unsigned char x, unsigned char y) {
    uchar2 v = {x, y};
    return v;
}
CUDACPU_INLINE uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) {
    uchar3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z,
                                  unsigned char w) {
    uchar4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE short1 make_short1(short x) {
    short1 v = {x};
    return v;
}
CUDACPU_INLINE short2 make_short2(short x, short y) {
    short2 v = {x, y};
    return v;
}
CUDACPU_INLINE short3 make_short3(short x, short y, short z) {
    short3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE short4 make_short4(short x, short y, short z, short w) {
    short4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ushort1 make_ushort1(unsigned short x) {
    ushort1 v = {x};
    return v;
}
CUDACPU_INLINE ushort2 make_ushort2(unsigned short x, unsigned short y) {
    ushort2 v = {x, y};
    return v;
}
CUDACPU_INLINE ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) {
    ushort3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z,
                                    unsigned short w) {
    ushort4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE int1 make_int1(int x) {
    int1 v = {x};
    return v;
}
CUDACPU_INLINE int2 make_int2(int x, int y) {
    int2 v = {x, y};
    return v;
}
CUDACPU_INLINE int3 make_int3(int x, int y, int z) {
    int3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE int4 make_int4(int x, int y, int z, int w) {
    int4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE uint1 make_uint1(unsigned int x) {
    uint1 v = {x};
    return v;
}
CUDACPU_INLINE uint2 make_uint2(unsigned int x, unsigned int y) {
    uint2 v = {x, y};
    return v;
}
CUDACPU_INLINE uint3 make_uint3(unsigned int x, unsigned int y, unsigned int z) {
    uint3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE uint4 make_uint4(unsigned int x, unsigned int y, unsigned int z, unsigned int w) {
    uint4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE long1 make_long1(long x) {
    long1 v = {x};
    return v;
}
CUDACPU_INLINE long2 make_long2(long x, long y) {
    long2 v = {x, y};
    return v;
}
CUDACPU_INLINE long3 make_long3(long x, long y, long z) {
    long3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE long4 make_long4(long x, long y, long z, long w) {
    long4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ulong1 make_ulong1(unsigned long x) {
    ulong1 v = {x};
    return v;
}
CUDACPU_INLINE ulong2 make_ulong2(unsigned long x, unsigned long y) {
    ulong2 v = {x, y};
    return v;
}
CUDACPU_INLINE ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) {
    ulong3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z,
                                  unsigned long w) {
    ulong4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE longlong1 make_longlong1(long long x) {
    longlong1 v = {x};
    return v;
}
CUDACPU_INLINE longlong2 make_longlong2(long long x, long long y) {
    longlong2 v = {x, y};
    return v;
}
CUDACPU_INLINE longlong3 make_longlong3(long long x, long long y, long long z) {
    longlong3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE longlong4 make_longlong4(long long x, long long y, long long z, long long w) {
    longlong4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ulonglong1 make_ulonglong1(unsigned long long x) {
    ulonglong1 v = {x};
    return v;
}
CUDACPU_INLINE ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) {
    ulonglong2 v = {x, y};
    return v;
}
CUDACPU_INLINE ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y,
                                          unsigned long long z) {
    ulonglong3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y,
                                          unsigned long long z, unsigned long long w) {
    ulonglong4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE float1 make_float1(float x) {
    float1 v = {x};
    return v;
}
CUDACPU_INLINE float2 make_float2(float x, float y) {
    float2 v = {x, y};
    return v;
}
CUDACPU_INLINE float3 make_float3(float x, float y, float z) {
    float3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE float4 make_float4(float x, float y, float z, float w) {
    float4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE double1 make_double1(double x) {
    double1 v = {x};
    return v;
}
CUDACPU_INLINE double2 make_double2(double x, double y) {
    double2 v = {x, y};
    return v;
}
CUDACPU_INLINE double3 make_double3(double x, double y, double z) {
    double3 v = {x, y, z};
    return v;
}
CUDACPU_INLINE double4 make_double4(double x, double y, double z, double w) {
    double4 v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE long4_16a make_long4_16a(long x, long y, long z, long w) {
    long4_16a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE long4_32a make_long4_32a(long x, long y, long z, long w) {
    long4_32a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ulong4_16a make_ulong4_16a(unsigned long x, unsigned long y, unsigned long z,
                                          unsigned long w) {
    ulong4_16a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ulong4_32a make_ulong4_32a(unsigned long x, unsigned long y, unsigned long z,
                                          unsigned long w) {
    ulong4_32a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE longlong4_16a make_longlong4_16a(long long x, long long y, long long z,
                                                long long w) {
    longlong4_16a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE longlong4_32a make_longlong4_32a(long long x, long long y, long long z,
                                                long long w) {
    longlong4_32a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ulonglong4_16a make_ulonglong4_16a(unsigned long long x, unsigned long long y,
                                                  unsigned long long z, unsigned long long w) {
    ulonglong4_16a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE ulonglong4_32a make_ulonglong4_32a(unsigned long long x, unsigned long long y,
                                                  unsigned long long z, unsigned long long w) {
    ulonglong4_32a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE double4_16a make_double4_16a(double x, double y, double z, double w) {
    double4_16a v = {x, y, z, w};
    return v;
}
CUDACPU_INLINE double4_32a make_double4_32a(double x, double y, double z, double w) {
    double4_32a v = {x, y, z, w};
    return v;
}
#endif
