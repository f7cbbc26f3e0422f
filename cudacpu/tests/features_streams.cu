/* features_streams.cu - streams: their order, events, the default stream, pinned and pageable
 * memory, host functions. What these cases do is right whenever an operation is done. */
#include "device_words.h"
#include <stdlib.h>

enum { N = 20000, BLOCK = 256, GRID = (N + BLOCK - 1) / BLOCK };
static const size_t BYTES = N * sizeof(int);

static __global__ void add(int *p, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        p[i] += value;
}
static __global__ void twice(const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        out[i] = 2 * in[i];
}

/* Pinned memory with 0, 1, 2, ... */
static int *make_numbers() {
    int *numbers = NULL;
    if (cudaMallocHost(&numbers, BYTES) == cudaSuccess)
        for (int i = 0; i < N; i++)
            numbers[i] = i;
    return numbers;
}

static const char *test_order() {
    int *numbers = make_numbers(), *results, *p, *q;
    cudaStream_t stream;
    OK(cudaMallocHost(&results, BYTES));
    OK(cudaMalloc(&p, BYTES));
    OK(cudaMalloc(&q, BYTES));
    OK(cudaStreamCreate(&stream));
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, stream));
    add<<<GRID, BLOCK, 0, stream>>>(p, 1);
    twice<<<GRID, BLOCK, 0, stream>>>(p, q);
    OK(cudaMemcpyAsync(results, q, BYTES, cudaMemcpyDeviceToHost, stream));
    OK(cudaMemsetAsync(q, 0, BYTES, stream));
    OK(cudaMemcpyAsync(p, q, BYTES, cudaMemcpyDeviceToDevice, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        EXPECT(results[i] == 2 * (i + 1));
    OK(cudaMemcpy(results, p, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        EXPECT(results[i] == 0);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    OK(cudaFree(q));
    OK(cudaFreeHost(numbers));
    OK(cudaFreeHost(results));
    return NULL;
}

/* Two buffers, filled in one stream and used in the other: an event says that a buffer is full,
 * another that it is free again. Each wait is for the record before it. */
static const char *test_events() {
    enum { ROUNDS = 9 };
    int *numbers = make_numbers(), *results, *buffer[2], *sum;
    cudaStream_t fill, use;
    cudaEvent_t full[2], empty[2];
    OK(cudaMallocHost(&results, ROUNDS * BYTES));
    OK(cudaStreamCreate(&fill));
    OK(cudaStreamCreateWithFlags(&use, cudaStreamNonBlocking));
    OK(cudaMalloc(&sum, BYTES));
    for (int i = 0; i < 2; i++) {
        OK(cudaMalloc(&buffer[i], BYTES));
        OK(cudaEventCreateWithFlags(&full[i], cudaEventDisableTiming));
        OK(cudaEventCreateWithFlags(&empty[i], cudaEventDisableTiming));
    }
    for (int round = 0; round < ROUNDS; round++) {
        int *b = buffer[round % 2];
        OK(cudaStreamWaitEvent(fill, empty[round % 2], 0)); /* never recorded: no wait */
        OK(cudaMemcpyAsync(b, numbers, BYTES, cudaMemcpyHostToDevice, fill));
        add<<<GRID, BLOCK, 0, fill>>>(b, round);
        OK(cudaEventRecord(full[round % 2], fill));
        OK(cudaStreamWaitEvent(use, full[round % 2], 0));
        twice<<<GRID, BLOCK, 0, use>>>(b, sum);
        OK(cudaMemcpyAsync(results + round * N, sum, BYTES, cudaMemcpyDeviceToHost, use));
        OK(cudaEventRecord(empty[round % 2], use));
    }
    OK(cudaEventSynchronize(empty[(ROUNDS - 1) % 2]));
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < N; i++)
            EXPECT(results[round * N + i] == 2 * (i + round));
    for (int i = 0; i < 2; i++) {
        OK(cudaFree(buffer[i]));
        OK(cudaEventDestroy(full[i]));
        OK(cudaEventDestroy(empty[i]));
    }
    OK(cudaFree(sum));
    OK(cudaStreamDestroy(fill));
    OK(cudaStreamDestroy(use));
    OK(cudaFreeHost(numbers));
    OK(cudaFreeHost(results));
    return NULL;
}

/* The default stream waits for the others, and they for it; that of the thread is one of them. */
static const char *test_default_stream() {
    int *numbers = make_numbers(), *p, *q;
    cudaStream_t first, second;
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreate(&second));
    OK(cudaMalloc(&p, BYTES));
    OK(cudaMalloc(&q, BYTES));
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, first));
    add<<<GRID, BLOCK>>>(p, 3);
    twice<<<GRID, BLOCK, 0, second>>>(p, q);
    add<<<GRID, BLOCK, 0, cudaStreamLegacy>>>(q, 1);
    add<<<GRID, BLOCK, 0, cudaStreamPerThread>>>(q, 10);
    OK(cudaStreamDestroy(second)); /* what it was given is done all the same */
    OK(cudaMemcpy(numbers, q, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        EXPECT(numbers[i] == 2 * (i + 3) + 11);
    OK(cudaStreamDestroy(first));
    OK(cudaFree(p));
    OK(cudaFree(q));
    OK(cudaFreeHost(numbers));
    return NULL;
}

/* A pageable source may be changed when the call has returned: it is staged. */
static const char *test_pageable() {
    static int numbers[N], results[N];
    int *p;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&p, BYTES));
    for (int i = 0; i < N; i++)
        numbers[i] = i;
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, stream));
    memset(numbers, 0, BYTES);
    add<<<GRID, BLOCK, 0, stream>>>(p, 1);
    OK(cudaMemcpyAsync(results, p, BYTES, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        EXPECT(results[i] == i + 1);
    OK(cudaMemcpy(p, numbers, BYTES, cudaMemcpyHostToDevice));
    memset(numbers, 1, BYTES);
    OK(cudaMemcpy(results, p, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        EXPECT(results[i] == 0);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    return NULL;
}

static void CUDART_CB note_function(void *seen) { *(int *)seen += 1; }
static void CUDART_CB note_callback(cudaStream_t, cudaError_t status, void *seen) {
    *(int *)seen += status == cudaSuccess ? 10 : 1000;
}
static const char *test_host_functions() {
    int *numbers = make_numbers(), *p, seen = 0;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&p, BYTES));
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, stream));
    OK(cudaLaunchHostFunc(stream, note_function, &seen));
    OK(cudaStreamAddCallback(stream, note_callback, &seen, 0));
    OK(cudaStreamSynchronize(stream));
    EXPECT(seen == 11);
    EXPECT_CODE(cudaLaunchHostFunc(stream, NULL, &seen), cudaErrorInvalidValue);
    cudaGetLastError();
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    OK(cudaFreeHost(numbers));
    return NULL;
}

