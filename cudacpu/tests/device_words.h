/* device_words.h - words of device memory that the kernels of a feature case write. */
#ifndef DEVICE_WORDS_H
#define DEVICE_WORDS_H
#include "conformance.h"
#include <cuda_runtime.h>
#include <string.h>

/* Results go to this many words of device memory, cleared before each case. */
enum { WORDS = 4096 };
static int *device_words, words[WORDS];
#define START()                                                                                    \
    do {                                                                                           \
        OK(cudaMalloc(&device_words, sizeof words));                                               \
        OK(cudaMemset(device_words, 0, sizeof words));                                             \
    } while (0)
#define FINISH()                                                                                   \
    do {                                                                                           \
        OK(cudaGetLastError());                                                                    \
        OK(cudaMemcpy(words, device_words, sizeof words, cudaMemcpyDeviceToHost));                 \
        OK(cudaFree(device_words));                                                                \
    } while (0)

#endif
