/* features_rare.cu - device functions and PTX instructions of one thread that few programs use:
 * directed rounding, special functions, packed integers, DPX; against values that follow from their
 * definition. */
#include "device_words.h"
#include <math.h>
#include <stdint.h>

static __global__ void round_directed(int *p, float third, double tenth) {
    /* 1 + 2^-30 lies between 1 and its neighbour; so does 1 - 2^-30 */
    p[0] = __fadd_rd(1.0f, 0x1p-30f) == 1 && __fadd_ru(1.0f, 0x1p-30f) == 1 + 0x1p-23f;
    p[1] = __fadd_rz(1.0f, -0x1p-30f) == 1 - 0x1p-24f && __fsub_ru(1.0f, 0x1p-30f) == 1;
    p[2] = __fadd_rz(-1.0f, 0x1p-30f) == -(1 - 0x1p-24f) && __fadd_rd(2, 3) == 5;
    p[3] = __fmul_ru(third, 3.0f) >= 1 && __fmul_rd(third, 3.0f) <= 1.00000012f &&
           __fmul_ru(third, third) == nextafterf(__fmul_rz(third, third), 1.0f);
    p[4] = __fdiv_ru(1, 3) == nextafterf(__fdiv_rd(1, 3), 1.0f) && __fdiv_rz(6, 3) == 2;
    p[5] = __fsqrt_ru(2) == nextafterf(__fsqrt_rd(2), 2.0f) && __fsqrt_rz(9) == 3;
    p[6] = __dadd_ru(1, 0x1p-80) == nextafter(1.0, 2.0) && __dadd_rd(1, 0x1p-80) == 1;
    p[7] = __dmul_ru(tenth, tenth) == nextafter(__dmul_rd(tenth, tenth), 1.0);
    p[8] = __ddiv_rd(-1, 3) < __ddiv_ru(-1, 3) && __dsqrt_rz(4) == 2;
    p[9] = __fma_ru(1, 1, 0x1p-80) > 1 && __fmaf_rd(1, 1, 0x1p-40f) == 1;
    p[10] = __double2float_ru(1 + 0x1p-40) > 1 && __double2float_rz(-1 - 0x1p-40) == -1;
    p[11] = __int2float_rz(0x7fffffff) == 2147483520.0f && __int2float_ru(0x7fffffff) == 0x1p31f;
    p[12] = __fadd_rz(3e38f, 3e38f) == 3.40282347e38f && isinf(__fadd_ru(3e38f, 3e38f));
}
/* Header: cuda_runtime.h; covers: arithmetic with directed rounding, such as `__fadd_rd`. */
static const char *test_directed() {
    START();
    round_directed<<<1, 1>>>(device_words, 0.333333343f, 0.1);
    FINISH();
    for (int i = 0; i < 13; i++)
        EXPECT(words[i] == 1);
    return NULL;
}

static __global__ void special(int *p, float one) {
    const float x = 0.3f * one, y = 1e-5f * one;
    p[0] = fabsf(erff(erfinvf(x)) - x) < 1e-6f && fabsf(erfcf(erfcinvf(y)) - y) < 1e-10f;
    p[1] = fabs(normcdf(normcdfinv(0.975 * one)) - 0.975) < 1e-14;
    p[2] = fabs(normcdfinv(0.975 * one) - 1.959963984540054) < 1e-13;
    p[3] = norm3df(2 * one, 3, 6) == 7 && norm4df(1, 1, 1, one) == 2 && rnorm3df(0, 3, 4) == 0.2f;
    p[4] = fabs(erfcx(1.0 * one) - 0.42758357615580700) < 1e-15;
    p[5] = fabsf(cyl_bessel_i0f(one) - 1.26606588f) < 1e-6f;
    p[6] = isinf(erfinvf(one)) && erfinvf(-x) == -erfinvf(x);
}
static __global__ void packed(int *p, unsigned a, unsigned b) { /* 0x7f80ff01, 0x01020304 */
    p[0] = (int)__vadd4(a, b);
    p[1] = (int)__vaddus4(a, b);
    p[2] = (int)__vaddss4(a, b);
    p[3] = (int)__vsub2(a, b);
    p[4] = (int)__vmaxu4(a, b);
    p[5] = (int)__vmins4(a, b);
    p[6] = (int)__vabsdiffu4(a, b);
    p[7] = (int)__vsadu4(a, b);
    p[8] = (int)__vcmpgtu4(a, b);
    p[9] = (int)__vavgu4(a, b);
    p[10] = __dp2a_lo((int)a, (int)b, 1); /* -255 * 4 + 32640 * 3 + 1 */
}
/* Header: cuda_runtime.h; covers: inverse error functions, norms, Bessel's I, packed integers such
 * as `__vadd4`. */
