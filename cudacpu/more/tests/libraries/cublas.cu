/* cublas.cu - cuBLAS against loops in double, and its statuses. Exit status 0 when all is well. The
 * same program runs with nvcc -lcublas on a GPU.
 *
 * Header: cublas_v2.h; covers: levels 1 to 3 of float and double (the header lists them), batches,
 * `cublasGemmEx`, `cublasHgemm`; not: complex numbers, cublasLt, cublasXt. */
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>
#ifndef CUBLAS_API_H_
#error helper_cuda.h asks for this guard
#endif

static int failures;
static void expect(bool holds, const char *what, int line) {
    if (!holds) {
        printf("line %d: not so: %s\n", line, what);
        failures++;
    }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)
#define OK(call) EXPECT((call) == CUBLAS_STATUS_SUCCESS)
#define CUDA(call) EXPECT((call) == cudaSuccess)

template <class T> struct on_device {
    T *p;
    size_t count;
    explicit on_device(const std::vector<T> &from) : p(nullptr), count(from.size()) {
        CUDA(cudaMalloc(&p, count * sizeof(T)));
        CUDA(cudaMemcpy(p, from.data(), count * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~on_device() { cudaFree(p); }
    std::vector<T> get() const {
        std::vector<T> to(count);
        CUDA(cudaMemcpy(to.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost));
        return to;
    }
};

/* Small integers: all sums are exact, whatever their order. */
template <class T> static std::vector<T> numbers(size_t count, int seed) {
    std::vector<T> x(count);
    for (size_t i = 0; i < count; i++)
        x[i] = (T)((int)(i * 37 + (size_t)seed * 11) % 13 - 6);
    return x;
}
static double element(const std::vector<float> &a, cublasOperation_t op, int ld, int i, int j) {
    return a[op == CUBLAS_OP_N ? (size_t)j * ld + i : (size_t)i * ld + j];
}

static void check_gemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b) {
    const int m = 7, n = 5, k = 6, lda = 9, ldb = 8, ldc = 10, count = 3, stride = 96;
    const std::vector<float> a = numbers<float>(stride * count, 1),
                             b = numbers<float>(stride * count, 2),
                             c = numbers<float>(stride * count, 3);
    const float alpha = 2, beta = -3;
    on_device<float> x(a), y(b), z(c);
    OK(cublasSgemmStridedBatched(h, op_a, op_b, m, n, k, &alpha, x.p, lda, stride, y.p, ldb, stride,
                                 &beta, z.p, ldc, stride, count));
    const std::vector<float> strided = z.get();
    for (int l = 0; l < count; l++)
        for (int j = 0; j < ldc * n / ldc; j++)
            for (int i = 0; i < ldc; i++) {
                double sum = 0;
                const std::vector<float> left(a.begin() + l * stride, a.end()),
                    right(b.begin() + l * stride, b.end());
                const size_t at = (size_t)l * stride + (size_t)j * ldc + i;
                for (int p = 0; p < k && i < m; p++)
                    sum += element(left, op_a, lda, i, p) * element(right, op_b, ldb, p, j);
                EXPECT(strided[at] == (i < m ? alpha * sum + beta * c[at] : c[at]));
            }
    on_device<float> once(c);
    OK(cublasSgemm(h, op_a, op_b, m, n, k, &alpha, x.p, lda, y.p, ldb, &beta, once.p, ldc));
    for (int i = 0; i < ldc * n; i++)
        EXPECT(once.get()[(size_t)i] == strided[(size_t)i]);
    const float *as[] = {x.p, x.p + stride}, *bs[] = {y.p, y.p + stride};
    on_device<float> batched(c);
    float *cs[] = {batched.p, batched.p + stride};
    on_device<const float *> list_a(std::vector<const float *>(as, as + 2)),
        list_b(std::vector<const float *>(bs, bs + 2));
    on_device<float *> list_c(std::vector<float *>(cs, cs + 2));
    OK(cublasSgemmBatched(h, op_a, op_b, m, n, k, &alpha, list_a.p, lda, list_b.p, ldb, &beta,
                          list_c.p, ldc, 2));
    const std::vector<float> of_lists = batched.get();
    for (int i = 0; i < stride + ldc * n; i++)
        EXPECT(of_lists[(size_t)i] == strided[(size_t)i]);
}

/* beta 0: what C held does not matter, not even a NaN. */
static void check_beta_zero(cublasHandle_t h) {
    const std::vector<double> a = numbers<double>(16, 1);
    const double one = 1, zero = 0;
    on_device<double> x(a), z(std::vector<double>(16, NAN));
    OK(cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x.p, 4, x.p, 4, &zero, z.p, 4));
    for (double value : z.get())
        EXPECT(value == value);
}

static void check_half(cublasHandle_t h) {
    const int n = 8;
    std::vector<__half> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) {
        a[(size_t)i] = __float2half((float)(i % 5 - 2));
        b[(size_t)i] = __float2half((float)(i % 7 - 3));
    }
    on_device<__half> x(a), y(b), z(c);
    on_device<float> wide(std::vector<float>(n * n, 0.0f));
    const float one = 1, zero = 0;
    OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, x.p, CUDA_R_16F, n, y.p, CUDA_R_16F,
                    n, &zero, z.p, CUDA_R_16F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    OK(cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, x.p, CUDA_R_16F, n, y.p, CUDA_R_16F,
                    n, &zero, wide.p, CUDA_R_32F, n, CUDA_R_32F,
                    CUBLAS_GEMM_DEFAULT)); /* the older type */
    const std::vector<__half> narrow = z.get();
    const std::vector<float> sums = wide.get();
    const __half two = __float2half(2), none = __float2half(0);
    OK(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &two, x.p, n, y.p, n, &none, z.p, n));
    const std::vector<__half> doubled = z.get();
    OK(cublasHgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &two, x.p, n, 0, y.p, n, 0,
                                 &two, z.p, n, 0, 1));
    const std::vector<__half> added = z.get();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += __half2float(a[(size_t)(k * n + i)]) * __half2float(b[(size_t)(k * n + j)]);
            EXPECT(__half2float(narrow[(size_t)(j * n + i)]) == sum);
            EXPECT(sums[(size_t)(j * n + i)] == sum);
            EXPECT(__half2float(doubled[(size_t)(j * n + i)]) == 2 * sum);
            EXPECT(__half2float(added[(size_t)(j * n + i)]) == 6 * sum);
        }
}

