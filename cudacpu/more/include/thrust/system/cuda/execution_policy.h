/* execution_policy.h - in place of Thrust's: thrust::cuda::par, which runs on the host like all of
 * Thrust here. Every operation is done when it is issued, so a stream changes nothing. */
#ifndef CUDACPU_THRUST_CUDA_POLICY_H
#define CUDACPU_THRUST_CUDA_POLICY_H
#include <thrust/detail/config.h>
#include <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace cuda {
struct policy_in_stream : thrust::system::cpp::detail::par_t {
    policy_in_stream on(cudaStream_t) const { return *this; }
    policy_in_stream on_stream(cudaStream_t) const { return *this; }
};
static const policy_in_stream par, par_nosync;
} // namespace cuda
namespace system {
namespace cuda {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
} // namespace cuda
} // namespace system
THRUST_NAMESPACE_END
#endif
