/* conformance.cu - the CUDA runtime's behaviour and error codes, the same on both backends. */
#include "conformance.h"
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static __global__ void nothing() {}
static __global__ void add_one(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i]++;
}
static __global__ void last_of_shared(int *p, int n) {
    extern __shared__ int words[];
    words[n - 1] = 42;
    *p = words[n - 1];
}
enum { FIXED = 1024 }; /* ints of static shared memory */
static __global__ void fixed_and_dynamic(int *p, int n) {
    __shared__ int fixed[FIXED];
    extern __shared__ int words[];
    fixed[threadIdx.x] = (int)threadIdx.x;
    words[n - 1] = 40;
    __syncthreads();
    *p = words[n - 1] + fixed[n % 2 + 2];
}
template <class T> static __global__ void fixed_template(T *p) {
    __shared__ T fixed[96]; /* 192 bytes of short: ptxas rounds to 16 */
    fixed[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = fixed[95 - threadIdx.x];
}
__constant__ int table[8];
__device__ int global_table[8];
static __global__ void read_table(int *p) {
    p[threadIdx.x] = table[threadIdx.x] + global_table[threadIdx.x];
}

static const size_t TOO_MUCH = (size_t)1 << 50;

static const char *malloc_codes() {
    void *p = (void *)8;
    OK(cudaMalloc(&p, 0));
    EXPECT(p == NULL);
    EXPECT_CODE(cudaMalloc((void **)NULL, 16), cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT_CODE(cudaMalloc(&p, TOO_MUCH), cudaErrorMemoryAllocation);
    EXPECT_CODE(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    EXPECT_CODE(cudaPeekAtLastError(), cudaErrorMemoryAllocation);
    OK(cudaMalloc(&p, 16)); /* a success leaves the last error */
    EXPECT((uintptr_t)p % 256 == 0);
    EXPECT_CODE(cudaGetLastError(), cudaErrorMemoryAllocation);
    OK(cudaGetLastError());
    OK(cudaFree(p));
    return NULL;
}

static const char *free_codes() {
    int host[4];
    char *p;
    OK(cudaFree(NULL));
    OK(cudaMalloc(&p, 1024));
    EXPECT_CODE(cudaFree(p + 256), cudaErrorInvalidValue);
    OK(cudaFree(p));
    EXPECT_CODE(cudaFree(p), cudaErrorInvalidValue);
    EXPECT_CODE(cudaFree(host), cudaErrorInvalidValue);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaGetLastError());
    return NULL;
}

static const char *pitch() {
    for (size_t width = 1; width < 5000; width += 777) {
        float *p;
        size_t got = 0;
        OK(cudaMallocPitch(&p, &got, width, 3));
        EXPECT(got >= width && got % 512 == 0);
        OK(cudaFree(p));
    }
    return NULL;
}

static const char *memcpy_kinds() {
    int from[100], to[100], *p, *q;
    for (int i = 0; i < 100; i++)
        from[i] = i * i;
    OK(cudaMalloc(&p, sizeof from));
    OK(cudaMalloc(&q, sizeof from));
    OK(cudaMemcpy(p, from, sizeof from, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(q, p, sizeof from, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(to, q, sizeof to, cudaMemcpyDeviceToHost));
    EXPECT(memcmp(from, to, sizeof to) == 0);
    memset(to, 0, sizeof to);
    OK(cudaMemcpy(to, q, sizeof to, cudaMemcpyDefault));
    EXPECT(memcmp(from, to, sizeof to) == 0);
    memset(to, 0, sizeof to);
    OK(cudaMemcpy(to, from, sizeof to, cudaMemcpyHostToHost));
    EXPECT(memcmp(from, to, sizeof to) == 0);
    OK(cudaMemcpy(to, q, 0, cudaMemcpyDeviceToHost));
    OK(cudaFree(p));
    OK(cudaFree(q));
    return NULL;
}

static const char *memcpy_codes() {
    static char host[1 << 20];
    char *p;
    OK(cudaMalloc(&p, 1024));
    /* DOUBTFUL: a GPU may place allocations in a larger block; a copy far past all of them fails.
     */
    EXPECT_CODE(cudaMemcpy(p, host, (size_t)1 << 40, cudaMemcpyHostToDevice),
                cudaErrorInvalidValue);
    cudaGetLastError();
    EXPECT_CODE(cudaMemcpy(p, host, (size_t)-4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    cudaGetLastError();
    cudaGetLastError();
    OK(cudaMemset(p, 0, 1024));
    OK(cudaFree(p));
    return NULL;
}

static const char *memcpy_2d() {
    enum { ROWS = 7, WIDTH = 12, LD = 17 };
    char from[ROWS * LD], to[ROWS * LD], *p;
    size_t got;
    for (int i = 0; i < ROWS * LD; i++)
        from[i] = (char)(i + 1), to[i] = 0;
    OK(cudaMallocPitch(&p, &got, WIDTH, ROWS));
    OK(cudaMemcpy2D(p, got, from, LD, WIDTH, ROWS, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(to, LD, p, got, WIDTH, ROWS, cudaMemcpyDeviceToHost));
    for (int i = 0; i < ROWS * LD; i++)
        EXPECT(to[i] == (i % LD < WIDTH ? from[i] : 0));
    EXPECT_CODE(cudaMemcpy2D(p, WIDTH - 1, from, LD, WIDTH, ROWS, cudaMemcpyHostToDevice),
                cudaErrorInvalidPitchValue);
    EXPECT_CODE(cudaMemcpy2D(p, got, from, WIDTH - 1, WIDTH, ROWS, cudaMemcpyHostToDevice),
                cudaErrorInvalidPitchValue);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidPitchValue);
    OK(cudaFree(p));
    return NULL;
}

static const char *memset_all() {
    unsigned char to[64], *p;
    OK(cudaMalloc(&p, 64));
    OK(cudaMemset(p, 0x5a, 64));
    OK(cudaMemset2D(p, 16, 0x01, 3, 4));
    OK(cudaMemcpy(to, p, 64, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        EXPECT(to[i] == (i % 16 < 3 ? 0x01 : 0x5a));
    OK(cudaFree(p));
    return NULL;
}

static const char *streams() {
    enum { N = 1000 };
    static int host[N];
    int *p;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    OK(cudaMalloc(&p, sizeof host));
    OK(cudaMemsetAsync(p, 0, sizeof host, stream));
    for (int k = 0; k < 5; k++)
        add_one<<<(N + 127) / 128, 128, 0, stream>>>(p, N);
    OK(cudaGetLastError());
    OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamQuery(stream));
    for (int i = 0; i < N; i++)
        EXPECT(host[i] == 5);
    OK(cudaStreamDestroy(stream));
    OK(cudaFree(p));
    return NULL;
}

static const char *events() {
    cudaEvent_t start, stop;
    float milliseconds = -1;
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    EXPECT_CODE(cudaEventElapsedTime(&milliseconds, start, stop), cudaErrorInvalidResourceHandle);
    cudaGetLastError();
    OK(cudaEventRecord(start));
    nothing<<<1, 1>>>();
    OK(cudaEventRecord(stop));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventQuery(stop));
    OK(cudaEventElapsedTime(&milliseconds, start, stop));
    EXPECT(milliseconds >= 0 && milliseconds < 60000);
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    return NULL;
}

static const char *device() {
    cudaDeviceProp properties;
    int count = 0, current = -1, value = 0;
    size_t free_bytes = 0, total = 0;
    OK(cudaGetDeviceCount(&count));
    EXPECT(count >= 1);
    EXPECT_CODE(cudaGetDeviceProperties(&properties, 99), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaSetDevice(99), cudaErrorInvalidDevice);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidDevice);
    OK(cudaSetDevice(0));
    OK(cudaGetDevice(&current));
    EXPECT(current == 0);
    OK(cudaGetDeviceProperties(&properties, 0));
    EXPECT(properties.warpSize == 32 && properties.maxThreadsPerBlock == 1024 &&
           properties.name[0]);
    EXPECT(properties.maxThreadsDim[2] == 64 && properties.maxGridSize[1] == 65535);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    EXPECT(value == 32);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, 0));
    EXPECT(value == 1024);
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0));
    EXPECT(value == 49152);
    OK(cudaMemGetInfo(&free_bytes, &total));
    EXPECT(free_bytes > 0 && free_bytes <= total);
    OK(cudaDeviceSynchronize());
    return NULL;
}

/* A launch that no device could do. The API reference and CUDA up to 12 answer with an invalid
 * configuration; measured: CUDA 13 on an H200 (driver 580) calls each of these an invalid argument.
 */
#ifdef __NVCC__
static const cudaError_t ALSO = cudaErrorInvalidValue;
#else
static const cudaError_t ALSO = cudaErrorInvalidConfiguration;
#endif
#define REFUSED(...)                                                                               \
    do {                                                                                           \
        nothing<<<__VA_ARGS__>>>();                                                                \
        cudaError_t peeked = cudaPeekAtLastError();                                                \
        EXPECT(peeked == cudaErrorInvalidConfiguration || peeked == ALSO);                         \
        EXPECT_CODE(cudaGetLastError(), peeked);                                                   \
        OK(cudaGetLastError());                                                                    \
    } while (0)
static const char *launch_codes() {
    REFUSED(0, 1);
    REFUSED(1, 0);
    REFUSED(1, 1025);
    REFUSED(1, dim3(1, 1, 65));
    REFUSED(1, dim3(32, 33));
    REFUSED(dim3(1, 65536), 1);
    REFUSED(dim3(1, 1, 65536), 1);
    nothing<<<1, 1024>>>();
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    return NULL;
}

static const char *shared_codes() {
    int *p, host = 0, most = 0;
    OK(cudaMalloc(&p, sizeof *p));
    last_of_shared<<<1, 1, 49152>>>(p, 49152 / 4);
    OK(cudaGetLastError());
    last_of_shared<<<1, 1, 49152 + 4>>>(p, 49152 / 4 + 1);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT(most > 49152);
    OK(cudaFuncSetAttribute(last_of_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    last_of_shared<<<1, 1, most>>>(p, most / 4);
    OK(cudaGetLastError());
    OK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == 42);
    EXPECT_CODE(
        cudaFuncSetAttribute(last_of_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, most + 1),
        cudaErrorInvalidValue);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaFree(p));
    return NULL;
}

/* Static and dynamic shared memory have one limit. */
static const char *shared_together() {
    const int fixed = FIXED * (int)sizeof(int);
    int *p, host = 0, most = 0;
    cudaFuncAttributes attributes;
    OK(cudaMalloc(&p, sizeof *p));
    OK(cudaFuncGetAttributes(&attributes, fixed_and_dynamic));
    EXPECT(attributes.sharedSizeBytes == (size_t)fixed &&
           attributes.maxDynamicSharedSizeBytes == 49152 - fixed);
    fixed_and_dynamic<<<1, 4, 49152 - fixed>>>(p, (49152 - fixed) / 4);
    OK(cudaGetLastError());
    OK(cudaMemcpy(&host, p, sizeof host, cudaMemcpyDeviceToHost));
    EXPECT(host == 42);
    fixed_and_dynamic<<<1, 4, 49152 - fixed + 4>>>(p, 1);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT_CODE(cudaFuncSetAttribute(fixed_and_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     most - fixed + 4),
                cudaErrorInvalidValue);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(fixed_and_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize,
                            most - fixed));
    OK(cudaFuncGetAttributes(&attributes, fixed_and_dynamic));
    EXPECT(attributes.maxDynamicSharedSizeBytes == most - fixed);
    fixed_and_dynamic<<<1, 4, most - fixed>>>(p, 8192);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
    fixed_and_dynamic<<<1, 4, most - fixed + 4>>>(p, 8192);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaFuncGetAttributes(&attributes, fixed_template<short>));
    EXPECT(attributes.sharedSizeBytes == 192);
    OK(cudaFuncGetAttributes(&attributes, fixed_template<double>));
    EXPECT(attributes.sharedSizeBytes == 768);
    OK(cudaFree(p));
    return NULL;
}

