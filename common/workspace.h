/* workspace.h - what a step makes once and keeps for later calls: device memory, streams.
 * Chapter: docs/34_overlapped.md */
#ifndef WORKSPACE_H
#define WORKSPACE_H
#include <cuda_runtime.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_DEVICES = 64 };

typedef struct workspace {
    float *memory; /* of the device, with what the last call left there */
    size_t bytes;
    cudaStream_t up, down; /* they do not wait for the default stream, where kernels are */
    cudaEvent_t sent;      /* without a time */
} workspace;

/* The workspace of this process for the current device, with at least so many bytes. It is freed at
 * exit, together with what staging.h keeps, also after a failure. Exits with a sentence when CUDA
 * fails. */
const workspace *get_workspace(size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
