/* matrices.cpp - level 3: products, sums, and solutions of matrices. */
#include "call.h"
#include <algorithm>

namespace cudacpu::cublas {
namespace {

int rows_of(cublasOperation_t op, int rows, int columns) {
    return op == CUBLAS_OP_N ? rows : columns;
}
bool is_side(cublasSideMode_t side) {
    return side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT;
}

/* C = alpha op(A) op(B) + beta C, once, or count times at fixed distances. */
template <class T>
cublasStatus_t gemm(cublasHandle_t h, const char *name, void *caller, cublasOperation_t op_a,
                    cublasOperation_t op_b, int m, int n, int k, const T *alpha, const T *a,
                    int lda, long long stride_a, const T *b, int ldb, long long stride_b,
                    const T *beta, T *c, int ldc, long long stride_c, int count) {
    CHECK_HANDLE(h);
    CHECK(is_operation(op_a) && is_operation(op_b) && m >= 0 && n >= 0 && k >= 0 && count >= 0);
    const int rows_a = rows_of(op_a, m, k), rows_b = rows_of(op_b, k, n);
    CHECK(lda >= std::max(1, rows_a) && ldb >= std::max(1, rows_b) && ldc >= std::max(1, m));
    CHECK(alpha && beta && stride_a >= 0 && stride_b >= 0 && stride_c >= 0);
    if (!m || !n || !count)
        return CUBLAS_STATUS_SUCCESS;
    const scalar<T> factor(h, alpha), old(h, beta);
    std::vector<operand> operands;
    for (int i = 0; i < count; i++) {
        operands.push_back(matrix("A", a + i * stride_a, rows_a, rows_of(op_a, k, m), lda));
        operands.push_back(matrix("B", b + i * stride_b, rows_b, rows_of(op_b, n, k), ldb));
        operands.push_back(matrix("C", c + i * stride_c, m, n, ldc, true));
    }
    operands.push_back(factor.as_operand("alpha"));
    operands.push_back(old.as_operand("beta"));
    return issue(h, name, caller, operands, [=] {
        for (int i = 0; i < count; i++)
            cblas<T>::gemm(COLUMN_MAJOR, transposed(op_a), transposed(op_b), m, n, k, factor.get(),
                           a + i * stride_a, lda, b + i * stride_b, ldb, old.get(),
                           c + i * stride_c, ldc);
    });
}

/* The pointers lie on the device: they are read before the products are issued. */
template <class T>
cublasStatus_t gemm_batched(cublasHandle_t h, const char *name, void *caller,
                            cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                            const T *alpha, const T *const a[], int lda, const T *const b[],
                            int ldb, const T *beta, T *const c[], int ldc, int count) {
    CHECK_HANDLE(h);
    CHECK(count >= 0);
    if (!count)
        return CUBLAS_STATUS_SUCCESS;
    std::vector<const T *> all((size_t)count * 3);
    const size_t bytes = (size_t)count * sizeof(T *);
    const void *lists[] = {a, b, c};
    for (size_t i = 0; i < 3; i++)
        if (cudaMemcpyAsync(all.data() + i * (size_t)count, lists[i], bytes, cudaMemcpyDefault,
                            h->stream) != cudaSuccess)
            return CUBLAS_STATUS_EXECUTION_FAILED;
    if (cudaStreamSynchronize(h->stream) != cudaSuccess)
        return CUBLAS_STATUS_EXECUTION_FAILED;
    for (size_t i = 0; i < (size_t)count; i++)
        if (cublasStatus_t status = gemm(h, name, caller, op_a, op_b, m, n, k, alpha, all[i], lda,
                                         0, all[(size_t)count + i], ldb, 0, beta,
                                         const_cast<T *>(all[2 * (size_t)count + i]), ldc, 0, 1))
            return status;
    return CUBLAS_STATUS_SUCCESS;
}

/* C = alpha op(A) + beta op(B); C may be A or B where its operation is N. */
template <class T>
cublasStatus_t geam(cublasHandle_t h, const char *name, void *caller, cublasOperation_t op_a,
                    cublasOperation_t op_b, int m, int n, const T *alpha, const T *a, int lda,
                    const T *beta, const T *b, int ldb, T *c, int ldc) {
    CHECK_HANDLE(h);
    CHECK(is_operation(op_a) && is_operation(op_b) && m >= 0 && n >= 0 && alpha && beta);
    const int rows_a = rows_of(op_a, m, n), rows_b = rows_of(op_b, m, n);
    CHECK(lda >= std::max(1, rows_a) && ldc >= std::max(1, m));
    const scalar<T> first(h, alpha), second(h, beta);
    /* As BLAS does, what a factor of zero hides is not read. */
    const bool reads_a = first.on_device || first.value != 0,
               reads_b = second.on_device || second.value != 0;
    CHECK(!reads_b || ldb >= std::max(1, rows_b));
    std::vector<operand> operands = {matrix("C", c, m, n, ldc, true)};
    if (reads_a)
        operands.push_back(matrix("A", a, rows_a, rows_of(op_a, n, m), lda));
    if (reads_b)
        operands.push_back(matrix("B", b, rows_b, rows_of(op_b, n, m), ldb));
    operands.push_back(first.as_operand("alpha"));
    operands.push_back(second.as_operand("beta"));
    return issue(h, name, caller, operands, [=] {
        const T x = first.get(), y = second.get();
        const auto at = [](const T *p, int ld, cublasOperation_t op, int i, int j) {
            return op == CUBLAS_OP_N ? p[i + (ptrdiff_t)j * ld] : p[j + (ptrdiff_t)i * ld];
        };
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                c[i + (ptrdiff_t)j * ldc] = (x != 0 ? x * at(a, lda, op_a, i, j) : 0) +
                                            (y != 0 ? y * at(b, ldb, op_b, i, j) : 0);
    });
}

} // namespace
} // namespace cudacpu::cublas

