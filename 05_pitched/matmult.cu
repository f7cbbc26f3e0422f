/* 05_pitched - the kernel of step 04 on matrices whose rows are aligned.
 *
 * New: cudaMallocPitch pads the rows. The copies take the pitch in bytes, the kernel
 * takes it in elements, as the leading dimension.
 * Launch: n blocks of 256 threads with n floats of dynamic shared memory; thread t
 * computes columns t, t + 256, t + 512, ...
 * Reads: n^3 + n^2 floats of global memory, in fewer transactions.
 * Chapter: docs/05_pitched.md
 * Run: make 05_pitched && ./05_pitched/run */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"

enum { THREADS = 256 };

static __global__ void matmult_kernel(const float *a, size_t lda, const float *b,
                                      size_t ldb, float *c, size_t ldc, size_t n) {
    extern __shared__ float row_a[]; /* n floats */
    size_t row = blockIdx.x;
#pragma unroll 1 /* unrolled by four, the warp at the row's end would diverge */
    for (size_t k = threadIdx.x; k < n; k += THREADS)
        row_a[k] = a[row * lda + k];
    __syncthreads();

    for (size_t column = threadIdx.x; column < n; column += THREADS) {
        float sum = 0, compensation = 0;
        for (size_t k = 0; k < n; k++) {
            float term = row_a[k] * b[k * ldb + column] - compensation;
            float next = sum + term;
            compensation = (next - sum) - term;
            sum = next;
        }
        c[row * ldc + column] = sum;
    }
}

/* Asks for more shared memory than the default where a row of A needs it. Exits with a
 * sentence where a block cannot have that much. */
static void allow_shared_memory(int n, size_t bytes) {
    int usual, most;
    CUDA_CHECK(cudaDeviceGetAttribute(&usual, cudaDevAttrMaxSharedMemoryPerBlock, 0));
    CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    if (bytes > (size_t)most) {
        fprintf(stderr,
                "05_pitched: n = %d needs %zu bytes of shared memory for one row of "
                "A; a block has %d here\n",
                n, bytes, most);
        exit(1);
    }
    if (bytes > (size_t)usual)
        CUDA_CHECK(cudaFuncSetAttribute(
            matmult_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float);
    allow_shared_memory(n, row_bytes);
    double start = wall_seconds();

    float *device_a, *device_b, *device_c;
    size_t pitch_a, pitch_b, pitch_c; /* bytes from one row to the next */
    CUDA_CHECK(cudaMallocPitch(&device_a, &pitch_a, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_b, &pitch_b, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMallocPitch(&device_c, &pitch_c, row_bytes, (size_t)n));
    CUDA_CHECK(cudaMemcpy2D(device_a, pitch_a, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(device_b, pitch_b, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    kernel_timer timer = start_kernel_timer();
    matmult_kernel<<<n, THREADS, row_bytes>>>(device_a, pitch_a / sizeof(float), device_b,
                                              pitch_b / sizeof(float), device_c,
                                              pitch_c / sizeof(float), n);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), device_c, pitch_c, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_a));
    CUDA_CHECK(cudaFree(device_b));
    CUDA_CHECK(cudaFree(device_c));
    result.total = wall_seconds() - start;
    return result;
}
