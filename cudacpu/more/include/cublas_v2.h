/* cublas_v2.h - the part of cuBLAS that cudacpu provides for float and double, on a CBLAS of this
 * machine (cpucc's -lcublas links it). Names, values and meanings are those of NVIDIA's cuBLAS
 * reference: matrices in column-major order, leading dimensions and increments in elements. */
#ifndef CUDACPU_CUBLAS_V2_H
#define CUDACPU_CUBLAS_V2_H
#define CUBLAS_API_H_ /* NVIDIA's guard, which helper_cuda.h asks for */
#include "cuda_runtime_api.h"
#include "library_types.h"
#ifdef CUDACPU_CU
#include "cuda_fp16.h"
typedef __half cublas_half;
#else /* host code that has no type for it */
typedef void cublas_half;
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_NOT_INITIALIZED = 1,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8,
    CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14,
    CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0,
    CUBLAS_TENSOR_OP_MATH = 1,
    CUBLAS_PEDANTIC_MATH = 2,
    CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t; /* all are computed alike here */
typedef enum {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef struct cublasContext *cublasHandle_t;

cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);

/* Between host and device. */
#define CUDACPU_COPIES(direction)                                                                  \
    cublasStatus_t cublas##direction##Vector(int n, int size, const void *x, int incx, void *y,    \
                                             int incy);                                            \
    cublasStatus_t cublas##direction##VectorAsync(int n, int size, const void *x, int incx,        \
                                                  void *y, int incy, cudaStream_t stream);         \
    cublasStatus_t cublas##direction##Matrix(int rows, int columns, int size, const void *a,       \
                                             int lda, void *b, int ldb);                           \
    cublasStatus_t cublas##direction##MatrixAsync(int rows, int columns, int size, const void *a,  \
                                                  int lda, void *b, int ldb, cudaStream_t stream);
CUDACPU_COPIES(Set)
CUDACPU_COPIES(Get)
#undef CUDACPU_COPIES

/* alpha, beta and results are where the pointer mode says. */
#define CUDACPU_OF_TYPE(S, s, T)                                                                   \
    cublasStatus_t cublasI##s##amax(cublasHandle_t, int n, const T *x, int incx, int *result);     \
    cublasStatus_t cublasI##s##amin(cublasHandle_t, int n, const T *x, int incx, int *result);     \
    cublasStatus_t cublas##S##asum(cublasHandle_t, int n, const T *x, int incx, T *result);        \
    cublasStatus_t cublas##S##nrm2(cublasHandle_t, int n, const T *x, int incx, T *result);        \
    cublasStatus_t cublas##S##dot(cublasHandle_t, int n, const T *x, int incx, const T *y,         \
                                  int incy, T *result);                                            \
    cublasStatus_t cublas##S##axpy(cublasHandle_t, int n, const T *alpha, const T *x, int incx,    \
                                   T *y, int incy);                                                \
    cublasStatus_t cublas##S##scal(cublasHandle_t, int n, const T *alpha, T *x, int incx);         \
    cublasStatus_t cublas##S##copy(cublasHandle_t, int n, const T *x, int incx, T *y, int incy);   \
    cublasStatus_t cublas##S##swap(cublasHandle_t, int n, T *x, int incx, T *y, int incy);         \
    cublasStatus_t cublas##S##rot(cublasHandle_t, int n, T *x, int incx, T *y, int incy,           \
                                  const T *c, const T *s);                                         \
    cublasStatus_t cublas##S##gemv(cublasHandle_t, cublasOperation_t, int m, int n,                \
                                   const T *alpha, const T *a, int lda, const T *x, int incx,      \
                                   const T *beta, T *y, int incy);                                 \
    cublasStatus_t cublas##S##ger(cublasHandle_t, int m, int n, const T *alpha, const T *x,        \
                                  int incx, const T *y, int incy, T *a, int lda);                  \
    cublasStatus_t cublas##S##symv(cublasHandle_t, cublasFillMode_t, int n, const T *alpha,        \
                                   const T *a, int lda, const T *x, int incx, const T *beta, T *y, \
                                   int incy);                                                      \
    cublasStatus_t cublas##S##trsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t,            \
                                   cublasDiagType_t, int n, const T *a, int lda, T *x, int incx);  \
    cublasStatus_t cublas##S##gemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,    \
                                   int n, int k, const T *alpha, const T *a, int lda, const T *b,  \
                                   int ldb, const T *beta, T *c, int ldc);                         \
    cublasStatus_t cublas##S##gemmStridedBatched(                                                  \
        cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n, int k, const T *alpha, \
        const T *a, int lda, long long stride_a, const T *b, int ldb, long long stride_b,          \
        const T *beta, T *c, int ldc, long long stride_c, int count);                              \
    cublasStatus_t cublas##S##gemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,    \
                                          int m, int n, int k, const T *alpha, const T *const a[], \
                                          int lda, const T *const b[], int ldb, const T *beta,     \
                                          T *const c[], int ldc, int count);                       \
    cublasStatus_t cublas##S##geam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m,    \
                                   int n, const T *alpha, const T *a, int lda, const T *beta,      \
                                   const T *b, int ldb, T *c, int ldc);                            \
    cublasStatus_t cublas##S##symm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int m,      \
                                   int n, const T *alpha, const T *a, int lda, const T *b,         \
                                   int ldb, const T *beta, T *c, int ldc);                         \
    cublasStatus_t cublas##S##syrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int n,     \
                                   int k, const T *alpha, const T *a, int lda, const T *beta,      \
                                   T *c, int ldc);                                                 \
    cublasStatus_t cublas##S##trsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,             \
                                   cublasOperation_t, cublasDiagType_t, int m, int n,              \
                                   const T *alpha, const T *a, int lda, T *b, int ldb);
