/* nccl_calls.cpp - calls of nccl.h that no step makes: collectives that reduce (sums, products,
 * maxima, minima and averages of the ranks' elements), all-gather, and what a communicator is asked
 * for. */
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "runtime/nccl/exchange.h"
#include <cstring>
#include <type_traits>

namespace cudacpu {
namespace {

/* What an element is calculated in. */
template <class T> T widen(T x) { return x; }
float widen(__half x) { return __half2float(x); }
float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class T> void narrow(T *to, T x) { *to = x; }
void narrow(__half *to, float x) { *to = __float2half(x); }
void narrow(__nv_bfloat16 *to, float x) { *to = __float2bfloat16(x); }

/* Integers in unsigned, where nothing overflows. */
template <class W> W combine(W a, W b, ncclRedOp_t op) {
    typedef std::conditional_t<std::is_integral<W>::value, uint64_t, W> number;
    switch (op) {
    case ncclProd:
        return (W)((number)a * (number)b);
    case ncclMax:
        return a < b || b != b ? b : a;
    case ncclMin:
        return b < a || b != b ? b : a;
    default:
        return (W)((number)a + (number)b);
    }
}

template <class T>
void reduce_elements(void *to, const std::vector<const void *> &from, size_t count,
                     ncclRedOp_t op) {
    for (size_t i = 0; i < count; i++) {
        T element;
        memcpy(&element, (const T *)from[0] + i, sizeof element);
        for (size_t r = 1; r < from.size(); r++) {
            T other;
            memcpy(&other, (const T *)from[r] + i, sizeof other);
            narrow(&element, combine(widen(element), widen(other), op));
        }
        if (op == ncclAvg) {
            typedef decltype(widen(element)) wide;
            narrow(&element, (wide)(widen(element) / (wide)from.size()));
        }
        memcpy((T *)to + i, &element, sizeof element);
    }
}

/* Half and bfloat16 are rounded after each. */
void reduce(void *to, const std::vector<const void *> &from, size_t count, ncclDataType_t type,
            ncclRedOp_t op) {
    static void (*const FUNCTIONS[])(void *, const std::vector<const void *> &, size_t,
                                     ncclRedOp_t) = {
        reduce_elements<int8_t>,       reduce_elements<uint8_t>, reduce_elements<int32_t>,
        reduce_elements<uint32_t>,     reduce_elements<int64_t>, reduce_elements<uint64_t>,
        reduce_elements<__half>,       reduce_elements<float>,   reduce_elements<double>,
        reduce_elements<__nv_bfloat16>};
    FUNCTIONS[type](to, from, count, op);
}

/* What ask finds goes to *to. */
template <class T, class Ask>
ncclResult_t answer(ncclComm_t comm, T *to, const char *name, Ask ask) {
    const ncclResult_t error = check_communicator(comm, to, name);
    if (!error)
        *to = ask(comm);
    return error;
}

} // namespace
} // namespace cudacpu

using namespace cudacpu;

#define CALLER __builtin_return_address(0)

extern "C" {

ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue({{REDUCE, count, type, root, op}, comm, CALLER, send, receive, reduce},
                           stream);
}
ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue({{ALL_REDUCE, count, type, 0, op}, comm, CALLER, send, receive, reduce},
                           stream);
}
ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue(
        {{REDUCE_SCATTER, count, type, 0, op}, comm, CALLER, send, receive, reduce}, stream);
}
ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
    return check_and_issue({{ALL_GATHER, count, type, 0}, comm, CALLER, send, receive}, stream);
}
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
    return check_and_issue({{BROADCAST, count, type, root}, comm, CALLER, buffer, buffer}, stream);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
    return answer(comm, error, __func__, [](auto) { return ncclSuccess; });
}
ncclResult_t ncclCommCount(const ncclComm_t comm, int *count) {
    return answer(comm, count, __func__, [](auto c) { return c->ranks; });
}
ncclResult_t ncclCommCuDevice(const ncclComm_t comm, int *device) {
    return answer(comm, device, __func__, [](auto c) { return c->device; });
}
ncclResult_t ncclCommUserRank(const ncclComm_t comm, int *rank) {
    return answer(comm, rank, __func__, [](auto c) { return c->rank; });
}
ncclResult_t ncclGetVersion(int *version) {
    if (!version)
        return set_nccl_error(ncclInvalidArgument, "ncclGetVersion: a pointer is NULL");
    *version = NCCL_VERSION_CODE;
    return ncclSuccess;
}

} /* extern "C" */