static const char *texts() {
    EXPECT(strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
                  "invalid configuration argument") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidDevice), "invalid device ordinal") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidPitchValue), "invalid pitch argument") == 0);
    EXPECT(strcmp(cudaGetErrorString(cudaErrorInvalidResourceHandle), "invalid resource handle") ==
           0);
    EXPECT(strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
    EXPECT(strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorMemoryAllocation), "cudaErrorMemoryAllocation") == 0);
    EXPECT(strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration),
                  "cudaErrorInvalidConfiguration") == 0);
    return NULL;
}

static const char *host_memory() {
    int *h, *p;
    OK(cudaMallocHost((void **)&h, 4096));
    for (int i = 0; i < 1024; i++)
        h[i] = i;
    OK(cudaMalloc(&p, 4096));
    OK(cudaMemcpy(p, h, 4096, cudaMemcpyHostToDevice));
    add_one<<<8, 128>>>(p, 1024);
    OK(cudaMemcpy(h, p, 4096, cudaMemcpyDeviceToHost));
    EXPECT(h[0] == 1 && h[1023] == 1024);
    cudaPointerAttributes attributes;
    OK(cudaPointerGetAttributes(&attributes, p));
    EXPECT(attributes.type == cudaMemoryTypeDevice);
    OK(cudaPointerGetAttributes(&attributes, h));
    EXPECT(attributes.type == cudaMemoryTypeHost);
    int local;
    OK(cudaPointerGetAttributes(&attributes, &local));
    EXPECT(attributes.type == cudaMemoryTypeUnregistered);
    OK(cudaFree(p));
    OK(cudaFreeHost(h));
    return NULL;
}

