/* memory_pools.h - which devices may touch the memory of a pool. */
#ifndef CUDACPU_RUNTIME_MEMORY_POOLS_H
#define CUDACPU_RUNTIME_MEMORY_POOLS_H
#include "cuda_runtime_api.h"

namespace cudacpu {

/* What cudaMallocAsync takes memory of the device from. */
cudaMemPool_t current_pool(int device);
int device_of(cudaMemPool_t pool);
/* Of each device: may it touch the pool's memory? Lasts longer than the pool. */
const bool *access_of(cudaMemPool_t pool);

/* cudaMallocAsync from that pool; NULL: from the current one of the stream's device. */
cudaError_t allocate_in_stream(void **pointer, size_t bytes, cudaStream_t stream,
                               cudaMemPool_t pool, void *caller);

} // namespace cudacpu
#endif
