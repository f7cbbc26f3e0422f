/* execution_policy.h - Thrust's policies; and thrust::cuda::par, which nvcc brings along. */
#ifndef CUDACPU_THRUST_POLICY_H
#define CUDACPU_THRUST_POLICY_H
#include_next <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>
#endif
