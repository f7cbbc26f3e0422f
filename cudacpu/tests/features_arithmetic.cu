/* features_arithmetic.cu - arithmetic of device code: functions, vector types, casts, atomics. */
#include "device_words.h"
#include <cuComplex.h>
#include <fenv.h>

static __global__ void arithmetic(int *p, const float *in) {
    float a = __ldg(in), b = __ldg(in + 1);
    p[0] = min(3, -2);
    p[1] = max(3, -2);
    p[2] = (int)min(2.5f, 7.0f) + (int)max(1.5, 9.0);
    p[3] = (int)min(3u, 4u);
    /* (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24, with one rounding alone */
    p[4] = __fmaf_rn(a, a, -b) == ldexpf(1.0f, -24);
    p[5] = fmaf(a, a, -b) == ldexpf(1.0f, -24);
    p[6] = a * a - b == 0; /* two roundings: not contracted */
    p[7] = __popc(0xf0f0u);
    p[8] = __clz(1);
    p[9] = __clz(0);
    p[10] = __ffs(8);
    p[11] = __float_as_int(1.0f);
    p[12] = (int)__int_as_float(0x40000000);
    p[13] = __popcll(0xffull << 30);
    p[14] = warpSize;
    p[15] = __dp4a((int)0x7f80ff01, (int)0x807f0203, 5); /* -127 * 128 - 128 * 127 - 2 + 3 + 5 */
    p[16] = (int)__byte_perm(0x83828180, 0x13121110, 0x9c70);
    p[17] = (int)(umin(7u, 0xffffffffu) + umax(0x80000000u, 1u));
    p[18] = llmin(-(1ll << 40), 3) == -(1ll << 40) && llmax(-(1ll << 40), 3) == 3;
    p[19] = ullmin(~0ull, 5) == 5 && ullmax(~0ull, 5) == ~0ull;
}
static const char *test_arithmetic() {
    START();
    float host[2] = {1 + 0x1p-12f, 1 + 0x1p-11f}, *in;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    arithmetic<<<1, 1>>>(device_words, in);
    FINISH();
    OK(cudaFree(in));
    const int expected[] = {
        -2, 3, 11, 3, 1, 1, 1, 8, 31, 32, 4, 0x3f800000, 2, 8, 32, -32506, (int)0x81101380};
    for (int i = 0; i < 17; i++)
        EXPECT(words[i] == expected[i]);
    EXPECT(words[17] == (int)0x80000007 && words[18] == 1 && words[19] == 1);
    return NULL;
}

static __global__ void vectors(float4 *p, const float4 *in) {
    float4 v = in[threadIdx.x];
    float2 w = make_float2(v.x, v.w);
    int3 k = make_int3(1, 2, 3);
    p[threadIdx.x] = make_float4(v.w + k.x, v.z + k.y, v.y + k.z, w.x + w.y);
}
static const char *test_vectors() {
    START();
    EXPECT(sizeof(float4) == 16 && alignof(float4) == 16 && sizeof(float3) == 12 &&
           alignof(float2) == 8);
    float4 host[8], *in;
    for (int i = 0; i < 8; i++)
        host[i] = make_float4(i, 10 + i, 20 + i, 30 + i);
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    vectors<<<1, 8>>>((float4 *)device_words, in);
    FINISH();
    OK(cudaFree(in));
    memcpy(host, words, sizeof host);
    for (int i = 0; i < 8; i++)
        EXPECT(host[i].x == 31 + i && host[i].y == 22 + i && host[i].z == 13 + i &&
               host[i].w == 30 + 2 * i);
    return NULL;
}

/* Words that are also read and written as vectors and as other types of their size: nvcc assumes no
 * strict aliasing. */
static __global__ void cast_words(const int *zero, int *p) {
    __shared__ int shared[4 * 64];
    int *own = shared + 4 * threadIdx.x;
    own[0] = *zero + 1, own[1] = 2, own[2] = 3, own[3] = 4;
    ((long long *)own)[0] += 10;
    own[0] += 100;
    float4 v = *(float4 *)own; /* the bits alone are moved */
    *(float4 *)own = make_float4(v.w, v.y, v.z, v.x);
    own[0] *= 2;
    *(int4 *)(p + 4 * threadIdx.x) = make_int4(own[0], own[1], own[2], own[3]);
}
static const char *test_casts() {
    START();
    cast_words<<<1, 64>>>(device_words + 256, device_words);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(words[4 * i] == 8 && words[4 * i + 1] == 2 && words[4 * i + 2] == 3 &&
               words[4 * i + 3] == 111);
    return NULL;
}

struct totals {
    double d; /* first: aligned */
    unsigned long long ull, ull_max;
    int i, sub, least, most, ored, xored, anded, exchanged;
    unsigned u, inc, dec;
    float f;
    unsigned cas;
};
static __global__ void atomics(totals *t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&t->i, i);
    atomicSub(&t->sub, 2);
    atomicAdd(&t->u, 3u);
    atomicAdd(&t->ull, 1ull << 33);
    atomicMax(&t->ull_max, (unsigned long long)i << 34);
    atomicAdd(&t->f, 0.5f);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
    atomicAdd(&t->d, 0.25);
