/* handle.cpp - handles, what they keep, statuses, and copies between host and device. */
#include "call.h"
#include "runtime/host/process.h"
#include <set>

namespace cudacpu::cublas {
namespace {

std::set<cublasHandle_t> &handles = *new std::set<cublasHandle_t>();

#define STATUS(name, text)                                                                         \
    { CUBLAS_STATUS_##name, "CUBLAS_STATUS_" #name, text }
const struct {
    cublasStatus_t status;
    const char *name, *text;
} STATUSES[] = {
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "the library was not initialized"),
    STATUS(ALLOC_FAILED, "the resource allocation failed"),
    STATUS(INVALID_VALUE, "an unsupported value or parameter was passed to the function"),
    STATUS(ARCH_MISMATCH, "the function requires a feature absent from the device architecture"),
    STATUS(MAPPING_ERROR, "an access to GPU memory space failed"),
    STATUS(EXECUTION_FAILED, "the function failed to launch on the GPU"),
    STATUS(INTERNAL_ERROR, "an internal operation failed"),
    STATUS(NOT_SUPPORTED, "the functionality is not supported"),
};

cublasStatus_t status_of(cudaError_t error) {
    return error == cudaSuccess             ? CUBLAS_STATUS_SUCCESS
           : error == cudaErrorInvalidValue ? CUBLAS_STATUS_INVALID_VALUE
                                            : CUBLAS_STATUS_MAPPING_ERROR;
}

/* A vector is a matrix of one row. */
cublasStatus_t copy(long long rows, long long columns, int size, const void *a, long long lda,
                    void *b, long long ldb, cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
    CHECK(rows >= 0 && columns >= 0 && size > 0 && lda > 0 && ldb > 0 && lda >= rows &&
          ldb >= rows);
    if (!rows || !columns)
        return CUBLAS_STATUS_SUCCESS;
    const size_t bytes = (size_t)size;
    return status_of(waits
                         ? cudaMemcpy2D(b, (size_t)ldb * bytes, a, (size_t)lda * bytes,
                                        (size_t)rows * bytes, (size_t)columns, kind)
                         : cudaMemcpy2DAsync(b, (size_t)ldb * bytes, a, (size_t)lda * bytes,
                                             (size_t)rows * bytes, (size_t)columns, kind, stream));
}

} // namespace

bool is_handle(cublasHandle_t handle) {
    runtime_guard guard;
    return handles.count(handle);
}

} // namespace cudacpu::cublas

using namespace cudacpu;
using namespace cudacpu::cublas;

extern "C" {

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    CHECK(handle);
    int device;
    if (cudaGetDevice(&device) != cudaSuccess)
        return CUBLAS_STATUS_NOT_INITIALIZED;
    *handle = new cublasContext{nullptr, device, CUBLAS_POINTER_MODE_HOST, CUBLAS_DEFAULT_MATH};
    runtime_guard guard;
    handles.insert(*handle);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    CHECK_HANDLE(handle);
    cudaDeviceSynchronize();
    runtime_guard guard;
    handles.erase(handle);
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
    CHECK_HANDLE(handle);
    CHECK(version);
    *version = 130000;
    return CUBLAS_STATUS_SUCCESS;
}
#define KEPT(name, type, member, possible)                                                         \
    cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {                            \
        CHECK_HANDLE(handle);                                                                      \
        CHECK(possible);                                                                           \
        handle->member = value;                                                                    \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t cublasGet##name(cublasHandle_t handle, type *value) {                           \
        CHECK_HANDLE(handle);                                                                      \
        *value = handle->member;                                                                   \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }
KEPT(Stream, cudaStream_t, stream, true)
KEPT(PointerMode, cublasPointerMode_t, pointer_mode,
     value == CUBLAS_POINTER_MODE_HOST || value == CUBLAS_POINTER_MODE_DEVICE)
KEPT(MathMode, cublasMath_t, math_mode, true)
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *, size_t) {
    CHECK_HANDLE(handle);
    return CUBLAS_STATUS_SUCCESS; /* none is used */
}
const char *cublasGetStatusName(cublasStatus_t status) {
    for (const auto &s : STATUSES)
        if (s.status == status)
            return s.name;
    return "unknown status";
}
const char *cublasGetStatusString(cublasStatus_t status) {
    for (const auto &s : STATUSES)
        if (s.status == status)
            return s.text;
    return "unknown status";
}

#define COPIES(direction, kind)                                                                    \
    cublasStatus_t cublas##direction##Vector(int n, int size, const void *x, int incx, void *y,    \
                                             int incy) {                                           \
        return copy(1, n, size, x, incx, y, incy, kind, true, nullptr);                            \
    }                                                                                              \
    cublasStatus_t cublas##direction##VectorAsync(int n, int size, const void *x, int incx,        \
                                                  void *y, int incy, cudaStream_t stream) {        \
        return copy(1, n, size, x, incx, y, incy, kind, false, stream);                            \
    }                                                                                              \
    cublasStatus_t cublas##direction##Matrix(int rows, int columns, int size, const void *a,       \
                                             int lda, void *b, int ldb) {                          \
        return copy(rows, columns, size, a, lda, b, ldb, kind, true, nullptr);                     \
    }                                                                                              \
    cublasStatus_t cublas##direction##MatrixAsync(int rows, int columns, int size, const void *a,  \
                                                  int lda, void *b, int ldb,                       \
                                                  cudaStream_t stream) {                           \
        return copy(rows, columns, size, a, lda, b, ldb, kind, false, stream);                     \
    }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)

} /* extern "C" */
