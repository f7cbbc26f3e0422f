/* features_devices.cu - several devices: the current one of each thread, memory, streams, events,
 * peers, variables. A GPU's machine needs two; cudacpu has as many as CUDACPU_DEVICES says. */
#include "conformance.h"
#include <cuda_runtime.h>
#include <pthread.h>
#include <string.h>

enum { N = 3000, BLOCK = 128, GRID = (N + BLOCK - 1) / BLOCK, MOST = 8 };
static const size_t BYTES = N * sizeof(int);

static __global__ void fill(int *p, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        p[i] = value + i;
}
static __global__ void add(int *sum, const int *p) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        sum[i] += p[i];
}
static __global__ void sum_with_much_memory(int *p) {
    extern __shared__ int row[];
    row[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        p[0] = row[0] + row[blockDim.x - 1];
}

static int numbers[N];
/* The first word that is not value + factor * i; N: there is none. */
static int find_wrong(const int *p, int value, int factor) {
    for (int i = 0; i < N; i++)
        if (p[i] != value + factor * i)
            return i;
    return N;
}
extern "C" int count_devices(void) {
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count < MOST ? count : MOST : 0;
}

static void *tell_device(void *result) {
    int device = -1;
    if (cudaGetDevice(&device) == cudaSuccess)
        *(int *)result = device;
    return NULL;
}
static const char *test_current() {
    const int count = count_devices();
    int device = -1, total, of_thread = -1;
    pthread_t thread;
    struct cudaDeviceProp properties;
    EXPECT(count >= 2);
    OK(cudaGetDevice(&device));
    EXPECT(device == 0);
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d));
        OK(cudaGetDevice(&device));
        EXPECT(device == d);
        OK(cudaGetDeviceProperties(&properties, d));
        OK(cudaDeviceGetAttribute(&total, cudaDevAttrMultiProcessorCount, d));
        EXPECT(total == properties.multiProcessorCount);
    }
    OK(cudaGetDeviceCount(&total));
    EXPECT_CODE(cudaSetDevice(total), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaSetDevice(-1), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaGetDeviceProperties(&properties, total), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidDevice);
    OK(cudaGetDevice(&device));
    EXPECT(device == count - 1);
    EXPECT(pthread_create(&thread, NULL, tell_device, &of_thread) == 0);
    EXPECT(pthread_join(thread, NULL) == 0 && of_thread == 0);
    return NULL;
}

static const char *test_memory() {
    const int count = count_devices();
    int *p[MOST], *pinned;
    struct cudaPointerAttributes attributes;
    OK(cudaMallocHost(&pinned, BYTES));
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d));
        OK(cudaMalloc(&p[d], BYTES));
        fill<<<GRID, BLOCK>>>(p[d], 1000 * d);
        OK(cudaGetLastError());
    }
    for (int d = 0; d < count; d++) {
        OK(cudaPointerGetAttributes(&attributes, p[d] + 5));
        EXPECT(attributes.type == cudaMemoryTypeDevice && attributes.device == d);
        OK(cudaSetDevice(d));
        OK(cudaMemcpy(numbers, p[d], BYTES, cudaMemcpyDeviceToHost));
        EXPECT(find_wrong(numbers, 1000 * d, 1) == N);
        OK(cudaMemcpy(pinned, p[d], BYTES, cudaMemcpyDefault)); /* of all devices */
        EXPECT(find_wrong(pinned, 1000 * d, 1) == N);
    }
    OK(cudaSetDevice(0));
    for (int d = 0; d < count; d++)
        OK(cudaFree(p[d]));
    OK(cudaFreeHost(pinned));
    return NULL;
}

static const char *test_streams() {
    int *p[2], *q;
    cudaStream_t stream[2];
    cudaEvent_t event[2], filled[2];
    float milliseconds;
    for (int d = 0; d < 2; d++) {
        OK(cudaSetDevice(d));
        OK(cudaMalloc(&p[d], BYTES));
        OK(cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking));
        OK(cudaEventCreate(&event[d]));
        OK(cudaEventCreate(&filled[d]));
    }
    OK(cudaMalloc(&q, BYTES)); /* of device 1 */
