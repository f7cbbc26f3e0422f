/* half.cu - __half and __nv_bfloat16: conversions of all 65536 patterns, roundings, arithmetic,
 * comparisons, and pairs. Results are exact, so hashes say whether two devices agree; what a host
 * function can say in double is compared with it.
 *
 * Header: cuda_fp16.h, cuda_bf16.h; covers: types, conversions, intrinsics and pairs, each rounded
 * once, as a GPU does; not: caching hints. */
#include "ptx_test.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <math.h>
#include <string.h>

enum { PATTERNS = 65536, PAIRS = 1 << 18 };

/* What differs between the two types is only the name. */
struct half_names {
    typedef __half number;
    typedef __half2 pair;
    static const char *name() { return "half"; }
    static __device__ __half of_bits(unsigned short bits) { return __ushort_as_half(bits); }
    static __device__ unsigned short bits_of(__half x) { return __half_as_ushort(x); }
    static __device__ float value(__half x) { return __half2float(x); }
    static __device__ __half rn(float x) { return __float2half(x); }
    static __device__ __half rz(float x) { return __float2half_rz(x); }
    static __device__ __half ru(float x) { return __float2half_ru(x); }
    static __device__ __half rd(float x) { return __float2half_rd(x); }
    static __device__ __half of_double(double x) { return __double2half(x); }
    static __device__ __half of_int(int x) { return __int2half_rn(x); }
    static __device__ __half of_int_rz(int x) { return __int2half_rz(x); }
    static __device__ __half of_ull(unsigned long long x) { return __ull2half_rn(x); }
    static __device__ __half of_ll_ru(long long x) { return __ll2half_ru(x); }
    static __device__ int to_int_rn(__half x) { return __half2int_rn(x); }
    static __device__ int to_int_rz(__half x) { return __half2int_rz(x); }
    static __device__ unsigned to_uint_ru(__half x) { return __half2uint_ru(x); }
    static __device__ short to_short_rd(__half x) { return __half2short_rd(x); }
    static __device__ long long to_ll_rn(__half x) { return __half2ll_rn(x); }
    static __device__ __half2 make_pair(__half x, __half y) { return __halves2half2(x, y); }
    static __device__ __half low(__half2 x) { return __low2half(x); }
    static __device__ __half high(__half2 x) { return __high2half(x); }
};
struct bfloat16_names {
    typedef __nv_bfloat16 number;
    typedef __nv_bfloat162 pair;
    static const char *name() { return "bfloat16"; }
    static __device__ number of_bits(unsigned short bits) { return __ushort_as_bfloat16(bits); }
    static __device__ unsigned short bits_of(number x) { return __bfloat16_as_ushort(x); }
    static __device__ float value(number x) { return __bfloat162float(x); }
    static __device__ number rn(float x) { return __float2bfloat16(x); }
    static __device__ number rz(float x) { return __float2bfloat16_rz(x); }
    static __device__ number ru(float x) { return __float2bfloat16_ru(x); }
    static __device__ number rd(float x) { return __float2bfloat16_rd(x); }
    static __device__ number of_double(double x) { return __double2bfloat16(x); }
    static __device__ number of_int(int x) { return __int2bfloat16_rn(x); }
    static __device__ number of_int_rz(int x) { return __int2bfloat16_rz(x); }
    static __device__ number of_ull(unsigned long long x) { return __ull2bfloat16_rn(x); }
    static __device__ number of_ll_ru(long long x) { return __ll2bfloat16_ru(x); }
    static __device__ int to_int_rn(number x) { return __bfloat162int_rn(x); }
    static __device__ int to_int_rz(number x) { return __bfloat162int_rz(x); }
    static __device__ unsigned to_uint_ru(number x) { return __bfloat162uint_ru(x); }
    static __device__ short to_short_rd(number x) { return __bfloat162short_rd(x); }
    static __device__ long long to_ll_rn(number x) { return __bfloat162ll_rn(x); }
    static __device__ pair make_pair(number x, number y) { return __halves2bfloat162(x, y); }
    static __device__ number low(pair x) { return __low2bfloat16(x); }
    static __device__ number high(pair x) { return __high2bfloat16(x); }
};

/* Of one pattern. A case's results are 64 bits each. */
template <class names> static __device__ uint64_t of_one(int operation, unsigned short bits) {
    const typename names::number x = names::of_bits(bits);
    switch (operation) {
    case 0:
        return __float_as_uint(names::value(x));
    case 1:
        return (uint32_t)names::to_int_rn(x);
    case 2:
        return (uint32_t)names::to_int_rz(x);
    case 3:
        return names::to_uint_ru(x);
    case 4:
        return (uint16_t)names::to_short_rd(x);
    case 5:
        return (uint64_t)names::to_ll_rn(x);
    case 6:
        return names::bits_of(hfloor(x)) | (uint64_t)names::bits_of(hceil(x)) << 16;
    case 7:
        return names::bits_of(hrint(x)) | (uint64_t)names::bits_of(htrunc(x)) << 16;
    case 8:
        return names::bits_of(hsqrt(x));
    case 9:
        return names::bits_of(__hneg(x)) | (uint64_t)names::bits_of(__habs(x)) << 16;
    default:
        return (uint64_t)__hisnan(x) | (uint64_t)(uint32_t)__hisinf(x) << 32;
    }
}
static const char *const NAMES_OF_ONE[] = {"to_float",    "to_int_rn", "to_int_rz",  "to_uint_ru",
                                           "to_short_rd", "to_ll_rn",  "floor.ceil", "rint.trunc",
                                           "sqrt",        "neg.abs",   "isnan.isinf"};