#endif
    atomicMin(&t->least, -i);
    atomicMax(&t->most, i);
    atomicOr(&t->ored, 1 << (i % 31));
    atomicXor(&t->xored, i);
    atomicAnd(&t->anded, ~15);
    atomicExch(&t->exchanged, i + 1);
    atomicInc(&t->inc, 9u);
    atomicDec(&t->dec, 9u);
    unsigned old = t->cas, seen;
    while ((seen = atomicCAS(&t->cas, old, old + 5)) != old)
        old = seen;
}
static const char *test_atomics() {
    START();
    totals t;
    atomics<<<10, 100>>>((totals *)device_words);
    FINISH();
    memcpy(&t, words, sizeof t);
    EXPECT(t.i == 499500 && t.sub == -2000 && t.u == 3000 && t.ull == 1000ull << 33 &&
           t.ull_max == 999ull << 34);
    EXPECT(t.f == 500.0f);
    EXPECT(t.d == 250.0);
    EXPECT(t.least == -999 && t.most == 999 && t.ored == 0x7fffffff && t.xored == 0 &&
           t.anded == 0);
    EXPECT(t.exchanged >= 1 && t.exchanged <= 1000);
    EXPECT(t.inc == 0 && t.dec == 0 && t.cas == 5000);
    return NULL;
}

/* (3 + 4i), (1 - 2i) and numbers whose squares overflow; all results are whole. */
static __host__ __device__ void compute_complex(int *p) {
    const cuFloatComplex a = make_cuFloatComplex(3, 4), b = make_cuComplex(1, -2);
    const cuDoubleComplex c = cuComplexFloatToDouble(a), d = make_cuDoubleComplex(1, -2);
    const cuFloatComplex f[] = {cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuConjf(a),
                                cuCfmaf(a, b, a)};
    const cuDoubleComplex g[] = {cuCadd(c, d), cuCsub(c, d), cuCmul(c, d), cuConj(c),
                                 cuCfma(c, d, c)};
    for (int i = 0; i < 5; i++) {
        *p++ = (int)cuCrealf(f[i]) * 100 + (int)cuCimagf(f[i]);
        *p++ = (int)cuCreal(g[i]) * 100 + (int)cuCimag(g[i]);
    }
    const cuFloatComplex big = make_cuFloatComplex(3e30f, 4e30f), q = cuCdivf(big, big);
    const cuDoubleComplex wide = make_cuDoubleComplex(3e300, 4e300), r = cuCdiv(wide, wide);
    const cuFloatComplex back = cuComplexDoubleToFloat(cuCdiv(c, d));
    *p++ = fabsf(q.x - 1) + fabsf(q.y) < 1e-6f && fabs(r.x - 1) + fabs(r.y) < 1e-14;
    *p++ = fabsf(cuCabsf(big) - 5e30f) < 1e24f && fabs(cuCabs(wide) - 5e300) < 1e285;
    *p++ = fabsf(back.x + 1) + fabsf(back.y - 2) < 1e-6f;
}
static __global__ void complex_numbers(int *p) { compute_complex(p); }
/* Header: cuComplex.h; covers: `cuComplex`, `cuDoubleComplex` and all of their functions, on host
 * and device. */
static const char *test_complex() {
    static const int expected[] = {402, 402, 206, 206, 1098, 1098, 296, 296, 1402, 1402, 1, 1, 1};
    int host[13];
    compute_complex(host);
    START();
    complex_numbers<<<1, 1>>>(device_words);
    FINISH();
    EXPECT(memcmp(host, expected, sizeof expected) == 0);
    EXPECT(memcmp(words, expected, sizeof expected) == 0);
    return NULL;
}

static __global__ void divide_by_three(float *p) {
    __shared__ float one;
    one = 1;
    __syncthreads();
    p[threadIdx.x] = one / 3;
}
/* The host's rounding mode is not the device's. */
static const char *test_rounding() {
    START();
    fesetround(FE_DOWNWARD);
    divide_by_three<<<4, 32>>>((float *)device_words);
    const cudaError_t error = cudaDeviceSynchronize();
    const int mode = fegetround();
    fesetround(FE_TONEAREST);
    OK(error);
    FINISH();
    EXPECT(mode == FE_DOWNWARD);
    for (int i = 0; i < 32; i++)
        EXPECT(words[i] == 0x3eaaaaab);
    return NULL;
}

extern "C" const conformance_case arithmetic_features[] = {{"arithmetic", test_arithmetic},
                                                           {"vector types", test_vectors},
                                                           {"casts to vectors", test_casts},
                                                           {"atomics", test_atomics},
                                                           {"complex numbers", test_complex},
                                                           {"rounding mode", test_rounding},
                                                           {NULL, NULL}};
