/* cuda_check.h - the one helper around CUDA calls: after a failure, one sentence and the end. */
#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* CUDA_CHECK(cudaMalloc(&p, bytes)); and after a launch: CUDA_CHECK(cudaGetLastError()); */
#define CUDA_CHECK(call)                                                                           \
    do {                                                                                           \
        cudaError_t cuda_check_error = (call);                                                     \
        if (cuda_check_error != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(cuda_check_error));                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#endif
