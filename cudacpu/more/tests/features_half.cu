/* features_half.cu - products by a warp of half, bfloat16, tf32 and double; atomics on half. Sums
 * of small integers are exact whatever the order, so all devices agree on them;
 * cudacpu/tests/ptx/half.cu has the conversions. */
#include "device_words.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <math.h>
#include <mma.h>
using namespace nvcuda;

/* Devices before compute capability 8.0 multiply half alone. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
enum { MULTIPLIES_ALL = 1 };
#else
enum { MULTIPLIES_ALL = 0 };
namespace nvcuda::wmma::precision {
struct tf32; /* which is not declared there */
}
#endif

/* What memory holds of a fragment's type. */
template <class T> struct memory_of { typedef T type; };
template <> struct memory_of<wmma::precision::tf32> { typedef float type; };

/* D = A B + C by a warp; C has the layout of D. */
template <int m, int n, int k, class T, class C, class D, class layout_a, class layout_b>
static __global__ void warp_product(const typename memory_of<T>::type *a,
                                    const typename memory_of<T>::type *b, const C *c, D *d,
                                    wmma::layout_t layout) {
    if constexpr (MULTIPLIES_ALL || std::is_same<T, __half>::value) {
        wmma::fragment<wmma::matrix_a, m, n, k, T, layout_a> left;
        wmma::fragment<wmma::matrix_b, m, n, k, T, layout_b> right;
        wmma::fragment<wmma::accumulator, m, n, k, C> old;
        wmma::fragment<wmma::accumulator, m, n, k, D> sum;
        const int ld = layout == wmma::mem_row_major ? n : m;
        wmma::load_matrix_sync(left, a, std::is_same<layout_a, wmma::row_major>::value ? k : m);
        wmma::load_matrix_sync(right, b, std::is_same<layout_b, wmma::row_major>::value ? n : k);
        wmma::load_matrix_sync(old, c, ld, layout);
        wmma::fill_fragment(sum, (D)0.0f);
        wmma::mma_sync(sum, left, right, old);
        for (int i = 0; i < sum.num_elements; i++)
            sum.x[i] = (D)(sum.x[i] + sum.x[i]);
        wmma::store_matrix_sync(d, sum, ld, layout);
    }
}

template <int m, int n, int k, class T, class C, class D, class layout_a, class layout_b>
static const char *try_product(wmma::layout_t layout) {
    typedef typename memory_of<T>::type stored;
    const bool rows_a = std::is_same<layout_a, wmma::row_major>::value;
    const bool rows_b = std::is_same<layout_b, wmma::row_major>::value;
    static stored host_a[512], host_b[512], *a, *b;
    static C host_c[512], *c;
    static D host_d[512], *d;
    for (int i = 0; i < 512; i++) {
        host_a[i] = (stored)(float)(i * 37 % 11 - 5);
        host_b[i] = (stored)(float)(i * 91 % 13 - 6);
        host_c[i] = (C)(float)(i % 17);
    }
    OK(cudaMalloc(&a, sizeof host_a));
    OK(cudaMalloc(&b, sizeof host_b));
    OK(cudaMalloc(&c, sizeof host_c));
    OK(cudaMalloc(&d, sizeof host_d));
    OK(cudaMemcpy(a, host_a, sizeof host_a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, host_b, sizeof host_b, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(c, host_c, sizeof host_c, cudaMemcpyHostToDevice));
    warp_product<m, n, k, T, C, D, layout_a, layout_b><<<1, 32>>>(a, b, c, d, layout);
    OK(cudaGetLastError());
    OK(cudaMemcpy(host_d, d, m * n * sizeof(D), cudaMemcpyDeviceToHost));
    OK(cudaFree(a));
    OK(cudaFree(b));
    OK(cudaFree(c));
    OK(cudaFree(d));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const int at = layout == wmma::mem_row_major ? i * n + j : j * m + i;
            double sum = (double)(float)host_c[at];
            for (int l = 0; l < k; l++)
                sum += (double)(float)host_a[rows_a ? i * k + l : l * m + i] *
                       (double)(float)host_b[rows_b ? l * n + j : j * k + l];
            EXPECT((double)(float)host_d[at] == 2 * sum);
        }
    return NULL;
}