#ifdef __CUDACPU__             /* as the programming guide says; CUDA 13 launches it, on device 0 */
    fill<<<GRID, BLOCK, 0, stream[0]>>>(p[1], 0);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidResourceHandle);
#endif
    EXPECT_CODE(cudaEventRecord(event[0], stream[1]), cudaErrorInvalidResourceHandle);
    EXPECT_CODE(cudaEventRecord(event[0], 0), cudaErrorInvalidResourceHandle);
    OK(cudaEventRecord(event[0], stream[0])); /* of another device than the current one */
    OK(cudaEventRecord(event[1], stream[1]));
    OK(cudaEventSynchronize(event[0]));
    OK(cudaEventSynchronize(event[1]));
    EXPECT(cudaEventElapsedTime(&milliseconds, event[0], event[1]) != cudaSuccess);
    cudaGetLastError();
    OK(cudaSetDevice(0));
    fill<<<GRID, BLOCK, 0, stream[0]>>>(p[0], 7);
    OK(cudaEventRecord(filled[0], stream[0]));
    OK(cudaSetDevice(1));
    fill<<<GRID, BLOCK, 0, stream[1]>>>(p[1], 100);
    OK(cudaStreamWaitEvent(stream[1], filled[0], 0));
    OK(cudaMemcpyPeerAsync(q, 1, p[0], 0, BYTES, stream[1]));
    add<<<GRID, BLOCK, 0, stream[1]>>>(p[1], q);
    OK(cudaEventRecord(filled[1], stream[1]));
    OK(cudaSetDevice(0));
    OK(cudaStreamWaitEvent(stream[0], filled[1], 0));
    OK(cudaMemcpyAsync(p[0], p[1], BYTES, cudaMemcpyDefault, stream[0]));
    OK(cudaMemcpyAsync(numbers, p[0], BYTES, cudaMemcpyDeviceToHost, stream[0]));
    OK(cudaStreamSynchronize(stream[0]));
    EXPECT(find_wrong(numbers, 107, 2) == N);
    OK(cudaEventElapsedTime(&milliseconds, event[0], filled[0]));
    for (int d = 0; d < 2; d++) {
        OK(cudaFree(p[d]));
        OK(cudaStreamDestroy(stream[d]));
        OK(cudaEventDestroy(event[d]));
        OK(cudaEventDestroy(filled[d]));
    }
    OK(cudaFree(q));
    return NULL;
}

static const char *test_peers() {
    const int count = count_devices();
    int *p[2], can = 9, total;
    OK(cudaGetDeviceCount(&total));
    OK(cudaDeviceCanAccessPeer(&can, 0, 0));
    EXPECT(can == 0);
    EXPECT_CODE(cudaDeviceCanAccessPeer(&can, 0, total), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaDeviceEnablePeerAccess(total, 0), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaDeviceEnablePeerAccess(0, 0), cudaErrorPeerAccessUnsupported);
    OK(cudaDeviceCanAccessPeer(&can, 0, count - 1));
    if (!can) {
        EXPECT_CODE(cudaDeviceEnablePeerAccess(count - 1, 0), cudaErrorPeerAccessUnsupported);
        return NULL;
    }
    EXPECT_CODE(cudaDeviceEnablePeerAccess(count - 1, 1), cudaErrorInvalidValue);
    EXPECT_CODE(cudaDeviceDisablePeerAccess(count - 1), cudaErrorPeerAccessNotEnabled);
    OK(cudaDeviceEnablePeerAccess(count - 1, 0));
    EXPECT_CODE(cudaDeviceEnablePeerAccess(count - 1, 0), cudaErrorPeerAccessAlreadyEnabled);
    EXPECT_CODE(cudaGetLastError(), cudaErrorPeerAccessAlreadyEnabled);
    OK(cudaMalloc(&p[0], BYTES));
    OK(cudaSetDevice(count - 1));
    OK(cudaMalloc(&p[1], BYTES));
    fill<<<GRID, BLOCK>>>(p[1], 3);
    OK(cudaDeviceSynchronize());
    OK(cudaSetDevice(0));
    fill<<<GRID, BLOCK>>>(p[0], 4);
    add<<<GRID, BLOCK>>>(p[0], p[1]); /* reads the other device's memory */
    add<<<GRID, BLOCK>>>(p[1], p[0]); /* writes it */
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(numbers, p[0], BYTES, cudaMemcpyDefault));
    EXPECT(find_wrong(numbers, 7, 2) == N);
    OK(cudaMemcpy(numbers, p[1], BYTES, cudaMemcpyDefault));
    EXPECT(find_wrong(numbers, 10, 3) == N);
    OK(cudaDeviceDisablePeerAccess(count - 1));
    OK(cudaFree(p[0]));
    OK(cudaFree(p[1]));
    return NULL;
}

