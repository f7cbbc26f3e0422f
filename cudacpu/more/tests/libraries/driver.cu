/* driver.cu - the part of the driver API that programs use beside the runtime's.
 *
 * Header: cuda.h; covers: the driver API's devices (`cuDeviceGetAttribute`), contexts
 * (`cuCtxCreate` with the arguments of CUDA 12 and 13), memory (`cuMemAlloc`, `cuMemcpyHtoD`),
 * streams and events; not: modules, arrays, virtual memory, tensor maps. */
#include <cuda.h>
#include <stdio.h>
#include <string.h>

#define EXPECT(call, expected)                                                                     \
    do {                                                                                           \
        const CUresult expect_got = (call);                                                        \
        if (expect_got != (expected)) {                                                            \
            const char *expect_name = "?";                                                         \
            cuGetErrorName(expect_got, &expect_name);                                              \
            printf("line %d: %s gives %s\n", __LINE__, #call, expect_name);                        \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT(call, CUDA_SUCCESS)

__global__ void twice(int *p) { p[threadIdx.x] *= 2; }

int main() {
    CUdevice device;
    CUcontext context, other;
    CUdeviceptr p, q;
    CUstream stream;
    CUevent from, to;
    int count, major, threads, values[32], copied[32];
    size_t all, unused;
    float milliseconds;
    char name[256];
    const char *text;
    EXPECT(cuDeviceGetCount(&count), CUDA_ERROR_NOT_INITIALIZED);
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    EXPECT(cuDeviceGet(&device, count), CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGet(&device, 0));
    OK(cuDeviceGetName(name, sizeof name, device));
    OK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    OK(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    OK(cuDeviceTotalMem(&all, device));
    EXPECT(cuMemAlloc(&p, 4), CUDA_ERROR_INVALID_CONTEXT);
#if CUDA_VERSION < 13000 || defined CUDACPU_RUNTIME_H /* cudacpu takes both */
    OK(cuCtxCreate(&context, 0, device));
    OK(cuCtxDestroy(context));
#endif
#if CUDA_VERSION >= 13000
    OK(cuCtxCreate(&context, nullptr, 0, device));
#endif
    OK(cuCtxGetCurrent(&other));
    if (other != context || major < 5 || threads != 1024 || !*name)
        return 1;
    EXPECT(cuMemAlloc(&p, 0), CUDA_ERROR_INVALID_VALUE);
    EXPECT(cuMemAlloc(&p, (size_t)1 << 50), CUDA_ERROR_OUT_OF_MEMORY);
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    if (strcmp(text, "out of memory") != 0)
        return 1;
    for (int i = 0; i < 32; i++)
        values[i] = i;
    OK(cuMemGetInfo(&unused, &all));
    OK(cuMemAlloc(&p, sizeof values));
    OK(cuMemAlloc(&q, sizeof values));
    OK(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
    OK(cuEventCreate(&from, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&to, CU_EVENT_DEFAULT));
    OK(cuMemsetD8(q, 0, sizeof values));
    OK(cuMemcpyHtoD(p, values, sizeof values));
    OK(cuEventRecord(from, stream));
    twice<<<1, 32, 0, stream>>>((int *)p);
    OK(cuMemcpyDtoDAsync(q, p, sizeof values, stream));
    OK(cuEventRecord(to, stream));
    OK(cuStreamSynchronize(stream));
    OK(cuEventElapsedTime(&milliseconds, from, to));
    OK(cuMemcpyDtoH(copied, q, sizeof copied));
    for (int i = 0; i < 32; i++)
        if (copied[i] != 2 * i)
            return 1;
    OK(cuCtxSynchronize());
    OK(cuEventDestroy(from));
    OK(cuEventDestroy(to));
    OK(cuStreamDestroy(stream));
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    OK(cuCtxDestroy(context));
    puts("ok");
    return 0;
}