/* Of 64 random bits: a float, a double (which NaN a NaN of double becomes is not documented), or an
 * integer. */
template <class names> static __device__ uint64_t from_bits(int operation, uint64_t bits) {
    const float x = __uint_as_float((uint32_t)bits);
    const double wide = __longlong_as_double((long long)bits);
    switch (operation) {
    case 0:
        return names::bits_of(names::rn(x));
    case 1:
        return names::bits_of(names::rz(x));
    case 2:
        return names::bits_of(names::ru(x));
    case 3:
        return names::bits_of(names::rd(x));
    case 4:
        return names::bits_of(names::of_double(isnan(wide) ? 0 : wide));
    case 5:
        return names::bits_of(names::of_int((int)bits));
    case 6:
        return names::bits_of(names::of_int_rz((int)bits));
    case 7:
        return names::bits_of(names::of_ull(bits));
    default:
        return names::bits_of(names::of_ll_ru((long long)bits));
    }
}
static const char *const NAMES_FROM_BITS[] = {"float_rn", "float_rz", "float_ru",
                                              "float_rd", "double",   "int_rn",
                                              "int_rz",   "ull_rn",   "ll_ru"};

/* Of three numbers in 48 bits. _rn: not contracted with what follows. */
template <class names> static __device__ uint64_t of_three(int operation, uint64_t bits) {
    typedef typename names::number number;
    const number x = names::of_bits((unsigned short)bits),
                 y = names::of_bits((unsigned short)(bits >> 16)),
                 z = names::of_bits((unsigned short)(bits >> 32));
    const typename names::pair p = names::make_pair(x, y), q = names::make_pair(y, z);
    switch (operation) {
    case 0:
        return names::bits_of(__hadd_rn(x, y));
    case 1:
        return names::bits_of(__hsub_rn(x, y));
    case 2:
        return names::bits_of(__hmul_rn(x, y));
    case 3:
        return names::bits_of(__hdiv(x, y));
    case 4:
        return names::bits_of(__hfma(x, y, z));
    case 5:
        return names::bits_of(__hadd_sat(x, y));
    case 6:
        return names::bits_of(__hfma_sat(x, y, z));
    case 7:
        return names::bits_of(__hfma_relu(x, y, z));
    case 8:
        return names::bits_of(__hmax(x, y)) | (uint64_t)names::bits_of(__hmin(x, y)) << 16;
    case 9:
        return names::bits_of(__hmax_nan(x, y)) | (uint64_t)names::bits_of(__hmin_nan(x, y)) << 16;
    case 10:
        return (uint64_t)(__heq(x, y) | __hne(x, y) << 1 | __hlt(x, y) << 2 | __hle(x, y) << 3 |
                          __hgt(x, y) << 4 | __hge(x, y) << 5 | __hequ(x, y) << 6 |
                          __hneu(x, y) << 7 | __hltu(x, y) << 8 | __hleu(x, y) << 9 |
                          __hgtu(x, y) << 10 | __hgeu(x, y) << 11 | (x != y) << 12 |
                          __hbeq2(p, q) << 13 | __hbneu2(p, q) << 14);
    case 11: {
        const typename names::pair sum = __hadd2_rn(p, q), product = __hmul2_rn(p, q),
                                   least = __hmin2(p, q), less = __hlt2(p, q);
        return names::bits_of(names::low(sum)) ^ names::bits_of(names::high(product)) << 16 ^
               (uint64_t)names::bits_of(names::low(least)) << 32 ^
               (uint64_t)names::bits_of(names::high(less)) << 48;
    }
    default: {
        const typename names::pair r = __hfma2(p, q, __lowhigh2highlow(p));
        return names::bits_of(names::low(r)) | (uint64_t)names::bits_of(names::high(r)) << 16;
    }
    }
}
static const char *const NAMES_OF_THREE[] = {
    "add",         "sub",     "mul",      "div",     "fma",
    "add_sat",     "fma_sat", "fma_relu", "max.min", "max_nan.min_nan",
    "comparisons", "pairs",   "fma2"};

template <class names>
static __global__ void kernel(int kind, int operation, const uint64_t *input, uint64_t *result) {
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    result[i] = kind == 0   ? of_one<names>(operation, (unsigned short)i)
                : kind == 1 ? from_bits<names>(operation, input[i])
                            : of_three<names>(operation, input[i]);
}

