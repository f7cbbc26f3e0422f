/* gemm_ex.cpp - cublasGemmEx: products of narrower types, with sums of float. */
#include "call.h"
#include "cudacpu/half_bits.h"
#include <algorithm>

namespace cudacpu::cublas {
namespace {

size_t size_of(cudaDataType type) { return type == CUDA_R_32F ? 4 : 2; }
bool is_narrow(cudaDataType type) {
    return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}

float read(const void *p, cudaDataType type, ptrdiff_t i) {
    if (type == CUDA_R_32F)
        return ((const float *)p)[i];
    const uint16_t bits = ((const uint16_t *)p)[i];
    return type == CUDA_R_16F ? half_value(bits) : bfloat16_value(bits);
}
void write(void *p, cudaDataType type, ptrdiff_t i, float x) {
    if (type == CUDA_R_32F)
        ((float *)p)[i] = x;
    else
        ((uint16_t *)p)[i] = type == CUDA_R_16F ? half_bits(x) : bfloat16_bits(x);
}

/* Its columns without gaps, as float. */
std::vector<float> widen(const void *p, cudaDataType type, int rows, int columns, int ld) {
    std::vector<float> wide((size_t)rows * (size_t)columns);
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++)
            wide[(size_t)j * (size_t)rows + (size_t)i] = read(p, type, i + (ptrdiff_t)j * ld);
    return wide;
}

/* One of the products' operands, and where it lies. */
struct matrices {
    const char *name;
    const void *pointer;
    cudaDataType type;
    int rows, columns, ld;
    long long stride;
    const char *at(int i) const {
        return (const char *)pointer + (size_t)i * (size_t)stride * size_of(type);
    }
    void add_to(std::vector<operand> *operands, int count, bool writes) const {
        for (int i = 0; i < count; i++)
            operands->push_back({name, at(i), size_of(type), rows, columns, ld, writes});
    }
};

/* alpha or beta, of float or of half. */
struct factor {
    const void *pointer;
    bool is_half, on_device;
    float value;
    factor(cublasHandle_t h, const void *p, bool half)
        : pointer(p), is_half(half), on_device(h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE),
          value(on_device ? 0 : read(p, half ? CUDA_R_16F : CUDA_R_32F, 0)) {}
    float get() const {
        return on_device ? read(pointer, is_half ? CUDA_R_16F : CUDA_R_32F, 0) : value;
    }
    operand as_operand(const char *name) const {
        return {name, pointer, is_half ? 2u : 4u, on_device, 1, 1, false};
    }
};

} // namespace
} // namespace cudacpu::cublas

using namespace cudacpu::cublas;

extern "C" {

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType a_type,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType b_type, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType c_type, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
    CHECK_HANDLE(h);
    if (a_type == CUDA_R_64F && b_type == CUDA_R_64F && c_type == CUDA_R_64F &&
        (compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC))
        return cublasDgemmStridedBatched(h, op_a, op_b, m, n, k, (const double *)alpha,
                                         (const double *)a, lda, stride_a, (const double *)b, ldb,
                                         stride_b, (const double *)beta, (double *)c, ldc, stride_c,
                                         count);
    const bool of_half =
        compute == CUBLAS_COMPUTE_16F && a_type == CUDA_R_16F && c_type == CUDA_R_16F;
    if (!is_narrow(a_type) || a_type != b_type || !(c_type == CUDA_R_32F || c_type == a_type) ||
        !(of_half || compute == CUBLAS_COMPUTE_32F || compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
          compute == CUBLAS_COMPUTE_32F_FAST_16F || compute == CUBLAS_COMPUTE_32F_FAST_16BF ||
          compute == CUBLAS_COMPUTE_32F_FAST_TF32))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    CHECK(is_operation(op_a) && is_operation(op_b) && m >= 0 && n >= 0 && k >= 0 && count >= 0);
    const bool plain_a = op_a == CUBLAS_OP_N, plain_b = op_b == CUBLAS_OP_N;
    const matrices x = {"A", a, a_type, plain_a ? m : k, plain_a ? k : m, lda, stride_a},
                   y = {"B", b, b_type, plain_b ? k : n, plain_b ? n : k, ldb, stride_b},
                   z = {"C", c, c_type, m, n, ldc, stride_c};
    CHECK(lda >= std::max(1, x.rows) && ldb >= std::max(1, y.rows) && ldc >= std::max(1, m));
    CHECK(alpha && beta && stride_a >= 0 && stride_b >= 0 && stride_c >= 0);
    if (!m || !n || !count)
        return CUBLAS_STATUS_SUCCESS;
    const factor by(h, alpha, of_half), old(h, beta, of_half);
    std::vector<operand> operands;
    x.add_to(&operands, count, false);
    y.add_to(&operands, count, false);
    z.add_to(&operands, count, true);
    operands.push_back(by.as_operand("alpha"));
    operands.push_back(old.as_operand("beta"));
    return issue(h, "cublasGemmEx", CALLER, operands, [=] {
        for (int i = 0; i < count; i++) {
            const std::vector<float> left = widen(x.at(i), a_type, x.rows, x.columns, lda),
                                     right = widen(y.at(i), b_type, y.rows, y.columns, ldb);
            std::vector<float> sums((size_t)m * (size_t)n);
            if (old.get() != 0) /* else C is not read */
                sums = widen(z.at(i), c_type, m, n, ldc);
            cblas<float>::gemm(COLUMN_MAJOR, transposed(op_a), transposed(op_b), m, n, k, by.get(),
                               left.data(), std::max(1, x.rows), right.data(), std::max(1, y.rows),
                               old.get(), sums.data(), m);
            for (int j = 0; j < n; j++)
                for (int row = 0; row < m; row++)
                    write((void *)z.at(i), c_type, row + (ptrdiff_t)j * ldc,
                          sums[(size_t)j * (size_t)m + (size_t)row]);
        }
    });
}

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                            int n, int k, const void *alpha, const void *a, cudaDataType a_type,
                            int lda, const void *b, cudaDataType b_type, int ldb, const void *beta,
                            void *c, cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(h, op_a, op_b, m, n, k, alpha, a, a_type, lda, 0, b, b_type,
                                      ldb, 0, beta, c, c_type, ldc, 0, 1, compute, algorithm);
}

cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                           int n, int k, const cublas_half *alpha, const cublas_half *a, int lda,
                           const cublas_half *b, int ldb, const cublas_half *beta, cublas_half *c,
                           int ldc) {
    return cublasGemmEx(h, op_a, op_b, m, n, k, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta,
                        c, CUDA_R_16F, ldc, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t op_a,
                                         cublasOperation_t op_b, int m, int n, int k,
                                         const cublas_half *alpha, const cublas_half *a, int lda,
                                         long long stride_a, const cublas_half *b, int ldb,
                                         long long stride_b, const cublas_half *beta,
                                         cublas_half *c, int ldc, long long stride_c, int count) {
    return cublasGemmStridedBatchedEx(h, op_a, op_b, m, n, k, alpha, a, CUDA_R_16F, lda, stride_a,
                                      b, CUDA_R_16F, ldb, stride_b, beta, c, CUDA_R_16F, ldc,
                                      stride_c, count, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}

} /* extern "C" */
