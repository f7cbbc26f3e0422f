/* dgemm.cu - widened to double, multiplied by cuBLAS DGEMM (fp64 tensor cores), rounded to float
 * once: precise. */
#include "cuda_check.h"
#include "matmult.h"
#include "timing.h"
#include <cublas_v2.h>

static void check(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) {
        fprintf(stderr, "cuBLAS: %s\n", cublasGetStatusString(status));
        exit(1);
    }
}

template <class From, class To>
static __global__ void convert(const From *from, To *to, size_t count) {
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        to[i] = (To)from[i];
}

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc,
                           int n) {
    static cublasHandle_t handle;
    const double one = 1, zero = 0;
    matmult_result result = {0, 0, NULL};
    size_t row_bytes = (size_t)n * sizeof(float), count = (size_t)n * (size_t)n;
    if (!handle)
        check(cublasCreate(&handle));
    double start = wall_seconds();

    float *narrow_a, *narrow_b, *narrow_c;
    double *wide_a, *wide_b, *wide_c;
    CUDA_CHECK(cudaMalloc(&narrow_a, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&narrow_b, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&narrow_c, count * sizeof(float)));
    CUDA_CHECK(cudaMalloc(&wide_a, count * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&wide_b, count * sizeof(double)));
    CUDA_CHECK(cudaMalloc(&wide_c, count * sizeof(double)));
    CUDA_CHECK(cudaMemcpy2D(narrow_a, row_bytes, a, (size_t)lda * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy2D(narrow_b, row_bytes, b, (size_t)ldb * sizeof(float), row_bytes,
                            (size_t)n, cudaMemcpyHostToDevice));

    unsigned blocks = (unsigned)((count + 255) / 256);
    kernel_timer timer = start_kernel_timer();
    convert<<<blocks, 256>>>(narrow_a, wide_a, count);
    convert<<<blocks, 256>>>(narrow_b, wide_b, count);
    check(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, wide_b, n, wide_a, n, &zero,
                      wide_c, n));
    convert<<<blocks, 256>>>(wide_c, narrow_c, count);
    CUDA_CHECK(cudaGetLastError());
    result.kernel = stop_kernel_timer(&timer);

    CUDA_CHECK(cudaMemcpy2D(c, (size_t)ldc * sizeof(float), narrow_c, row_bytes, row_bytes,
                            (size_t)n, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(narrow_a));
    CUDA_CHECK(cudaFree(narrow_b));
    CUDA_CHECK(cudaFree(narrow_c));
    CUDA_CHECK(cudaFree(wide_a));
    CUDA_CHECK(cudaFree(wide_b));
    CUDA_CHECK(cudaFree(wide_c));
    result.total = wall_seconds() - start;
    return result;
}