using namespace cudacpu::cublas;

#define OF_TYPE(S, s, T)                                                                           \
    cublasStatus_t cublas##S##gemm(                                                                \
        cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,     \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) {  \
        return gemm(h, __func__, CALLER, op_a, op_b, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta,   \
                    c, ldc, 0, 1);                                                                 \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,     \
        const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,              \
        long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count) {         \
        return gemm(h, __func__, CALLER, op_a, op_b, m, n, k, alpha, a, lda, stride_a, b, ldb,     \
                    stride_b, beta, c, ldc, stride_c, count);                                      \
    }                                                                                              \
    cublasStatus_t cublas##S##gemmBatched(                                                         \
        cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,     \
        const T *alpha, const T *const a[], int lda, const T *const b[], int ldb, const T *beta,   \
        T *const c[], int ldc, int count) {                                                        \
        return gemm_batched(h, __func__, CALLER, op_a, op_b, m, n, k, alpha, a, lda, b, ldb, beta, \
                            c, ldc, count);                                                        \
    }                                                                                              \
    cublasStatus_t cublas##S##geam(                                                                \
        cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,            \
        const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc) {  \
        return geam(h, __func__, CALLER, op_a, op_b, m, n, alpha, a, lda, beta, b, ldb, c, ldc);   \
    }                                                                                              \
    cublasStatus_t cublas##S##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, \
                                   int m, int n, const T *alpha, const T *a, int lda, const T *b,  \
                                   int ldb, const T *beta, T *c, int ldc) {                        \
        CHECK_HANDLE(h);                                                                           \
        CHECK(is_side(side) && m >= 0 && n >= 0 && alpha && beta);                                 \
        const int order = side == CUBLAS_SIDE_LEFT ? m : n;                                        \
        CHECK(lda >= std::max(1, order) && ldb >= std::max(1, m) && ldc >= std::max(1, m));        \
        const scalar<T> factor(h, alpha), old(h, beta);                                            \
        return issue(h, __func__, CALLER,                                                          \
                     {matrix("A", a, order, order, lda), matrix("B", b, m, n, ldb),                \
                      matrix("C", c, m, n, ldc, true), factor.as_operand("alpha"),                 \
                      old.as_operand("beta")},                                                     \
                     [=] {                                                                         \
                         cblas_##s##symm(COLUMN_MAJOR, side_of(side), triangle(fill), m, n,        \
                                         factor.get(), a, lda, b, ldb, old.get(), c, ldc);         \
                     });                                                                           \
    }                                                                                              \
    cublasStatus_t cublas##S##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,  \
                                   int n, int k, const T *alpha, const T *a, int lda,              \
                                   const T *beta, T *c, int ldc) {                                 \
        CHECK_HANDLE(h);                                                                           \
        CHECK(is_operation(op) && n >= 0 && k >= 0 && alpha && beta);                              \
        const int rows = rows_of(op, n, k);                                                        \
        CHECK(lda >= std::max(1, rows) && ldc >= std::max(1, n));                                  \
        const scalar<T> factor(h, alpha), old(h, beta);                                            \
        return issue(h, __func__, CALLER,                                                          \
                     {matrix("A", a, rows, rows_of(op, k, n), lda),                                \
                      matrix("C", c, n, n, ldc, true), factor.as_operand("alpha"),                 \
                      old.as_operand("beta")},                                                     \
                     [=] {                                                                         \
                         cblas_##s##syrk(COLUMN_MAJOR, triangle(fill), transposed(op), n, k,       \
                                         factor.get(), a, lda, old.get(), c, ldc);                 \
                     });                                                                           \
    }                                                                                              \
    cublasStatus_t cublas##S##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, \
                                   cublasOperation_t op, cublasDiagType_t diag, int m, int n,      \
                                   const T *alpha, const T *a, int lda, T *b, int ldb) {           \
        CHECK_HANDLE(h);                                                                           \
        CHECK(is_side(side) && is_operation(op) && m >= 0 && n >= 0 && alpha);                     \
        const int order = side == CUBLAS_SIDE_LEFT ? m : n;                                        \
        CHECK(lda >= std::max(1, order) && ldb >= std::max(1, m));                                 \
        const scalar<T> factor(h, alpha);                                                          \
        return issue(h, __func__, CALLER,                                                          \
                     {matrix("A", a, order, order, lda), matrix("B", b, m, n, ldb, true),          \
                      factor.as_operand("alpha")},                                                 \
                     [=] {                                                                         \
                         cblas_##s##trsm(COLUMN_MAJOR, side_of(side), triangle(fill),              \
                                         transposed(op), diagonal(diag), m, n, factor.get(), a,    \
                                         lda, b, ldb);                                             \
                     });                                                                           \
    }

extern "C" {
OF_TYPE(S, s, float)
OF_TYPE(D, d, double)
} /* extern "C" */
