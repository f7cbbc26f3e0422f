/* cblas.h - the functions of the machine's CBLAS that are used here. Its own header belongs to a
 * package for developers; these declarations are the standard's. */
#ifndef CUDACPU_CUBLAS_CBLAS_H
#define CUDACPU_CUBLAS_CBLAS_H
#include <cstddef>

enum cblas_value {
    COLUMN_MAJOR = 102,
    NO_TRANSPOSE = 111,
    TRANSPOSE = 112,
    UPPER = 121,
    LOWER = 122,
    NON_UNIT = 131,
    UNIT = 132,
    LEFT = 141,
    RIGHT = 142
};

template <class T> struct cblas;

/* For each type its functions; those that templates call also under one name for both. */
#define CUDACPU_CBLAS(s, T)                                                                        \
    extern "C" {                                                                                   \
    size_t cblas_i##s##amax(int, const T *, int);                                                  \
    T cblas_##s##asum(int, const T *, int);                                                        \
    T cblas_##s##nrm2(int, const T *, int);                                                        \
    T cblas_##s##dot(int, const T *, int, const T *, int);                                         \
    void cblas_##s##axpy(int, T, const T *, int, T *, int);                                        \
    void cblas_##s##scal(int, T, T *, int);                                                        \
    void cblas_##s##copy(int, const T *, int, T *, int);                                           \
    void cblas_##s##swap(int, T *, int, T *, int);                                                 \
    void cblas_##s##rot(int, T *, int, T *, int, T, T);                                            \
    void cblas_##s##gemv(int, int, int, int, T, const T *, int, const T *, int, T, T *, int);      \
    void cblas_##s##ger(int, int, int, T, const T *, int, const T *, int, T *, int);               \
    void cblas_##s##symv(int, int, int, T, const T *, int, const T *, int, T, T *, int);           \
    void cblas_##s##trsv(int, int, int, int, int, const T *, int, T *, int);                       \
    void cblas_##s##gemm(int, int, int, int, int, int, T, const T *, int, const T *, int, T, T *,  \
                         int);                                                                     \
    void cblas_##s##symm(int, int, int, int, int, T, const T *, int, const T *, int, T, T *, int); \
    void cblas_##s##syrk(int, int, int, int, int, T, const T *, int, T, T *, int);                 \
    void cblas_##s##trsm(int, int, int, int, int, int, int, T, const T *, int, T *, int);          \
    }                                                                                              \
    template <> struct cblas<T> {                                                                  \
        static constexpr auto iamax = cblas_i##s##amax;                                            \
        static constexpr auto gemm = cblas_##s##gemm;                                              \
    };
CUDACPU_CBLAS(s, float)
CUDACPU_CBLAS(d, double)
#undef CUDACPU_CBLAS
#endif
