/* ceilings.cu - what this device can do at most: the best of some runs of each. */
#include "ceilings.h"
#include "cuda_check.h"
#include "timing.h"
#ifdef HAVE_CUBLAS
#include <cublas_v2.h>
#endif

enum { RUNS = 10, CHAINS = 16, LENGTH = 1 << 14, N = 8192 };

/* Independent chains, so that each FMA can start without waiting for the one before. */
static __global__ void fma_kernel(float *out, float factor, float term) {
    float x[CHAINS];
    for (int i = 0; i < CHAINS; i++)
        x[i] = (float)(threadIdx.x + i);
    for (int k = 0; k < LENGTH; k++)
#pragma unroll
        for (int i = 0; i < CHAINS; i++)
            x[i] = fmaf(x[i], factor, term);
    float sum = 0;
    for (int i = 0; i < CHAINS; i++)
        sum += x[i];
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static double measure_fma() {
    const unsigned blocks = 132 * 16, threads = 256;
    float *out;
    double best = 0;
    CUDA_CHECK(cudaMalloc(&out, sizeof(float) * blocks * threads));
    for (int i = 0; i < RUNS; i++) {
        kernel_timer timer = start_kernel_timer();
        fma_kernel<<<blocks, threads>>>(out, 0.99f, 0.01f);
        CUDA_CHECK(cudaGetLastError());
        best = fmax(best, 2e-12 * CHAINS * LENGTH * blocks * threads / stop_kernel_timer(&timer));
    }
    CUDA_CHECK(cudaFree(out));
    return best;
}

static double measure_copy() {
    const size_t bytes = (size_t)2 << 30;
    char *from, *to;
    double best = 0;
    CUDA_CHECK(cudaMalloc(&from, bytes));
    CUDA_CHECK(cudaMalloc(&to, bytes));
    for (int i = 0; i < RUNS; i++) {
        kernel_timer timer = start_kernel_timer();
        CUDA_CHECK(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice));
        best = fmax(best, 2e-12 * (double)bytes / stop_kernel_timer(&timer));
    }
    CUDA_CHECK(cudaFree(from));
    CUDA_CHECK(cudaFree(to));
    return best;
}

#ifdef HAVE_CUBLAS
/* Random bits: zeros would run faster than real data. An exponent bit is cleared, so that no half
 * is infinite. */
static __global__ void random_kernel(unsigned *x, size_t count) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        x[i] = (unsigned)((i + 1) * 0x9E3779B97F4A7C15u >> 29) & 0xbfffbfffu;
}

static double measure_tensor(cudaDataType type, size_t size, cudaDataType result,
                             cublasComputeType_t compute, const void *one, const void *zero) {
    size_t bytes = size * N * N;
    char *a, *b;
    float *c;
    double best = 0;
    cublasHandle_t handle;
    CUDA_CHECK(cudaMalloc(&a, bytes));
    CUDA_CHECK(cudaMalloc(&b, bytes));
    CUDA_CHECK(cudaMalloc(&c, sizeof(float) * N * N));
    random_kernel<<<(unsigned)(bytes / 4 / 256), 256>>>((unsigned *)a, bytes / 4);
    random_kernel<<<(unsigned)(bytes / 4 / 256), 256>>>((unsigned *)b, bytes / 4);
    bool good = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < RUNS && good; i++) {
        kernel_timer timer = start_kernel_timer();
        good =
            cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, N, N, N, one, a, type, N, b, type, N,
                         zero, c, result, N, compute, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
        best = fmax(best, 2e-12 * N * (double)N * N / stop_kernel_timer(&timer));
    }
    cublasDestroy(handle);
    CUDA_CHECK(cudaFree(a));
    CUDA_CHECK(cudaFree(b));
    CUDA_CHECK(cudaFree(c));
    return good ? best : NAN;
}
#endif

ceilings measure_ceilings(void) {
    ceilings limit = {measure_fma(), NAN, NAN, measure_copy()};
#ifdef HAVE_CUBLAS
    const float one = 1, zero = 0;
    const int whole_one = 1, whole_zero = 0;
    limit.fp16 = measure_tensor(CUDA_R_16F, 2, CUDA_R_32F, CUBLAS_COMPUTE_32F, &one, &zero);
    limit.int8 =
        measure_tensor(CUDA_R_8I, 1, CUDA_R_32I, CUBLAS_COMPUTE_32I, &whole_one, &whole_zero);
#endif
    return limit;
}

void tell_device(const char *path) {
    static const struct {
        const char *what;
        enum cudaDeviceAttr attribute;
    } told[] = {
        {"SMs", cudaDevAttrMultiProcessorCount},
        {"bytes of L2 cache", cudaDevAttrL2CacheSize},
        {"bytes of shared memory in an SM", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
        {"bytes of it for a block at most", cudaDevAttrMaxSharedMemoryPerBlockOptin},
        {"registers in an SM", cudaDevAttrMaxRegistersPerMultiprocessor},
    };
    FILE *file = fopen(path, "a");
    if (!file) {
        perror(path);
        exit(1);
    }
    for (const auto &one : told) {
        int value;
        CUDA_CHECK(cudaDeviceGetAttribute(&value, one.attribute, 0));
        fprintf(file, "%d %s\n", value, one.what);
    }
    fclose(file);
}