static void check_level_2(cublasHandle_t h) {
    const int m = 4, n = 3, lda = 5;
    const std::vector<float> a = numbers<float>(lda * n, 4), x = numbers<float>(8, 5),
                             y = numbers<float>(8, 6);
    const float alpha = 3, beta = 2;
    on_device<float> da(a), dx(x), dy(y);
    OK(cublasSgemv(h, CUBLAS_OP_N, m, n, &alpha, da.p, lda, dx.p, 2, &beta, dy.p, 1));
    std::vector<float> got = dy.get();
    for (int i = 0; i < m; i++) {
        float sum = 0;
        for (int j = 0; j < n; j++)
            sum += a[(size_t)(j * lda + i)] * x[(size_t)j * 2];
        EXPECT(got[(size_t)i] == alpha * sum + beta * y[(size_t)i]);
    }
    OK(cublasSger(h, m, n, &alpha, dx.p, 1, dy.p, 1, da.p, lda));
    const std::vector<float> updated = da.get();
    for (int j = 0; j < n; j++)
        for (int i = 0; i < lda; i++)
            EXPECT(updated[(size_t)(j * lda + i)] ==
                   a[(size_t)(j * lda + i)] + (i < m ? alpha * x[(size_t)i] * got[(size_t)j] : 0));
    const std::vector<float> t = {2, 3, 5, 0, 4, 7, 0, 0, 8}, right = {2, 11, 45};
    on_device<float> triangle(t), solution(right);
    OK(cublasStrsv(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, triangle.p, 3,
                   solution.p, 1));
    const std::vector<float> solved = solution.get();
    EXPECT(solved[0] == 1 && solved[1] == 2 && solved[2] == 3.25f);
}