/* Header: mma.h; covers: half (16x16x16, 32x8x16, 8x32x16). */
static const char *test_half() {
    using namespace wmma;
    const char *problem =
        try_product<16, 16, 16, __half, float, float, row_major, col_major>(mem_row_major);
    if (!problem)
        problem =
            try_product<32, 8, 16, __half, __half, __half, col_major, row_major>(mem_col_major);
    if (!problem)
        problem =
            try_product<8, 32, 16, __half, __half, float, row_major, row_major>(mem_row_major);
    return problem ? problem
                   : try_product<16, 16, 16, __half, float, __half, col_major, col_major>(
                         mem_col_major);
}
/* Header: mma.h; covers: bfloat16 (the same), tf32 (16x16x8), double (8x8x4). */
static const char *test_others() {
    using namespace wmma;
    cudaDeviceProp device;
    OK(cudaGetDeviceProperties(&device, 0));
    if (device.major < 8)
        return NULL;
    const char *problem =
        try_product<16, 16, 16, __nv_bfloat16, float, float, row_major, row_major>(mem_col_major);
    if (!problem)
        problem = try_product<32, 8, 16, __nv_bfloat16, float, float, col_major, row_major>(
            mem_row_major);
    if (!problem)
        problem = try_product<8, 32, 16, __nv_bfloat16, float, float, row_major, col_major>(
            mem_row_major);
    if (!problem)
        problem = try_product<16, 16, 8, precision::tf32, float, float, row_major, col_major>(
            mem_row_major);
    return problem
               ? problem
               : try_product<8, 8, 4, double, double, double, row_major, col_major>(mem_row_major);
}

static __global__ void to_tf32(const float *x, int *p) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    p[threadIdx.x] = __float_as_int(wmma::__float_to_tf32(x[threadIdx.x]));
#endif
}
/* 10 bits of fraction, ties away from zero. */
static const char *test_tf32() {
    const float x[] = {1.0f, 1 + 0x1p-10f, 1 + 0x1p-11f, 1 + 0x1p-12f, -1 - 0x1p-11f, 0, 3e38f};
    const float expected[] = {1.0f, 1 + 0x1p-10f, 1 + 0x1p-10f, 1, -1 - 0x1p-10f, 0, 0};
    float *device;
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, 0));
    if (properties.major < 8)
        return NULL;
    START();
    OK(cudaMalloc(&device, sizeof x));
    OK(cudaMemcpy(device, x, sizeof x, cudaMemcpyHostToDevice));
    to_tf32<<<1, 6>>>(device, device_words);
    FINISH();
    OK(cudaFree(device));
    EXPECT(memcmp(words, expected, 6 * sizeof(float)) == 0);
    return NULL;
}

static __global__ void add_halves(__half *p, __half2 *q) {
    atomicAdd(p, __float2half(1.0f));
    atomicAdd(q, __floats2half2_rn(1.0f, 2.0f));
}
static __global__ void add_bfloat16(__nv_bfloat16 *p, __nv_bfloat162 *q) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    atomicAdd(p, __float2bfloat16(1.0f));
    atomicAdd(q, __floats2bfloat162_rn(1.0f, 2.0f));
#endif
}
/* Header: cuda_fp16.h, cuda_bf16.h; covers: atomic additions, of pairs too. */
static const char *test_atomics() {
    START();
    add_halves<<<2, 64>>>((__half *)device_words, (__half2 *)(device_words + 1));
    add_bfloat16<<<2, 64>>>((__nv_bfloat16 *)(device_words + 2),
                            (__nv_bfloat162 *)(device_words + 3));
    cudaDeviceProp device;
    OK(cudaGetDeviceProperties(&device, 0));
    FINISH();
    const __half *sums = (const __half *)words;
    const __nv_bfloat16 *others = (const __nv_bfloat16 *)(words + 2);
    EXPECT(__half2float(sums[0]) == 128.0f);
    EXPECT(__half2float(sums[2]) == 128.0f && __half2float(sums[3]) == 256.0f);
    if (device.major >= 8)
        for (int i = 0; i < 4; i++)
            EXPECT(__bfloat162float(others[i]) == (i == 3 ? 256.0f : i == 1 ? 0.0f : 128.0f));
    return NULL;
}

/* Each operator on small numbers, whose results are exact. */
template <class T> static __global__ void operators(int *p) {
    T x = (T)3.0f, y = (T)2.0f, results[] = {x + y, x - y, x * y, x / y, -x, x};
    results[5] += y;
    results[5] *= x;
    for (int i = 0; i < 6; i++)
        p[i] = (int)(2 * (float)results[i]);
    p[6] = (x > y) + (x >= y) * 2 + (x < y) * 4 + (x <= y) * 8 + (x == y) * 16 + (x != y) * 32;
}
template <class T> static const char *try_operators() {
    static const int expected[] = {10, 2, 12, 3, -6, 30, 35};
    START();
    operators<T><<<1, 1>>>(device_words);
    FINISH();
    EXPECT(memcmp(words, expected, sizeof expected) == 0);
    return NULL;
}
/* Header: cuda_fp16.h, cuda_bf16.h; covers: operators. */
static const char *test_operators() {
    const char *problem = try_operators<__half>();
    return problem ? problem : try_operators<__nv_bfloat16>();
}

