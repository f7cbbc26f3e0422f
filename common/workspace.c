/* workspace.c - made by the first call, freed at exit. */
#include "workspace.h"
#include "cuda_check.h"
#include "staging.h"

static workspace kept;

static void free_workspace(void) {
    free_staging();
    if (kept.memory)
        cudaFree(kept.memory);
    if (kept.found)
        cudaFreeHost(kept.found);
    if (kept.sent)
        cudaEventDestroy(kept.sent);
    if (kept.down)
        cudaStreamDestroy(kept.down);
    if (kept.product)
        cudaStreamDestroy(kept.product);
    if (kept.up)
        cudaStreamDestroy(kept.up);
}

const workspace *get_workspace(size_t bytes) {
    if (!kept.up) {
        CUDA_CHECK(cudaStreamCreate(&kept.up));
        atexit(free_workspace); /* after CUDA's own, so before it at exit */
        CUDA_CHECK(cudaStreamCreate(&kept.product));
        CUDA_CHECK(cudaStreamCreate(&kept.down));
        CUDA_CHECK(cudaEventCreateWithFlags(&kept.sent, cudaEventDisableTiming));
        CUDA_CHECK(cudaMallocHost((void **)&kept.found, FOUND * sizeof *kept.found));
    }
    if (bytes > kept.bytes) {
        CUDA_CHECK(cudaFree(kept.memory));
        kept.memory = NULL;
        kept.bytes = 0;
        CUDA_CHECK(cudaMalloc((void **)&kept.memory, bytes));
        kept.bytes = bytes;
    }
    return &kept;
}