/* Who asks often enough is told that it is done. */
static const char *test_queries() {
    int *numbers = make_numbers(), *p;
    cudaStream_t stream;
    cudaEvent_t start, stop;
    cudaError_t answer;
    float milliseconds = -1;
    OK(cudaStreamCreate(&stream));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaMalloc(&p, BYTES));
    OK(cudaEventQuery(stop)); /* never recorded */
    OK(cudaEventRecord(start, stream));
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, stream));
    add<<<GRID, BLOCK, 0, stream>>>(p, 1);
    OK(cudaEventRecordWithFlags(stop, stream, cudaEventDefault));
    while ((answer = cudaEventQuery(stop)) == cudaErrorNotReady)
        ;
    OK(answer);
    OK(cudaEventElapsedTime(&milliseconds, start, stop));
    EXPECT(milliseconds >= 0 && milliseconds < 60000);
    OK(cudaMemcpyAsync(numbers, p, BYTES, cudaMemcpyDeviceToHost, stream));
    while ((answer = cudaStreamQuery(stream)) == cudaErrorNotReady)
        ;
    OK(answer);
    for (int i = 0; i < N; i++)
        EXPECT(numbers[i] == i + 1);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    OK(cudaFreeHost(numbers));
    return NULL;
}

static const char *test_registered() {
    int *numbers = (int *)aligned_alloc(4096, BYTES / 4096 * 4096 + 4096), *mapped, *p;
    unsigned flags = 99;
    cudaStream_t stream;
    cudaPointerAttributes attributes;
    for (int i = 0; i < N; i++)
        numbers[i] = i;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&p, BYTES));
    EXPECT_CODE(cudaHostUnregister(numbers), cudaErrorHostMemoryNotRegistered);
    EXPECT_CODE(cudaHostRegister(numbers, 0, cudaHostRegisterDefault), cudaErrorInvalidValue);
    OK(cudaHostRegister(numbers, BYTES, cudaHostRegisterMapped));
    EXPECT_CODE(cudaHostRegister(numbers, BYTES, cudaHostRegisterDefault),
                cudaErrorHostMemoryAlreadyRegistered);
    cudaGetLastError();
    OK(cudaHostGetFlags(&flags, numbers));
    EXPECT(flags & cudaHostRegisterMapped);
    OK(cudaPointerGetAttributes(&attributes, numbers));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    OK(cudaHostGetDevicePointer(&mapped, numbers, 0));
    add<<<GRID, BLOCK, 0, stream>>>(mapped, 1);
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, stream));
    add<<<GRID, BLOCK, 0, stream>>>(p, 1);
    OK(cudaMemcpyAsync(numbers, p, BYTES, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; i++)
        EXPECT(numbers[i] == i + 2);
    OK(cudaHostUnregister(numbers));
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    free(numbers);
    return NULL;
}