/* Header: cuda_runtime.h; covers: access of other devices to a pool (`cudaMemPoolSetAccess`), which
 * peer access does not give. */
static const char *test_pool_access() {
    const int last = count_devices() - 1;
    int *p, *q, can, of_device;
    cudaMemPool_t pool;
    enum cudaMemAccessFlags flags;
    struct cudaMemAccessDesc access = {};
    access.location.type = cudaMemLocationTypeDevice;
    access.flags = cudaMemAccessFlagsProtReadWrite;
    OK(cudaDeviceCanAccessPeer(&can, last, 0));
    OK(cudaDeviceGetAttribute(&of_device, cudaDevAttrMemoryPoolsSupported, 0));
    if (!can || !of_device)
        return NULL;
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
    access.location.id = last;
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtNone);
    OK(cudaMallocAsync(&p, BYTES, 0)); /* before the access is given: it is the pool's */
    fill<<<GRID, BLOCK>>>(p, 5);
    OK(cudaDeviceSynchronize());
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtReadWrite);
    OK(cudaSetDevice(last));
    OK(cudaMallocFromPoolAsync(&q, BYTES, pool, 0)); /* device 0's, in a stream of the other */
    fill<<<GRID, BLOCK>>>(q, 20);
    add<<<GRID, BLOCK>>>(q, p);
    OK(cudaGetLastError());
    OK(cudaMemcpy(numbers, q, BYTES, cudaMemcpyDefault));
    EXPECT(find_wrong(numbers, 25, 2) == N);
    struct cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, q));
    EXPECT(attributes.device == 0);
    OK(cudaFreeAsync(q, 0));
    OK(cudaDeviceSynchronize());
    access.flags = cudaMemAccessFlagsProtNone;
    OK(cudaMemPoolSetAccess(pool, &access, 1));
    OK(cudaMemPoolGetAccess(&flags, pool, &access.location));
    EXPECT(flags == cudaMemAccessFlagsProtNone);
    OK(cudaSetDevice(0));
    OK(cudaFree(p));
    return NULL;
}

/* A copy between devices in the default stream waits for both, and they for it. */
static const char *test_copies() {
    const int count = count_devices();
    int *p[MOST];
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d));
        OK(cudaMalloc(&p[d], BYTES));
        fill<<<GRID, BLOCK>>>(p[d], 10 * d);
    }
    for (int d = 1; d < count; d++) { /* numbers go round */
        OK(cudaSetDevice(d));
        OK(cudaMemcpyPeer(p[d], d, p[d - 1], d - 1, BYTES));
        add<<<GRID, BLOCK>>>(p[d], p[d]);
    }
    OK(cudaSetDevice(0));
    OK(cudaMemcpy(p[0], p[count - 1], BYTES, cudaMemcpyDefault));
    add<<<GRID, BLOCK>>>(p[0], p[0]);
    OK(cudaMemcpy2D(p[0], 200, p[count - 1], 100, 100, 3, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(numbers, p[0], BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) {
        const int row = i / 50, in_rows = row < 3 && i % 50 < 25;
        EXPECT(numbers[i] == (in_rows ? (row * 25 + i % 50) << (count - 1) : i << count));
    }
    EXPECT_CODE(cudaMemcpyPeer(p[0], 0, p[1], -1, 4), cudaErrorInvalidDevice);
    OK(cudaMemcpyPeer(p[1], 1, p[0], 0, 0));
    for (int d = 0; d < count; d++)
        OK(cudaFree(p[d]));
    return NULL;
}

__constant__ int offset;
__device__ int launches = 100;
static __global__ void count_launch(int *p) { p[threadIdx.x] = offset + ++launches; }
static const char *test_variables() {
    const int count = count_devices();
    int *p, value;
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d));
        value = 1000 * d;
        OK(cudaMemcpyToSymbol(offset, &value, sizeof value));
    }
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d));
        OK(cudaMalloc(&p, sizeof value));
        for (int i = 0; i <= d; i++)
            count_launch<<<1, 1>>>(p);
        OK(cudaMemcpy(&value, p, sizeof value, cudaMemcpyDeviceToHost));
        EXPECT(value == 1000 * d + 101 + d);
        OK(cudaFree(p));
    }
    for (int d = 0; d < count; d++) {
        OK(cudaSetDevice(d));
        OK(cudaMemcpyFromSymbol(&value, launches, sizeof value));
        EXPECT(value == 101 + d);
    }
    return NULL;
}