static const char *test_special() {
    START();
    special<<<1, 1>>>(device_words, 1);
    packed<<<1, 1>>>(device_words + 10, 0x7f80ff01, 0x01020304);
    FINISH();
    for (int i = 0; i < 7; i++)
        EXPECT(words[i] == 1);
    const unsigned expected[] = {0x80820205, 0x8082ff05, 0x7f820205, 0x7e7efbfd, 0x7f80ff04,
                                 0x0180ff01, 0x7e7efc03, 0x1fb,      0xffffff00, 0x40418103};
    for (int i = 0; i < 10; i++)
        EXPECT((unsigned)words[10 + i] == expected[i]);
    EXPECT(words[20] == -255 * 4 + 32640 * 3 + 1);
    return NULL;
}

#define PTX2(index, instruction, type, x, y)                                                       \
    asm(instruction " %0, %1, %2;" : "=" type(p[index]) : type(x), type(y))
static __global__ void integers_by_ptx(int *p, int a, int b) { /* -7, 3 */
    PTX2(0, "mul.hi.s32", "r", a, b);
    PTX2(1, "mul.hi.u32", "r", a, b);
    asm("bfe.u32 %0, %1, 4, 8;" : "=r"(p[2]) : "r"(0x12345678));
    asm("bfe.s32 %0, %1, 0, 4;" : "=r"(p[3]) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 8, 4;" : "=r"(p[4]) : "r"(0xab), "r"(0x11111111));
    asm("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(p[5]) : "r"(0xff00), "r"(0x1234), "r"(0x5678));
    asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(p[6]) : "r"(0x12345678), "r"(0x0a));
    asm("popc.b32 %0, %1;" : "=r"(p[7]) : "r"(0xf0f0));
    asm("bfind.u32 %0, %1;" : "=r"(p[8]) : "r"(0x1000));
    asm("abs.s32 %0, %1;" : "=r"(p[9]) : "r"(a));
    long long wide;
    asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(wide) : "r"(a), "r"(1 << 30), "l"(5LL));
    p[10] = wide == -7LL * (1 << 30) + 5;
    unsigned low, high; /* the carry goes on to the next statement */
    asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(low) : "r"(0xffffffffu), "r"(2u));
    asm volatile("addc.u32 %0, %1, %2;" : "=r"(high) : "r"(10u), "r"(20u));
    p[11] = low == 1 && high == 31;
    asm("sub.cc.u32 %0, %2, %3; subc.u32 %1, %4, 0;"
        : "=&r"(low), "=r"(high)
        : "r"(1u), "r"(2u), "r"(7u));
    p[12] = low == 0xffffffff && high == 6;
    p[13] = 5;
    int old;
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(p + 13), "r"(3) : "memory");
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(p + 13), "r"(20) : "memory");
    p[14] = old;
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %3;"
                 : "=r"(old)
                 : "l"(p + 13), "r"(20), "r"(21)
                 : "memory");
    p[15] = old;
    asm volatile("atom.global.exch.b32 %0, [%1], %2;" : "=r"(p[16]) : "l"(p + 13), "r"(4));
    __shared__ int shared;
    shared = 9;
    const unsigned shared_at = (unsigned)__cvta_generic_to_shared(&shared);
    asm volatile("atom.shared.exch.b32 %0, [%1], %2;" : "=r"(p[17]) : "r"(shared_at), "r"(6));
    p[18] = shared;
    asm("mad24.lo.u32 %0, %1, 3, 1;" : "=r"(p[19]) : "r"(0x5000002));
}
/* What nvcc's assembler refuses or this GPU does not have, in functions that nobody calls. */
[[maybe_unused]] static __device__ __forceinline__ int all_of([[maybe_unused]] int predicate) {
    int result = 0;
    asm volatile("vote.sync.all.pred %0, %1, -1;" : "=r"(result) : "r"(predicate));
    return result;
}
[[maybe_unused]] static __device__ void fence_gpu() {
    asm volatile("membar.gpu; // \"not PTX\"" ::: "memory");
}
template <int N> static __device__ void fence_or_wait() {
    if constexpr (N == 0)
        asm volatile("tcgen05.fence::after_thread_sync;");
    else
        asm volatile("bar.sync 0;");
}
struct later_gpu {
    static __device__ void allocate([[maybe_unused]] unsigned at) {
        asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], 32;" ::"r"(at));
    }
};
static __global__ void use_one_of_them(int *p) {
    fence_or_wait<1>();
    p[threadIdx.x] = 1;
}
static __global__ void floats_by_ptx(int *p, float x) { /* 2.5 */
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    p[0] = fabsf(y - 0.4f) < 1e-6f;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    p[1] = fabsf(y - 5.65685425f) < 1e-5f;
    asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
    p[2] = fabsf(y - 0.98661430f) < 1e-3f;
    asm("max.f32 %0, %1, 3.0;" : "=f"(y) : "f"(x));
    p[3] = y == 3;
    asm("mul.f32 %0, %1, %1; add.f32 %0, %0, %1;" : "=&f"(y) : "f"(x));
    p[4] = y == 8.75f;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(p[5]) : "f"(1 + 0x1p-11f));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p[6]) : "f"(1.0f), "f"(-2.0f));
    asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(p[7]) : "f"(-x));
    asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(p[8]) : "r"(p[6])); /* 1 * 1 + 1, 2 * 2 - 2 */
}
/* __device__ first, as it is written most often. */
__device__ __forceinline__ int own_lane() {
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
static __global__ void shuffles_by_ptx(int *p) {
    const int lane = own_lane();
    int sum = lane + 1;
    for (int by = 1; by < 32; by *= 2) /* a scan */
        asm volatile("{.reg .s32 r; .reg .pred q; shfl.sync.up.b32 r|q, %0, %1, 0, 0xffffffff;\n"
                     "@q add.s32 %0, %0, r;}"
                     : "+r"(sum)
                     : "r"(by));
    int other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, 5, 0x1f, 0xffffffff;" : "=r"(other) : "r"(lane));
    float far = lane + 0.5f; /* .b32 is a float, too */
    asm volatile("shfl.sync.idx.b32 %0, %0, 9, 0x1f, 0xffffffff;" : "+f"(far));
    p[lane] = far == 9.5f ? sum * 100 + other : -1;
}
/* Threads leave within a function; the others go on without them. */
static __device__ int leave_from(int lane, int first) {
    if (lane >= first)
        asm volatile("exit;");
    return lane;
}
static __global__ void leave(int *p) {
    p[leave_from((int)threadIdx.x, 20)] = 7;
    unsigned votes;
    asm volatile("{.reg .pred q; setp.lt.u32 q, %1, 4; vote.ballot.sync.b32 %0, q, 0xfffff;}"
                 : "=r"(votes)
                 : "r"(threadIdx.x));
    p[32 + threadIdx.x] = (int)votes;
}
static __global__ void rounded_by_ptx(int *p, float third, float small, double one) {
    float x;
    double y;
    asm("mul.rz.f32 %0, %1, %1;" : "=f"(x) : "f"(third));
    p[0] = __float_as_int(x) - __float_as_int(__fmul_rz(third, third));
    asm("fma.rz.f32 %0, %1, %2, %3;" : "=f"(x) : "f"(third), "f"(third), "f"(small));
    p[1] = __float_as_int(x) - __float_as_int(__fmaf_rz(third, third, small));
    asm("add.rp.f32 %0, 1.0, %1;" : "=f"(x) : "f"(small));
    p[2] = x > 1;
    asm("add.rm.f32 %0, 1.0, %1;" : "=f"(x) : "f"(small));
    p[3] = x == 1;
    asm("div.rm.f64 %0, %1, 3.0;" : "=d"(y) : "d"(one));
    p[4] = y == __ddiv_rd(one, 3) && y < __ddiv_ru(one, 3);
    asm("vshl.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(p[5]) : "r"(3), "r"(4), "r"(5));
    asm("vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;" : "=r"(p[6]) : "r"(300), "r"(40), "r"(5));
    asm("vshr.u32.u32.u32.wrap.add %0, %1, %2, %3;" : "=r"(p[7]) : "r"(300), "r"(34), "r"(5));
    asm("vadd.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(p[8]) : "r"(-3), "r"(4), "r"(5));
}
/* Header: cuda_runtime.h; covers: PTX of one thread: integers, carries, bits, floats and how they
 * are rounded, conversions, atomics, shuffles, exit (a function that nobody calls may have other
 * PTX, if it is inline, static, a template or a class's); not: flushing of subnormal numbers, ret,
 * video instructions but sums and shifts of words. */
static const char *test_ptx() {
    START();
    integers_by_ptx<<<1, 1>>>(device_words, -7, 3);
    use_one_of_them<<<1, 32>>>(device_words + 320);
    floats_by_ptx<<<1, 1>>>(device_words + 100, 2.5f);
    shuffles_by_ptx<<<1, 32>>>(device_words + 200);
    rounded_by_ptx<<<1, 1>>>(device_words + 240, 1 / 3.0f, 1e-20f, 1);
    leave<<<1, 32>>>(device_words + 250);
    FINISH();
    const int expected[] = {-1, 2, 0x67, -7, 0x11111b11, 0x1278, 0xa12, 8, 12, 7,
                            1,  1, 1,    4,  5,          20,     21,    9, 6,  7};
    for (int i = 0; i < 20; i++)
        EXPECT(words[i] == expected[i]);
    EXPECT(words[320] == 1 && words[351] == 1);
    const int floats[] = {1, 1, 1, 1, 1, 0x3f802000, 0x3c00c000, -2, 0x40004000};
    for (int i = 0; i < 9; i++)
        EXPECT(words[100 + i] == floats[i]);
    for (int lane = 0; lane < 32; lane++)
        EXPECT(words[200 + lane] == (lane + 1) * (lane + 2) / 2 * 100 + (lane ^ 5));
    const int rounded[] = {0, 0, 1, 1, 1, 53, 5, 80, 6};
    for (int i = 0; i < 9; i++)
        EXPECT(words[240 + i] == rounded[i]);
    for (int lane = 0; lane < 32; lane++) {
        EXPECT(words[250 + lane] == (lane < 20 ? 7 : 0));
        EXPECT(words[282 + lane] == (lane < 20 ? 15 : 0));
    }
    return NULL;
}

/* Operands with sums that overflow, and equal ones. */
static __host__ __device__ unsigned draw(unsigned long long *seed) {
    *seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
    const unsigned r = (unsigned)(*seed >> 32);
    switch (*seed >> 29 & 7) {
    case 0:
        return r & 0x80018001;
    case 1:
        return 0x7fffffff + (r & 1);
    case 2:
        return 0x80008000u ^ (r & 0x10001);
    default:
        return r;
    }
}
#define HASH(value) hash = (hash ^ (unsigned)(value)) * 1099511628211ull
#define EACH(name, a, b, c)                                                                        \
    HASH(name##_s32((int)a, (int)b, (int)c));                                                      \
    HASH(name##_u32(a, b, c));                                                                     \
    HASH(name##_s16x2(a, b, c));                                                                   \
    HASH(name##_u16x2(a, b, c));                                                                   \
    HASH(name##_s32_relu((int)a, (int)b, (int)c));                                                 \
    HASH(name##_s16x2_relu(a, b, c))
#define WHICH(name, a, b)                                                                          \
    HASH(name##_s32((int)a, (int)b, &p));                                                          \
    HASH(p);                                                                                       \
    HASH(name##_u32(a, b, &p));                                                                    \
    HASH(p);                                                                                       \
    HASH(name##_s16x2(a, b, &p, &q));                                                              \
    HASH(p + 2 * q);                                                                               \
    HASH(name##_u16x2(a, b, &p, &q));                                                              \
    HASH(p + 2 * q)
static __host__ __device__ void hash_dpx(unsigned long long *hashes) {
    unsigned long long seed = 1, hash = 1469598103934665603ull;
    for (int i = 0; i < 4000; i++) {
        const unsigned a = draw(&seed), b = i % 7 ? draw(&seed) : a, c = draw(&seed);
        bool p, q;
        EACH(__vimax3, a, b, c);
        EACH(__vimin3, a, b, c);
        EACH(__viaddmax, a, b, c);
        EACH(__viaddmin, a, b, c);
        hashes[0] = hash;
        HASH(__vimax_s32_relu((int)a, (int)b));
        HASH(__vimin_s32_relu((int)a, (int)b));
        HASH(__vimax_s16x2_relu(a, b));
        HASH(__vimin_s16x2_relu(a, b));
        WHICH(__vibmax, a, b);
        WHICH(__vibmin, a, b);
        hashes[1] = hash;
    }
}
static __global__ void dpx(int *p) { hash_dpx((unsigned long long *)p); }
/* Header: cuda_runtime.h; covers: DPX on host and device, such as `__vimax_s16x2_relu` (the hashes
 * are those of CUDA 13's functions for the host). */
static const char *test_dpx() {
    static const unsigned long long expected[2] = {0xabe13b81da77356full, 0xe871f2e3b19dea9bull};
    unsigned long long host[2];
    hash_dpx(host);
    START();
    dpx<<<1, 1>>>(device_words);
    FINISH();
    EXPECT(memcmp(host, expected, sizeof expected) == 0);
    EXPECT(memcmp(words, expected, sizeof expected) == 0);
    return NULL;
}

extern "C" const conformance_case rare_features[] = {
    {"directed rounding", test_directed},
    {"special functions, packed integers", test_special},
    {"PTX of one thread", test_ptx},
    {"DPX", test_dpx},
    {NULL, NULL}};
