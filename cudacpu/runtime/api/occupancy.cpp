/* occupancy.cpp - how many blocks an SM holds, and the largest block of a kernel. */
#include "cudacpu/typed_api.h"
#include "functions.h"
#include "runtime/host/errors.h"
#include "runtime/scheduler/worker.h"

using namespace cudacpu;

cudaError_t cudacpu::largest_block(int *grid, int *block, const void *function,
                                   size_t (*bytes)(int, void *), void *argument, int limit) {
    int sms = 0;
    if (!grid || !block || limit < 0)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    if (cudaError_t error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0))
        return error;
    const int most = (int)thread_limit(function);
    int size = limit && limit < most ? limit : most;
    while (size > 0 && bytes(size, argument) > dynamic_limit(function))
        size = (size - 1) / 32 * 32;
    *block = size;
    *grid = size ? sms : 0;
    return cudaSuccess;
}

extern "C" {

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                          int block_size, size_t dynamic_bytes) {
    if (!blocks || block_size <= 0)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    *blocks = block_size <= (int)MAX_THREADS && dynamic_bytes <= dynamic_limit(function);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int block_size, size_t dynamic_bytes, unsigned flags) {
    if (flags > cudaOccupancyDisableCachingOverride)
        return remember_error(cudaErrorInvalidValue);
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, block_size,
                                                         dynamic_bytes);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function,
                                                      int blocks, int block_size) {
    if (!bytes || blocks <= 0 || block_size <= 0 || block_size > (int)MAX_THREADS)
        return remember_error(cudaErrorInvalidValue);
    if (!function)
        return remember_error(cudaErrorInvalidDeviceFunction);
    *bytes = blocks == 1 ? dynamic_limit(function) : 0;
    return cudaSuccess;
}

} /* extern "C" */
