/* vector_types.h - CUDA's vector types, dim3 included. */
#ifndef CUDACPU_VECTOR_TYPES_H
#define CUDACPU_VECTOR_TYPES_H

/* Inlined at -O0 too, so that a store of what they make is a store that inspect sees. */
#define CUDACPU_INLINE static inline __attribute__((always_inline))

/* A type and the function that makes one. */
#define CUDACPU_VECTOR_1(name, type, bytes)                                                        \
    typedef struct __attribute__((aligned(bytes))) name {                                          \
        type x;                                                                                    \
    } name;                                                                                        \
    CUDACPU_INLINE name make_##name(type x) {                                                      \
        name v = {x};                                                                              \
        return v;                                                                                  \
    }
#define CUDACPU_VECTOR_2(name, type, bytes)                                                        \
    typedef struct __attribute__((aligned(bytes))) name {                                          \
        type x, y;                                                                                 \
    } name;                                                                                        \
    CUDACPU_INLINE name make_##name(type x, type y) {                                              \
        name v = {x, y};                                                                           \
        return v;                                                                                  \
    }
#define CUDACPU_VECTOR_3(name, type, bytes)                                                        \
    typedef struct __attribute__((aligned(bytes))) name {                                          \
        type x, y, z;                                                                              \
    } name;                                                                                        \
    CUDACPU_INLINE name make_##name(type x, type y, type z) {                                      \
        name v = {x, y, z};                                                                        \
        return v;                                                                                  \
    }
#define CUDACPU_VECTOR_4(name, type, bytes)                                                        \
    typedef struct __attribute__((aligned(bytes))) name {                                          \
        type x, y, z, w;                                                                           \
    } name;                                                                                        \
    CUDACPU_INLINE name make_##name(type x, type y, type z, type w) {                              \
        name v = {x, y, z, w};                                                                     \
        return v;                                                                                  \
    }
/* The alignments of one and three, of two and of four elements. */
#define CUDACPU_VECTORS(name, type, one, two, four)                                                \
    CUDACPU_VECTOR_1(name##1, type, one)                                                           \
    CUDACPU_VECTOR_2(name##2, type, two)                                                           \
    CUDACPU_VECTOR_3(name##3, type, one)                                                           \
    CUDACPU_VECTOR_4(name##4, type, four)
/* Of 32 bytes, CUDA 13's: with their alignment in the name. */
#define CUDACPU_VECTORS_OF_32(name, type)                                                          \
    CUDACPU_VECTOR_4(name##4_16a, type, 16)                                                        \
    CUDACPU_VECTOR_4(name##4_32a, type, 32)

CUDACPU_VECTORS(char, signed char, 1, 2, 4)
CUDACPU_VECTORS(uchar, unsigned char, 1, 2, 4)
CUDACPU_VECTORS(short, short, 2, 4, 8)
CUDACPU_VECTORS(ushort, unsigned short, 2, 4, 8)
CUDACPU_VECTORS(int, int, 4, 8, 16)
CUDACPU_VECTORS(uint, unsigned int, 4, 8, 16)
CUDACPU_VECTORS(long, long, 8, 16, 16)
CUDACPU_VECTORS(ulong, unsigned long, 8, 16, 16)
CUDACPU_VECTORS(longlong, long long, 8, 16, 16)
CUDACPU_VECTORS(ulonglong, unsigned long long, 8, 16, 16)
CUDACPU_VECTORS(float, float, 4, 8, 16)
CUDACPU_VECTORS(double, double, 8, 16, 16)
CUDACPU_VECTORS_OF_32(long, long)
CUDACPU_VECTORS_OF_32(ulong, unsigned long)
CUDACPU_VECTORS_OF_32(longlong, long long)
CUDACPU_VECTORS_OF_32(ulonglong, unsigned long long)
CUDACPU_VECTORS_OF_32(double, double)
#undef CUDACPU_VECTOR_1
#undef CUDACPU_VECTOR_2
#undef CUDACPU_VECTOR_3
#undef CUDACPU_VECTOR_4
#undef CUDACPU_VECTORS
#undef CUDACPU_VECTORS_OF_32

typedef struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned vx = 1, unsigned vy = 1, unsigned vz = 1) : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#endif
} dim3;
#endif