CUDACPU_OF_TYPE(S, s, float)
CUDACPU_OF_TYPE(D, d, double)
#undef CUDACPU_OF_TYPE

/* A, B and C of CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF with sums of float, or all of CUDA_R_64F with
 * sums of double; else CUBLAS_STATUS_NOT_SUPPORTED. alpha and beta have the type of the sums;
 * CUBLAS_COMPUTE_16F, with all of CUDA_R_16F, has them of half, and adds in float. */
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                          int m, int n, int k, const void *alpha, const void *a,
                                          cudaDataType a_type, int lda, long long stride_a,
                                          const void *b, cudaDataType b_type, int ldb,
                                          long long stride_b, const void *beta, void *c,
                                          cudaDataType c_type, int ldc, long long stride_c,
                                          int count, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                            int k, const void *alpha, const void *a, cudaDataType a_type, int lda,
                            const void *b, cudaDataType b_type, int ldb, const void *beta, void *c,
                            cudaDataType c_type, int ldc, cublasComputeType_t, cublasGemmAlgo_t);

cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int m, int n,
                           int k, const cublas_half *alpha, const cublas_half *a, int lda,
                           const cublas_half *b, int ldb, const cublas_half *beta, cublas_half *c,
                           int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t,
                                         int m, int n, int k, const cublas_half *alpha,
                                         const cublas_half *a, int lda, long long stride_a,
                                         const cublas_half *b, int ldb, long long stride_b,
                                         const cublas_half *beta, cublas_half *c, int ldc,
                                         long long stride_c, int count);

#ifdef __cplusplus
}

/* Programs of before CUDA 11 give the sums' type as a cudaDataType. */
static inline cublasStatus_t cublasMigrateComputeType(cublasHandle_t handle, cudaDataType type,
                                                      cublasComputeType_t *compute) {
    cublasMath_t mode = CUBLAS_DEFAULT_MATH;
    const cublasStatus_t status = cublasGetMathMode(handle, &mode);
    const bool pedantic = (mode & 15) == CUBLAS_PEDANTIC_MATH;
    if (status != CUBLAS_STATUS_SUCCESS)
        return status;
    if (type != CUDA_R_32F && type != CUDA_R_64F && type != CUDA_R_16F)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    *compute = type == CUDA_R_16F   ? CUBLAS_COMPUTE_16F
               : type == CUDA_R_64F ? (pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F)
                                    : (pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F);
    return CUBLAS_STATUS_SUCCESS;
}
static inline cublasStatus_t
cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                           int m, int n, int k, const void *alpha, const void *a,
                           cudaDataType a_type, int lda, long long stride_a, const void *b,
                           cudaDataType b_type, int ldb, long long stride_b, const void *beta,
                           void *c, cudaDataType c_type, int ldc, long long stride_c, int count,
                           cudaDataType sums, cublasGemmAlgo_t algorithm) {
    cublasComputeType_t compute;
    const cublasStatus_t status = cublasMigrateComputeType(handle, sums, &compute);
    return status != CUBLAS_STATUS_SUCCESS
               ? status
               : cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda,
                                            stride_a, b, b_type, ldb, stride_b, beta, c, c_type,
                                            ldc, stride_c, count, compute, algorithm);
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t op_a,
                                          cublasOperation_t op_b, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType a_type,
                                          int lda, const void *b, cudaDataType b_type, int ldb,
                                          const void *beta, void *c, cudaDataType c_type, int ldc,
                                          cudaDataType sums, cublasGemmAlgo_t algorithm) {
    return cublasGemmStridedBatchedEx(handle, op_a, op_b, m, n, k, alpha, a, a_type, lda, 0, b,
                                      b_type, ldb, 0, beta, c, c_type, ldc, 0, 1, sums, algorithm);
}
#endif
#endif