static void check_level_1(cublasHandle_t h) {
    const std::vector<float> x = {3, -1, 4, 1, -5, 9, 2, -6}, y = {2, 7, 1, 8, 2, 8, 1, 8};
    on_device<float> dx(x), dy(y);
    float result = 0;
    int index = 0;
    OK(cublasSdot(h, 8, dx.p, 1, dy.p, 1, &result));
    EXPECT(result == 6 - 7 + 4 + 8 - 10 + 72 + 2 - 48);
    OK(cublasSasum(h, 4, dx.p, 2, &result));
    EXPECT(result == 3 + 4 + 5 + 2);
    OK(cublasIsamax(h, 8, dx.p, 1, &index));
    EXPECT(index == 6);
    OK(cublasIsamin(h, 8, dx.p, 1, &index));
    EXPECT(index == 2);
    on_device<float> right(std::vector<float>({3, 4}));
    OK(cublasSnrm2(h, 2, right.p, 1, &result));
    EXPECT(fabsf(result - 5) <= 1e-6f);
    const float two = 2;
    OK(cublasSaxpy(h, 8, &two, dx.p, 1, dy.p, 1));
    OK(cublasSscal(h, 4, &two, dx.p, 2));
    const std::vector<float> sums = dy.get(), scaled = dx.get();
    for (size_t i = 0; i < 8; i++)
        EXPECT(sums[i] == y[i] + 2 * x[i] && scaled[i] == (i % 2 ? x[i] : 2 * x[i]));
    OK(cublasSswap(h, 8, dx.p, 1, dy.p, 1));
    EXPECT(dx.get() == sums && dy.get() == scaled);
    OK(cublasScopy(h, 8, dx.p, 1, dy.p, 1));
    EXPECT(dy.get() == sums);
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
    on_device<float> on_gpu(std::vector<float>({2, 0}));
    OK(cublasSdot(h, 2, right.p, 1, right.p, 1, on_gpu.p + 1));
    OK(cublasSscal(h, 8, on_gpu.p, dx.p, 1));
    OK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    EXPECT(on_gpu.get()[1] == 25 && dx.get()[0] == 2 * sums[0]);
}