static uint64_t input[PAIRS], result[PAIRS];

/* Half of the numbers are near each other, so that sums have ties and cancel. */
static void fill_input(void) {
    for (int i = 0; i < PAIRS; i++) {
        input[i] = (uint64_t)random_bits() << 32 | random_bits();
        if (i % 4 == 1) /* similar exponents */
            input[i] = (input[i] & 0x83ff83ff83ff83ffu) | 0x3c003c003c003c00u;
        else if (i % 4 == 2) /* few bits: ties, zeros, infinities */
            input[i] &= 0xffc0ffc0ffc0ffc0u;
        else if (i % 4 == 3) /* numbers of a float and of integers that have to be rounded */
            input[i] >>= random_bits() % 64;
    }
}

template <class names> static void test(int kind, int operation, const char *operation_name) {
    const int count = kind == 0 ? PATTERNS : PAIRS;
    void *const d_input = to_device(input, sizeof input), *const d_result =
                                                              to_device(NULL, sizeof result);
    kernel<names><<<(unsigned)count / 256, 256>>>(kind, operation, (const uint64_t *)d_input,
                                                  (uint64_t *)d_result);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(
        cudaMemcpy(result, d_result, (size_t)count * sizeof *result, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_input));
    CUDA_CHECK(cudaFree(d_result));
    char name[80];
    snprintf(name, sizeof name, "%s.%s", names::name(), operation_name);
    report_exact(name, result, (size_t)count * sizeof *result, 0);
}

template <class names> static void test_all(void) {
    for (int i = 0; i < (int)(sizeof NAMES_OF_ONE / sizeof *NAMES_OF_ONE); i++)
        test<names>(0, i, NAMES_OF_ONE[i]);
    for (int i = 0; i < (int)(sizeof NAMES_FROM_BITS / sizeof *NAMES_FROM_BITS); i++)
        test<names>(1, i, NAMES_FROM_BITS[i]);
    for (int i = 0; i < (int)(sizeof NAMES_OF_THREE / sizeof *NAMES_OF_THREE); i++)
        test<names>(2, i, NAMES_OF_THREE[i]);
}

/* Answers that are known, among them those that a rounding in two steps misses. */
static __global__ void known_kernel(uint32_t *wrong) {
    const struct {
        unsigned short got, expected;
    } known[] = {
        {__half_as_ushort(__float2half(65519.0f)), 0x7bff},
        {__half_as_ushort(__float2half(65520.0f)), 0x7c00},
        {__half_as_ushort(__float2half_rz(1e9f)), 0x7bff},
        {__half_as_ushort(__float2half(0x1p-25f)), 0x0000},
        {__half_as_ushort(__float2half(0x1.000002p-25f)), 0x0001},
        {__half_as_ushort(__float2half_ru(0x1p-40f)), 0x0001},
        {__half_as_ushort(__float2half_rd(-0x1p-40f)), 0x8001},
        {__half_as_ushort(__double2half(1 + 0x1p-11 + 0x1p-40)), 0x3c01}, /* float: a tie */
        {__half_as_ushort(__ll2half_rn(2049)), 0x6800},
        {__half_as_ushort(__ll2half_rn(2051)), 0x6802},
        {__half_as_ushort(__hfma(__float2half(1.5f), __float2half(-2.0f), __float2half(3.0f))),
         0x0000},
        {__bfloat16_as_ushort(__float2bfloat16(1.00390625f)), 0x3f80}, /* ties */
        {__bfloat16_as_ushort(__float2bfloat16(1.01171875f)), 0x3f82},
        {__bfloat16_as_ushort(__float2bfloat16(3.4e38f)), 0x7f80},
        {__bfloat16_as_ushort(__ull2bfloat16_rn(0x8080000000000001u)), 0x5f01}, /* double: a tie */
        /* 1.0625 * 1.0625 = 1.12890625, a tie, and the least that there is */
        {__bfloat16_as_ushort(__hfma(__float2bfloat16(1.0625f), __float2bfloat16(1.0625f),
                                     __float2bfloat16(0x1p-133f))),
         0x3f91},
        {__bfloat16_as_ushort(__hfma(__float2bfloat16(1.0625f), __float2bfloat16(1.0625f),
                                     __float2bfloat16(-0x1p-133f))),
         0x3f90},
    };
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].got != known[i].expected)
            *wrong |= 1u << i;
}

int main(void) {
    uint32_t wrong = 0;
    void *const d_wrong = to_device(&wrong, sizeof wrong);
    known_kernel<<<1, 1>>>((uint32_t *)d_wrong);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&wrong, d_wrong, sizeof wrong, cudaMemcpyDeviceToHost));
    report_exact("known", &wrong, sizeof wrong, (size_t)__builtin_popcount(wrong));
    if (wrong)
        fprintf(stderr, "wrong ones of the known answers: 0x%x\n", wrong);
    fill_input();
    test_all<half_names>();
    test_all<bfloat16_names>();
    return report_end();
}