static const char *test_stream_ordered_memory() {
    int *numbers = make_numbers(), *results, *p, *q;
    cudaStream_t first, second;
    cudaEvent_t done;
    OK(cudaMallocHost(&results, BYTES));
    OK(cudaStreamCreate(&first));
    OK(cudaStreamCreate(&second));
    OK(cudaEventCreate(&done));
    OK(cudaMallocAsync(&p, BYTES, first));
    OK(cudaMemcpyAsync(p, numbers, BYTES, cudaMemcpyHostToDevice, first));
    OK(cudaEventRecord(done, first));
    OK(cudaStreamWaitEvent(second, done));
    OK(cudaMallocAsync(&q, BYTES, second));
    twice<<<GRID, BLOCK, 0, second>>>(p, q);
    OK(cudaFreeAsync(p, second));
    OK(cudaMemcpyAsync(results, q, BYTES, cudaMemcpyDeviceToHost, second));
    OK(cudaFreeAsync(q, second));
    OK(cudaStreamSynchronize(second));
    for (int i = 0; i < N; i++)
        EXPECT(results[i] == 2 * i);
    OK(cudaEventDestroy(done));
    OK(cudaStreamDestroy(first));
    OK(cudaStreamDestroy(second));
    OK(cudaFreeHost(numbers));
    OK(cudaFreeHost(results));
    return NULL;
}

/* A launch copies its arguments, and what its kernel's name is made of. */
struct factors {
    int of[50];
};
static __global__ void scale(int *p, factors f) { p[threadIdx.x] *= f.of[threadIdx.x]; }
static __global__ void add_one(int *p) { p[threadIdx.x] += 1; }
static __global__ void add_two(int *p) { p[threadIdx.x] += 2; }
static void launch_all(int *p, cudaStream_t stream) {
    void (*kernels[2])(int *) = {add_one, add_two};
    factors f;
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 50; j++)
            f.of[j] = i + 2 + j;
        kernels[i]<<<1, 50, 0, stream>>>(p);
        scale<<<1, 50, 0, stream>>>(p, f);
    }
    memset(kernels, 0, sizeof kernels);
    memset(&f, 0, sizeof f);
}
static const char *test_arguments() {
    START();
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    launch_all(device_words, stream);
    OK(cudaStreamSynchronize(stream));
    FINISH();
    for (int j = 0; j < 50; j++)
        EXPECT(words[j] == ((2 + j) + 2) * (3 + j));
    OK(cudaStreamDestroy(stream));
    return NULL;
}