/* What a kernel may have is said for each device; a reset is that of one. */
static const char *test_of_each() {
    enum { MUCH = 60 * 1024 };
    int *p[2];
    for (int d = 0; d < 2; d++) {
        OK(cudaSetDevice(d));
        OK(cudaFuncSetAttribute(sum_with_much_memory, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                MUCH));
        OK(cudaMalloc(&p[d], BYTES));
        fill<<<GRID, BLOCK>>>(p[d], d);
        sum_with_much_memory<<<1, 32, MUCH>>>(p[d]);
        OK(cudaGetLastError());
        OK(cudaDeviceSynchronize());
    }
    OK(cudaDeviceReset());
    OK(cudaSetDevice(0));
    OK(cudaMemcpy(numbers, p[0], BYTES, cudaMemcpyDeviceToHost));
    EXPECT(numbers[0] == 31 && numbers[1] == 1 && numbers[N - 1] == N - 1);
    OK(cudaFree(p[0]));
    return NULL;
}

/* A thread for each device, which all work at the same time. */
typedef struct worker {
    int device;
    const char *problem;
} worker;
static const char *work(int device) {
    enum { ROUNDS = 8 };
    int *p, *q, *results;
    cudaStream_t stream;
    OK(cudaSetDevice(device));
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&p, BYTES));
    OK(cudaMalloc(&q, BYTES));
    OK(cudaMallocHost(&results, BYTES));
    fill<<<GRID, BLOCK, 0, stream>>>(p, device);
    OK(cudaMemcpyAsync(q, p, BYTES, cudaMemcpyDeviceToDevice, stream));
    for (int i = 0; i < ROUNDS; i++)
        add<<<GRID, BLOCK, 0, stream>>>(p, q);
    OK(cudaGetLastError());
    OK(cudaMemcpyAsync(results, p, BYTES, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    EXPECT(find_wrong(results, (ROUNDS + 1) * device, ROUNDS + 1) == N);
    OK(cudaFree(p));
    OK(cudaFree(q));
    OK(cudaFreeHost(results));
    OK(cudaStreamDestroy(stream));
    return NULL;
}
static void *run_worker(void *argument) {
    worker *w = (worker *)argument;
    w->problem = work(w->device);
    return NULL;
}
static const char *test_threads() {
    const int count = count_devices();
    worker workers[MOST];
    pthread_t threads[MOST];
    for (int d = 0; d < count; d++) {
        workers[d] = {d, "not run"};
        EXPECT(pthread_create(&threads[d], NULL, run_worker, &workers[d]) == 0);
    }
    for (int d = 0; d < count; d++)
        EXPECT(pthread_join(threads[d], NULL) == 0);
    for (int d = 0; d < count; d++)
        if (workers[d].problem)
            return workers[d].problem;
    return NULL;
}

extern "C" const conformance_case device_features[] = {
    {"current device", test_current},
    {"memory of each device", test_memory},
    {"streams and events of devices", test_streams},
    {"peer access", test_peers},
    {"access to a pool", test_pool_access},
    {"copies between devices", test_copies},
    {"variables of each device", test_variables},
    {"limits and reset of each device", test_of_each},
    {"a thread for each device", test_threads},
    {NULL, NULL}};