template <class T> static __global__ void functions(int *p) {
    const T x = (T)(0.25f * (float)(threadIdx.x + 1));
    const T results[] = {hexp(x), hexp2(x), hlog(x), hlog2(x), hsin(x), hcos(x), hrsqrt(x)};
    for (int i = 0; i < 7; i++)
        p[7 * threadIdx.x + i] = __float_as_int((float)results[i]);
}
/* Within two steps of the type, whose fraction has so many bits. */
template <class T> static const char *try_functions(int bits) {
    START();
    functions<T><<<1, 16>>>(device_words);
    FINISH();
    for (int i = 0; i < 16 * 7; i++) {
        const double x = 0.25 * (i / 7 + 1);
        const double expected[] = {exp(x), exp2(x), log(x), log2(x), sin(x), cos(x), 1 / sqrt(x)};
        float got;
        memcpy(&got, &words[i], sizeof got);
        EXPECT(fabs(got - expected[i % 7]) <= ldexp(fmax(fabs(expected[i % 7]), 0x1p-4), 1 - bits));
    }
    return NULL;
}
/* Header: cuda_fp16.h, cuda_bf16.h; covers: what a GPU approximates (`hexp`, `hlog`, ...), rounded
 * from double. */
static const char *test_functions() {
    const char *problem = try_functions<__half>(10);
    return problem ? problem : try_functions<__nv_bfloat16>(7);
}

static __global__ void convert_eights(int *p) {
    const unsigned char code = (unsigned char)threadIdx.x;
    __nv_fp8_e4m3 a;
    __nv_fp8_e5m2 b;
    a.__x = b.__x = code;
    p[code] = __nv_fp8_e4m3((float)a).__x | __nv_fp8_e5m2((double)(float)b).__x << 8 |
              __nv_fp8_e4m3((__half)a).__x << 16 | __nv_fp8_e5m2((__half)b).__x << 24;
    if (code > 0)
        return;
    int *r = p + 256;
    const float values[] = {448,      464,        465,     -1e9f, 0x1p-9f,
                            0x1p-10f, 0x1.8p-10f, 1.0625f, 57344, 61440};
    for (float value : values) {
        *r++ = __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
        *r++ = __nv_cvt_float_to_fp8(value, __NV_NOSAT, __NV_E4M3);
        *r++ = __nv_cvt_float_to_fp8(value, __NV_NOSAT, __NV_E5M2);
    }
    const __nv_fp8x4_e4m3 four(make_float4(1, -2, 0.3f, 1000));
    const float4 back = (float4)four;
    *r++ = (int)four.__x;
    *r++ = (int)(back.x + back.y * 16 + back.w);
    *r++ = (int)__nv_fp8x2_e5m2(__floats2half2_rn(3, 5)).__x;
    *r++ = (int)__nv_fp8_e4m3(-17) + (int)(unsigned)__nv_fp8_e5m2(-3.0f);
}
/* Header: cuda_fp8.h; covers: e4m3 and e5m2, of one, two and four, stored and converted, each
 * rounded once; not: e8m0, products. */
static const char *test_eights() {
    START();
    convert_eights<<<1, 256>>>(device_words);
    FINISH();
    for (int i = 0; i < 256; i++) {
        const unsigned a = (i & 0x7f) > 0x7e ? 0x7f : i, b = (i & 0x7f) > 0x7c ? 0x7f : i,
                       inside = b == 0x7c || b == 0xfc ? b - 1 : b;
        EXPECT((unsigned)words[i] == (a | inside << 8 | a << 16 | inside << 24));
    }
    static const int expected[] = {
        0x7e, 0x7e, 0x5f, 0x7e, 0x7e, 0x5f, 0x7e,       0x7f,         0x5f,   0xfe, 0xff, 0xfc,
        0x01, 0x01, 0x18, 0x00, 0x00, 0x14, 0x01,       0x01,         0x16,   0x38, 0x38, 0x3c,
        0x7e, 0x7f, 0x7b, 0x7e, 0x7f, 0x7c, 0x7e2ac038, 1 - 32 + 448, 0x4542, -16};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        EXPECT(words[256 + i] == expected[i]);
    return NULL;
}

extern "C" const conformance_case half_features[] = {
    {"warp products of half", test_half},
    {"warp products of bfloat16, tf32 and double", test_others},
    {"rounding to tf32", test_tf32},
    {"atomics on half", test_atomics},
    {"operators of half and bfloat16", test_operators},
    {"functions of half and bfloat16", test_functions},
    {"numbers of 8 bits", test_eights},
    {NULL, NULL}};
