/* cuda_awbarrier_primitives.h - the C functions for mbarriers, and what cuda_pipeline_primitives.h,
 * which includes it, tells one. */
#ifndef CUDACPU_AWBARRIER_PRIMITIVES_H
#define CUDACPU_AWBARRIER_PRIMITIVES_H
#include "cuda_runtime.h"
#include "cudacpu/ptx.h"

typedef uint64_t __mbarrier_t;
typedef uint64_t __mbarrier_token_t;

#define CUDACPU_MBARRIER(call, ...)                                                                \
    return ::cudacpu::ptx::call(::cudacpu::ptx::to_shared((uintptr_t)barrier, CUDACPU_HERE),       \
                                __VA_ARGS__)

static __forceinline__ uint32_t __mbarrier_maximum_count() { return (1 << 20) - 1; }
static __forceinline__ void __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count,
                                            CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_init, expected_count, CUDACPU_HERE);
}
static __forceinline__ void __mbarrier_inval(__mbarrier_t *barrier, CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_inval, CUDACPU_HERE);
}
static __forceinline__ __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier, CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_arrive, 1, CUDACPU_HERE);
}
static __forceinline__ __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier,
                                                                     CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_arrive_drop, 1, CUDACPU_HERE);
}
static __forceinline__ bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                                 CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_test_wait, token, CUDACPU_HERE);
}
static __forceinline__ bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity,
                                                        CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_test_wait_parity, parity, CUDACPU_HERE);
}
/* It waits as long as it takes. */
static __forceinline__ bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token,
                                                uint32_t /*nanoseconds*/, CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_try_wait, token, CUDACPU_HERE);
}
static __forceinline__ bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity,
                                                       uint32_t /*nanoseconds*/, CUDACPU_SITE) {
    CUDACPU_MBARRIER(mbarrier_try_wait_parity, parity, CUDACPU_HERE);
}
static __forceinline__ uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token) {
    return ::cudacpu::ptx::mbarrier_pending_count(token);
}
/* The barrier is told once this thread's copies so far are done. */
static __forceinline__ void __pipeline_arrive_on(__mbarrier_t *barrier, CUDACPU_SITE) {
    CUDACPU_MBARRIER(cp_async_mbarrier_arrive, false, CUDACPU_HERE);
}
#endif
