/* workspace.c - made by the first call, freed at exit. */
#include "workspace.h"
#include "cuda_check.h"
#include "staging.h"
#include <pthread.h>

static workspace kept[MOST_DEVICES];

static void free_of_device(const workspace *w) {
    if (w->memory)
        cudaFree(w->memory);
    if (w->sent)
        cudaEventDestroy(w->sent);
    if (w->down)
        cudaStreamDestroy(w->down);
    if (w->up)
        cudaStreamDestroy(w->up);
}

static void free_workspaces(void) {
    free_staging();
    for (int device = 0; device < MOST_DEVICES; device++)
        free_of_device(&kept[device]);
}

/* After CUDA's own, so before it at exit. */
static void free_at_exit(void) { atexit(free_workspaces); }

const workspace *get_workspace(size_t bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int device;
    CUDA_CHECK(cudaGetDevice(&device));
    workspace *w = &kept[device];
    if (!w->up) {
        CUDA_CHECK(cudaStreamCreateWithFlags(&w->up, cudaStreamNonBlocking));
        pthread_once(&once, free_at_exit);
        CUDA_CHECK(cudaStreamCreateWithFlags(&w->down, cudaStreamNonBlocking));
        CUDA_CHECK(cudaEventCreateWithFlags(&w->sent, cudaEventDisableTiming));
    }
    if (bytes > w->bytes) {
        CUDA_CHECK(cudaFree(w->memory));
        w->memory = NULL;
        w->bytes = 0;
        CUDA_CHECK(cudaMalloc((void **)&w->memory, bytes));
        w->bytes = bytes;
    }
    return w;
}
