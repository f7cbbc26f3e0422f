/* vectors.cpp - levels 1 and 2: of vectors, and of a matrix and vectors. */
#include "call.h"
#include <algorithm>
#include <cmath>

namespace cudacpu::cublas {
namespace {

/* A result goes to the host, and then the call waits for it, or to the device. */
template <class R>
cublasStatus_t reduce(cublasHandle_t h, const char *name, void *caller,
                      std::vector<operand> operands, R *result, std::function<R()> compute) {
    const bool on_device = h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
    CHECK(result);
    if (on_device)
        operands.push_back(vector("result", result, 1, 1, true));
    return issue(
        h, name, caller, operands, [=] { *result = compute(); }, !on_device);
}

/* From 1; the first of equals; 0 where n or the increment is not positive. */
template <class T> int find_smallest(int n, const T *x, int incx) {
    int at = 0;
    for (int i = 1; i < n; i++)
        if (std::fabs(x[(ptrdiff_t)i * incx]) < std::fabs(x[(ptrdiff_t)at * incx]))
            at = i;
    return at + 1;
}

template <class T>
cublasStatus_t extreme(cublasHandle_t h, const char *name, void *caller, int n, const T *x,
                       int incx, int *result, bool largest) {
    CHECK_HANDLE(h);
    const bool any = n > 0 && incx > 0;
    return reduce<int>(h, name, caller, {vector("x", x, any ? n : 0, incx)}, result, [=] {
        return !any      ? 0
               : largest ? (int)cblas<T>::iamax(n, x, incx) + 1
                         : find_smallest(n, x, incx);
    });
}

/* y or x of op(A), which is m x n. */
int length_of_x(cublasOperation_t op, int m, int n) { return op == CUBLAS_OP_N ? n : m; }
int length_of_y(cublasOperation_t op, int m, int n) { return op == CUBLAS_OP_N ? m : n; }

} // namespace
} // namespace cudacpu::cublas

using namespace cudacpu::cublas;