/* More operations than a queue holds. */
static const char *test_long_queue() {
    START();
    cudaStream_t streams[3];
    for (int i = 0; i < 3; i++)
        OK(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
    OK(cudaDeviceSynchronize()); /* the words are zeros */
    for (int i = 0; i < 3000; i++)
        add_one<<<1, 5, 0, streams[i % 3]>>>(device_words + 5 * (i % 3));
    OK(cudaDeviceSynchronize());
    FINISH();
    for (int j = 0; j < 15; j++)
        EXPECT(words[j] == 1000);
    for (int i = 0; i < 3; i++)
        OK(cudaStreamDestroy(streams[i]));
    return NULL;
}

__constant__ int offset_of_all;
static __global__ void add_offset(int *p) { p[threadIdx.x] += offset_of_all; }
static const char *test_other_copies() {
    enum { ROWS = 5, WIDTH = 40, PITCH = 64 };
    START();
    char *host;
    int *pinned_offset;
    cudaStream_t stream;
    OK(cudaMallocHost(&host, ROWS * PITCH));
    OK(cudaMallocHost(&pinned_offset, sizeof(int)));
    OK(cudaStreamCreate(&stream));
    *pinned_offset = 3;
    OK(cudaMemsetAsync(device_words + 1024, 0, 1024 * sizeof(int), stream));
    OK(cudaMemset2DAsync(device_words + 1024, PITCH, 7, WIDTH, ROWS, stream));
    OK(cudaMemcpyPeerAsync(device_words + 2048, 0, device_words + 1024, 0, ROWS * PITCH, stream));
    OK(cudaMemcpy2DAsync(host, PITCH, device_words + 2048, PITCH, PITCH, ROWS,
                         cudaMemcpyDeviceToHost, stream));
    OK(cudaMemcpyToSymbolAsync(offset_of_all, pinned_offset, sizeof(int), 0, cudaMemcpyHostToDevice,
                               stream));
    add_offset<<<1, 8, 0, stream>>>(device_words);
    OK(cudaStreamSynchronize(stream));
    for (int i = 0; i < ROWS * PITCH; i++)
        EXPECT(host[i] == (i % PITCH < WIDTH ? 7 : 0));
    FINISH();
    EXPECT(words[0] == 3 && words[7] == 3 && words[8] == 0);
    OK(cudaStreamDestroy(stream));
    OK(cudaFreeHost(host));
    OK(cudaFreeHost(pinned_offset));
    return NULL;
}

static const char *test_stream_properties() {
    cudaStream_t stream;
    int least = 99, greatest = 99, priority = 99;
    unsigned flags = 99;
    OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    EXPECT(greatest <= least);
    OK(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, greatest));
    OK(cudaStreamGetPriority(stream, &priority));
    OK(cudaStreamGetFlags(stream, &flags));
    EXPECT(priority == greatest && flags == cudaStreamNonBlocking);
    OK(cudaStreamDestroy(stream));
    return NULL;
}

extern "C" const conformance_case stream_features[] = {
    {"order in a stream", test_order},
    {"events between streams", test_events},
    {"default stream", test_default_stream},
    {"pageable memory", test_pageable},
    {"host functions", test_host_functions},
    {"queries", test_queries},
    {"registered memory", test_registered},
    {"stream-ordered memory", test_stream_ordered_memory},
    {"a launch's arguments", test_arguments},
    {"long queue", test_long_queue},
    {"other copies", test_other_copies},
    {"stream properties", test_stream_properties},
    {NULL, NULL}};