static const char *function_attributes() {
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, nothing));
    EXPECT(attributes.maxThreadsPerBlock == 1024 && attributes.sharedSizeBytes == 0);
    EXPECT(attributes.maxDynamicSharedSizeBytes == 49152);
    return NULL;
}

static const char *symbols() {
    int from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8], *p;
    size_t size = 0;
    void *address = NULL;
    OK(cudaMemcpyToSymbol(table, from, sizeof from));
    OK(cudaMemcpyToSymbol(global_table, from, 4 * sizeof *from));
    OK(cudaMemcpyToSymbol(global_table, from, 4 * sizeof *from, 4 * sizeof *from));
    OK(cudaMalloc(&p, sizeof to));
    read_table<<<1, 8>>>(p);
    OK(cudaMemcpy(to, p, sizeof to, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        EXPECT(to[i] == from[i] + from[i % 4]);
    OK(cudaMemcpyFromSymbol(to, table, sizeof to));
    EXPECT(memcmp(to, from, sizeof to) == 0);
    EXPECT_CODE(cudaMemcpyToSymbol(table, from, sizeof from, 4), cudaErrorInvalidValue);
    EXPECT_CODE(cudaMemcpyFromSymbol(to, table, sizeof to, 4), cudaErrorInvalidValue);
    EXPECT_CODE(cudaGetLastError(), cudaErrorInvalidValue);
    OK(cudaGetSymbolSize(&size, table));
    EXPECT(size == sizeof table);
    OK(cudaGetSymbolAddress(&address, global_table));
    OK(cudaMemcpy(to, address, sizeof to, cudaMemcpyDeviceToHost));
    EXPECT(to[5] == 2);
    OK(cudaFree(p));
    return NULL;
}

extern "C" const conformance_case conformance_cases[] = {
    {"cudaMalloc and the last error", malloc_codes},
    {"cudaFree", free_codes},
    {"cudaMallocPitch", pitch},
    {"cudaMemcpy", memcpy_kinds},
    {"cudaMemcpy, faults", memcpy_codes},
    {"cudaMemcpy2D", memcpy_2d},
    {"cudaMemset", memset_all},
    {"streams", streams},
    {"events", events},
    {"device", device},
    {"launch errors", launch_codes},
    {"dynamic shared memory", shared_codes},
    {"static and dynamic shared memory", shared_together},
    {"texts", texts},
    {"host memory", host_memory},
    {"function attributes", function_attributes},
    {"symbols", symbols},
    {NULL, NULL}};