#define NORM(S, s, T, name)                                                                        \
    cublasStatus_t cublas##S##name(cublasHandle_t h, int n, const T *x, int incx, T *result) {     \
        CHECK_HANDLE(h);                                                                           \
        const int count = incx > 0 ? n : 0;                                                        \
        return reduce<T>(h, __func__, CALLER, {vector("x", x, count, incx)}, result,               \
                         [=] { return count > 0 ? cblas_##s##name(count, x, incx) : 0; });         \
    }
#define VECTORS_OF_TYPE(S, s, T)                                                                   \
    cublasStatus_t cublasI##s##amax(cublasHandle_t h, int n, const T *x, int incx, int *result) {  \
        return extreme(h, __func__, CALLER, n, x, incx, result, true);                             \
    }                                                                                              \
    cublasStatus_t cublasI##s##amin(cublasHandle_t h, int n, const T *x, int incx, int *result) {  \
        return extreme(h, __func__, CALLER, n, x, incx, result, false);                            \
    }                                                                                              \
    cublasStatus_t cublas##S##dot(cublasHandle_t h, int n, const T *x, int incx, const T *y,       \
                                  int incy, T *result) {                                           \
        CHECK_HANDLE(h);                                                                           \
        return reduce<T>(h, __func__, CALLER, {vector("x", x, n, incx), vector("y", y, n, incy)},  \
                         result, [=] { return n > 0 ? cblas_##s##dot(n, x, incx, y, incy) : 0; }); \
    }                                                                                              \
    cublasStatus_t cublas##S##axpy(cublasHandle_t h, int n, const T *alpha, const T *x, int incx,  \
                                   T *y, int incy) {                                               \
        CHECK_HANDLE(h);                                                                           \
        CHECK(alpha);                                                                              \
        const scalar<T> factor(h, alpha);                                                          \
        return issue(                                                                              \
            h, __func__, CALLER,                                                                   \
            {vector("x", x, n, incx), vector("y", y, n, incy, true), factor.as_operand("alpha")},  \
            [=] { cblas_##s##axpy(n, factor.get(), x, incx, y, incy); });                          \
    }                                                                                              \
    cublasStatus_t cublas##S##scal(cublasHandle_t h, int n, const T *alpha, T *x, int incx) {      \
        CHECK_HANDLE(h);                                                                           \
        CHECK(alpha);                                                                              \
        const scalar<T> factor(h, alpha);                                                          \
        const int count = incx > 0 ? n : 0;                                                        \
        return issue(h, __func__, CALLER,                                                          \
                     {vector("x", x, count, incx, true), factor.as_operand("alpha")},              \
                     [=] { cblas_##s##scal(count, factor.get(), x, incx); });                      \
    }                                                                                              \
    cublasStatus_t cublas##S##copy(cublasHandle_t h, int n, const T *x, int incx, T *y,            \
                                   int incy) {                                                     \
        CHECK_HANDLE(h);                                                                           \
        return issue(h, __func__, CALLER,                                                          \
                     {vector("x", x, n, incx), vector("y", y, n, incy, true)},                     \
                     [=] { cblas_##s##copy(n, x, incx, y, incy); });                               \
    }                                                                                              \
    cublasStatus_t cublas##S##swap(cublasHandle_t h, int n, T *x, int incx, T *y, int incy) {      \
        CHECK_HANDLE(h);                                                                           \
        return issue(h, __func__, CALLER,                                                          \
                     {vector("x", x, n, incx, true), vector("y", y, n, incy, true)},               \
                     [=] { cblas_##s##swap(n, x, incx, y, incy); });                               \
    }                                                                                              \
    cublasStatus_t cublas##S##rot(cublasHandle_t h, int n, T *x, int incx, T *y, int incy,         \
                                  const T *c, const T *s) {                                        \
        CHECK_HANDLE(h);                                                                           \
        CHECK(c &&s);                                                                              \
        const scalar<T> cosine(h, c), sine(h, s);                                                  \
        return issue(h, __func__, CALLER,                                                          \
                     {vector("x", x, n, incx, true), vector("y", y, n, incy, true),                \
                      cosine.as_operand("c"), sine.as_operand("s")},                               \
                     [=] { cblas_##s##rot(n, x, incx, y, incy, cosine.get(), sine.get()); });      \
    }                                                                                              \
    cublasStatus_t cublas##S##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n,           \
                                   const T *alpha, const T *a, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy) {                                \
        CHECK_HANDLE(h);                                                                           \
        CHECK(is_operation(op) && m >= 0 && n >= 0 && incx && incy && alpha && beta &&             \
              lda >= std::max(1, m));                                                              \
        const scalar<T> factor(h, alpha), old(h, beta);                                            \
        return issue(h, __func__, CALLER,                                                          \
                     {matrix("A", a, m, n, lda), vector("x", x, length_of_x(op, m, n), incx),      \
                      vector("y", y, length_of_y(op, m, n), incy, true),                           \
                      factor.as_operand("alpha"), old.as_operand("beta")},                         \
                     [=] {                                                                         \
                         cblas_##s##gemv(COLUMN_MAJOR, transposed(op), m, n, factor.get(), a, lda, \
                                         x, incx, old.get(), y, incy);                             \
                     });                                                                           \
    }                                                                                              \
    cublasStatus_t cublas##S##ger(cublasHandle_t h, int m, int n, const T *alpha, const T *x,      \
                                  int incx, const T *y, int incy, T *a, int lda) {                 \
        CHECK_HANDLE(h);                                                                           \
        CHECK(m >= 0 && n >= 0 && incx && incy && alpha && lda >= std::max(1, m));                 \
        const scalar<T> factor(h, alpha);                                                          \
        return issue(                                                                              \
            h, __func__, CALLER,                                                                   \
            {vector("x", x, m, incx), vector("y", y, n, incy), matrix("A", a, m, n, lda, true),    \
             factor.as_operand("alpha")},                                                          \
            [=] { cblas_##s##ger(COLUMN_MAJOR, m, n, factor.get(), x, incx, y, incy, a, lda); });  \
    }                                                                                              \
    cublasStatus_t cublas##S##symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T *alpha, \
                                   const T *a, int lda, const T *x, int incx, const T *beta, T *y, \
                                   int incy) {                                                     \
        CHECK_HANDLE(h);                                                                           \
        CHECK(n >= 0 && incx && incy && alpha && beta && lda >= std::max(1, n));                   \
        const scalar<T> factor(h, alpha), old(h, beta);                                            \
        return issue(h, __func__, CALLER,                                                          \
                     {matrix("A", a, n, n, lda), vector("x", x, n, incx),                          \
                      vector("y", y, n, incy, true), factor.as_operand("alpha"),                   \
                      old.as_operand("beta")},                                                     \
                     [=] {                                                                         \
                         cblas_##s##symv(COLUMN_MAJOR, triangle(fill), n, factor.get(), a, lda, x, \
                                         incx, old.get(), y, incy);                                \
                     });                                                                           \
    }                                                                                              \
    cublasStatus_t cublas##S##trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,  \
                                   cublasDiagType_t diag, int n, const T *a, int lda, T *x,        \
                                   int incx) {                                                     \
        CHECK_HANDLE(h);                                                                           \
        CHECK(is_operation(op) && n >= 0 && incx && lda >= std::max(1, n));                        \
        return issue(h, __func__, CALLER,                                                          \
                     {matrix("A", a, n, n, lda), vector("x", x, n, incx, true)}, [=] {             \
                         cblas_##s##trsv(COLUMN_MAJOR, triangle(fill), transposed(op),             \
                                         diagonal(diag), n, a, lda, x, incx);                      \
                     });                                                                           \
    }                                                                                              \
    NORM(S, s, T, asum)                                                                            \
    NORM(S, s, T, nrm2)

extern "C" {
VECTORS_OF_TYPE(S, s, float)
VECTORS_OF_TYPE(D, d, double)
} /* extern "C" */