/* What the functions above leave out, in both types. */
#define OF_TYPE(T, S)                                                                              \
    static void check_rest(cublasHandle_t h, T) {                                                  \
        const T one = 1, two = 2, zero = 0;                                                        \
        const std::vector<T> lower = {2, 3, 0, 5}, b = {1, 2, 3, 4};                               \
        on_device<T> a(lower), x(b), y(b), c(std::vector<T>(4, (T)0));                             \
        const auto fill_lower = CUBLAS_FILL_MODE_LOWER;                                            \
        OK(cublas##S##symv(h, fill_lower, 2, &one, a.p, 2, x.p, 1, &zero, c.p, 1)); /* 2 3, 3 5 */ \
        EXPECT(c.get() == std::vector<T>({8, 13, 0, 0}));                                          \
        OK(cublas##S##symm(h, CUBLAS_SIDE_LEFT, fill_lower, 2, 2, &one, a.p, 2, x.p, 2, &zero,     \
                           c.p, 2));                                                               \
        EXPECT(c.get() == std::vector<T>({8, 13, 18, 29}));                                        \
        OK(cublas##S##syrk(h, fill_lower, CUBLAS_OP_N, 2, 2, &one, x.p, 2, &zero, c.p, 2));        \
        EXPECT(c.get() == std::vector<T>({10, 14, 18, 20}));                                       \
        OK(cublas##S##geam(h, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, &two, x.p, 2, &one, y.p, 2, c.p,     \
                           2));                                                                    \
        EXPECT(c.get() == std::vector<T>({3, 8, 7, 12}));                                          \
        OK(cublas##S##trsm(h, CUBLAS_SIDE_LEFT, fill_lower, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 2, 2,   \
                           &one, a.p, 2, x.p, 2));                                                 \
        EXPECT(x.get() == std::vector<T>({1, -1, 3, -5}));                                         \
        OK(cublas##S##rot(h, 4, x.p, 1, y.p, 1, &zero, &one));                                     \
        EXPECT(x.get() == b && y.get() == std::vector<T>({-1, 1, -3, 5}));                         \
        OK(cublas##S##gemv(h, CUBLAS_OP_T, 2, 2, &one, x.p, 2, y.p, 1, &zero, c.p, 1));            \
        EXPECT(c.get()[0] == 1 && c.get()[1] == 1);                                                \
        OK(cublas##S##ger(h, 2, 2, &one, c.p, 1, c.p, 1, x.p, 2));                                 \
        EXPECT(x.get() == std::vector<T>({2, 3, 4, 5}));                                           \
        T result = 0;                                                                              \
        OK(cublas##S##dot(h, 4, x.p, 1, x.p, 1, &result));                                         \
        EXPECT(result == 54);                                                                      \
        OK(cublas##S##axpy(h, 4, &two, x.p, 1, y.p, 1));                                           \
        EXPECT(y.get() == std::vector<T>({3, 7, 5, 15}));                                          \
    }
OF_TYPE(float, S)
OF_TYPE(double, D)
#undef OF_TYPE

static __global__ void fill(float *p, float value) { p[threadIdx.x] = value; }

/* A call comes after what its stream was given before, and before what comes later. */
static void check_stream(cublasHandle_t h) {
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    on_device<float> x(std::vector<float>(32, 0.0f)), y(std::vector<float>(32, 1.0f));
    CUDA(cudaDeviceSynchronize()); /* the copies of x and y are in another stream */
    OK(cublasSetStream(h, stream));
    const float three = 3;
    fill<<<1, 32, 0, stream>>>(x.p, 5);
    OK(cublasSaxpy(h, 32, &three, x.p, 1, y.p, 1));
    fill<<<1, 32, 0, stream>>>(x.p, 7);
    CUDA(cudaStreamSynchronize(stream));
    OK(cublasSetStream(h, 0));
    CUDA(cudaStreamDestroy(stream));
    EXPECT(x.get()[31] == 7 && y.get()[31] == 16);
}

static void check_copies() {
    const std::vector<float> a = numbers<float>(24, 7);
    std::vector<float> back(24, -1.0f);
    on_device<float> b(std::vector<float>(24, 0.0f));
    OK(cublasSetMatrix(3, 4, sizeof(float), a.data(), 6, b.p, 5));
    OK(cublasGetMatrix(3, 4, sizeof(float), b.p, 5, back.data(), 4));
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++)
            EXPECT(back[(size_t)(j * 4 + i)] == (i < 3 ? a[(size_t)(j * 6 + i)] : -1));
    OK(cublasSetVector(5, sizeof(float), a.data(), 2, b.p, 1));
    OK(cublasGetVector(5, sizeof(float), b.p, 1, back.data(), 3));
    for (size_t i = 0; i < 5; i++)
        EXPECT(back[3 * i] == a[2 * i]);
}

static void check_statuses(cublasHandle_t h) {
    const float one = 1;
    on_device<float> x(std::vector<float>(64, 1.0f));
    EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &one, x.p, 7, x.p, 8, &one, x.p, 8) ==
           CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, -1, 8, 8, &one, x.p, 8, x.p, 8, &one, x.p, 8) ==
           CUBLAS_STATUS_INVALID_VALUE);
    EXPECT(cublasSscal(NULL, 8, &one, x.p, 1) == CUBLAS_STATUS_NOT_INITIALIZED);
}

int main() {
    cublasHandle_t h;
    OK(cublasCreate(&h));
    for (cublasOperation_t op_a : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (cublasOperation_t op_b : {CUBLAS_OP_N, CUBLAS_OP_T})
            check_gemm(h, op_a, op_b);
    check_beta_zero(h);
    check_half(h);
    check_level_2(h);
    check_level_1(h);
    check_rest(h, 1.0f);
    check_rest(h, 1.0);
    check_stream(h);
    check_copies();
    check_statuses(h);
    OK(cublasDestroy(h));
    printf("%s\n", failures ? "FAILED" : "all is well");
    return failures != 0;
}
