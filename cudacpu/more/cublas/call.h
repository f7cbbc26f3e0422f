/* call.h - a call of cuBLAS is an operation of its handle's stream. */
#ifndef CUDACPU_CUBLAS_CALL_H
#define CUDACPU_CUBLAS_CALL_H
#include "cblas.h"
#include "cublas_v2.h"
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

struct cublasContext {
    cudaStream_t stream;
    int device;
    cublasPointerMode_t pointer_mode;
    cublasMath_t math_mode;
};

namespace cudacpu::cublas {

/* Device memory that a call reads or writes: columns of `rows` elements, ld elements apart; none of
 * them: nothing. */
struct operand {
    const char *name;
    const void *pointer;
    size_t size; /* of an element, bytes */
    long long rows, columns, ld;
    bool write;
};
template <class T>
operand matrix(const char *name, const T *p, long long rows, long long columns, long long ld,
               bool write = false) {
    return {name, p, sizeof(T), rows, columns, ld, write};
}
template <class T>
operand vector(const char *name, const T *p, long long n, long long inc, bool write = false) {
    return {name, p, sizeof(T), 1, n, std::llabs(inc), write};
}

/* Does the work when the stream comes to it, with the operands open to this code. An operand that
 * is not in device memory, or is larger than its allocation, is said in a sentence and ends as a
 * GPU's illegal address does. waits: returns when the work is done. */
cublasStatus_t issue(cublasHandle_t handle, const char *name, void *caller,
                     const std::vector<operand> &operands, std::function<void()> work,
                     bool waits = false);
bool is_handle(cublasHandle_t handle);

/* alpha or beta: a value now, or one that is on the device when the work is done. */
template <class T> struct scalar {
    const T *pointer;
    T value;
    bool on_device;
    scalar(cublasHandle_t h, const T *p)
        : pointer(p), value(), on_device(h->pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
        if (!on_device)
            value = *p;
    }
    T get() const { return on_device ? *pointer : value; }
    operand as_operand(const char *name) const { return vector(name, pointer, on_device, 1); }
};

inline int transposed(cublasOperation_t op) { return op == CUBLAS_OP_N ? NO_TRANSPOSE : TRANSPOSE; }
inline int triangle(cublasFillMode_t mode) {
    return mode == CUBLAS_FILL_MODE_LOWER ? LOWER : UPPER;
}
inline int side_of(cublasSideMode_t side) { return side == CUBLAS_SIDE_LEFT ? LEFT : RIGHT; }
inline int diagonal(cublasDiagType_t d) { return d == CUBLAS_DIAG_UNIT ? UNIT : NON_UNIT; }
inline bool is_operation(cublasOperation_t op) { return op >= CUBLAS_OP_N && op <= CUBLAS_OP_C; }

#define CALLER __builtin_return_address(0)
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return CUBLAS_STATUS_INVALID_VALUE;                                                    \
    } while (0)
#define CHECK_HANDLE(handle)                                                                       \
    do {                                                                                           \
        if (!::cudacpu::cublas::is_handle(handle))                                                 \
            return CUBLAS_STATUS_NOT_INITIALIZED;                                                  \
    } while (0)

} // namespace cudacpu::cublas
#endif
