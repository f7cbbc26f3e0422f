/* features_warps.cu - threads that work together: barriers, warps, flags that they poll,
 * products by a warp. */
#include "device_words.h"
#include <mma.h>

static __global__ void votes(int *p) {
    int x = threadIdx.x;
    int count = __syncthreads_count(x % 3 == 0), all = __syncthreads_and(x < 96),
        any = __syncthreads_or(x == 95), none = __syncthreads_or(x > 95);
    p[x] = count * 8 + (all != 0) * 4 + (any != 0) * 2 + (none != 0);
}
static const char *test_votes() {
    START();
    votes<<<1, 96>>>(device_words);
    FINISH();
    for (int i = 0; i < 96; i++)
        EXPECT(words[i] == 32 * 8 + 6);
    return NULL;
}

static __device__ int block_sum(int value, int *shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < (unsigned)d)
            shared[threadIdx.x] += shared[threadIdx.x + d];
        __syncthreads();
    }
    int sum = shared[0];
    __syncthreads();
    return sum;
}
static __global__ void barrier_in_function(int *p) {
    __shared__ int shared[256];
    int first = block_sum((int)threadIdx.x, shared), second = block_sum(1, shared);
    p[blockIdx.x * blockDim.x + threadIdx.x] = first + 100000 * second;
}
static const char *test_barrier_in_function() {
    START();
    barrier_in_function<<<4, 256>>>(device_words);
    FINISH();
    for (int i = 0; i < 1024; i++)
        EXPECT(words[i] == 32640 + 25600000);
    return NULL;
}

static __global__ void early_return(int *p) {
    __shared__ int shared[64];
    if (threadIdx.x >= 40)
        return; /* a fault in most programs, and allowed since Volta */
    shared[threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = shared[39 - threadIdx.x];
}
static const char *test_early_return() {
    START();
    early_return<<<1, 64>>>(device_words);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(words[i] == (i < 40 ? 39 - i : 0));
    return NULL;
}

static __global__ void warps(int *p) {
    int x = threadIdx.x, lane = x % 32;
    int *r = p + x * 16;
    r[0] = __shfl_sync(0xffffffffu, x, 5);
    r[1] = __shfl_up_sync(0xffffffffu, x, 3);
    r[2] = __shfl_down_sync(0xffffffffu, x, 4);
    r[3] = __shfl_xor_sync(0xffffffffu, x, 1);
    r[4] = __shfl_sync(0xffffffffu, x, 2, 8);
    r[5] = __shfl_up_sync(0xffffffffu, x, 3, 8);
    r[6] = __shfl_down_sync(0xffffffffu, x, 3, 8);
    r[7] = __shfl_xor_sync(0xffffffffu, x, 3, 8);
    r[8] = (int)__ballot_sync(0xffffffffu, lane % 2);
    r[9] = __any_sync(0xffffffffu, lane == 7) != 0;
    r[10] = __all_sync(0xffffffffu, lane == 7) != 0;
    r[11] = __all_sync(0xffffffffu, lane < 32) != 0;
    float sum = (float)lane;
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    r[12] = (int)__shfl_sync(0xffffffffu, sum, 0);
    __syncwarp();
}
static const char *test_warps() {
    START();
    warps<<<1, 64>>>(device_words);
    FINISH();
    for (int x = 0; x < 64; x++) {
        const int *r = words + x * 16, lane = x % 32, base = x - lane, group = x - x % 8;
        EXPECT(r[0] == base + 5 && r[1] == (lane >= 3 ? x - 3 : x) &&
               r[2] == (lane < 28 ? x + 4 : x) && r[3] == (x ^ 1));
        EXPECT(r[4] == group + 2 && r[5] == (x % 8 >= 3 ? x - 3 : x) &&
               r[6] == (x % 8 < 5 ? x + 3 : x) && r[7] == (x ^ 3));
        EXPECT((unsigned)r[8] == 0xaaaaaaaau && r[9] == 1 && r[10] == 0 && r[11] == 1 &&
               r[12] == 496);
    }
    return NULL;
}

/* The right side of a compound assignment keeps its type: an int *= 1.5 is a product of doubles. */
struct volatile_words {
    volatile int word, words[2];
};
static __global__ void assign_volatile(volatile int *p, volatile float *f, volatile short *h) {
    __shared__ volatile int s[4];
    volatile unsigned char c[2] = {200, 200};
    volatile unsigned long long u[1] = {1};
    volatile_words members = {7, {7, 7}};
    volatile int &r = p[31];
    const float third = 1.0 / 3.0;
    s[0] = 7, s[0] *= 1.5, p[0] = s[0];
    p[1] = 9;
    p[1] /= 2.5;
    p[2] = 10;
    p[2] -= 0.5;
    p[3] = 10;
    p[3] += 0.75f;
    p[4] = -7;
    p[4] %= 4u; /* unsigned */
    p[5] = -1;
    p[5] >>= 3ll;
    p[6] = 3;
    p[6] <<= 4;
    p[7] = 0x1ff;
    p[7] &= 0xf0f0f0f0f0ull;
    p[8] = 1;
    p[8] |= 6u;
    p[9] = 5;
    p[9] ^= '\1';
    p[10] = 5;
    p[10]++;
    ++p[10];
    p[11] = 5;
    p[11]--;
    --p[11];
    f[0] = 1.0f;
    f[0] *= 1.0 / 3.0 * 3.0000001;
    f[1] = 1.0f;
    f[1] += 1e-9;
    h[0] = 30000;
    h[0] -= 70000; /* as an int, then cut */
    p[12] = h[0];
    c[0] += 100.7;
    p[13] = c[0];
    u[0] <<= 40;
    u[0] /= 3.0f;
    p[14] = (int)(u[0] >> 20);
    members.word *= third * 10;
    members.words[1] *= 0.5;
    p[15] = members.word, p[16] = members.words[1];
    r = 9;
    r *= 0.5;
    *(p + 17) = 3;
    *(p + 17) *= 2.5;
}
static const char *test_volatile() {
    START();
    assign_volatile<<<1, 1>>>(device_words, (float *)device_words + 100,
                              (short *)(device_words + 200));
    FINISH();
    static const int expected[] = {10, 3, 9,     10, (int)(-7u % 4u), -1, 48, 0xf0, 7, 4,
                                   7,  3, 25536, 44, (1 << 20) / 3,   23, 3,  7};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        EXPECT(words[i] == expected[i]);
    float f[2];
    memcpy(f, words + 100, sizeof f);
    EXPECT(f[0] == (float)(1.0 / 3.0 * 3.0000001) && f[1] == 1.0f && words[31] == 4);
    return NULL;
}

static __global__ void reduce(int *p) {
    const int signed_value = (int)threadIdx.x - 16;
    const unsigned value = (unsigned)signed_value;
    int *r = p + 32 * threadIdx.x;
    unsigned word;
    *r++ = __reduce_min_sync(~0u, signed_value);
    *r++ = __reduce_max_sync(~0u, signed_value);
    *r++ = __reduce_add_sync(~0u, signed_value);
    *r++ = (int)__reduce_min_sync(~0u, value);
    *r++ = (int)__reduce_max_sync(~0u, value);
    *r++ = (int)__reduce_add_sync(~0u, value);
    *r++ = (int)__reduce_and_sync(~0u, value | 5);
    *r++ = (int)__reduce_or_sync(~0u, value & 5);
    *r++ = (int)__reduce_xor_sync(~0u, value);
    *r++ = __reduce_min_sync(~0u, (short)-threadIdx.x) / 2;
#define REDUX(name)                                                                                \
    asm volatile("redux.sync." name " %0, %1, 0xffffffff;" : "=r"(word) : "r"(signed_value));      \
    *r++ = (int)word
    REDUX("min.s32");
    REDUX("max.s32");
    REDUX("add.s32");
    REDUX("min.u32");
    REDUX("max.u32");
    REDUX("add.u32");
#undef REDUX
    const long long wide = (long long)(threadIdx.x % 2) << 40;
    *r++ = (int)__match_any_sync(~0u, wide);
    asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(word) : "l"(wide));
    *r++ = (int)word;
    int all;
    *r++ = (int)__match_all_sync(~0u, wide, &all) + all;
    *r++ = __shfl_sync(~0u, wide + (1ll << 41), 1) >> 40;
    *r++ = (int)__shfl_sync(~0u, -1.5 * threadIdx.x, 31);
}
/* Header: cuda_runtime.h; covers: reductions of int and of unsigned, matches of 64 bits. */
static const char *test_reductions() {
    START();
    reduce<<<1, 32>>>(device_words);
    FINISH();
    static const int expected[] = {-16,
                                   15,
                                   -16,
                                   0,
                                   -1,
                                   -16,
                                   5,
                                   5,
                                   0,
                                   -15,
                                   -16,
                                   15,
                                   -16,
                                   0,
                                   -1,
                                   -16,
                                   (int)0xaaaaaaaa,
                                   (int)0xaaaaaaaa,
                                   0,
                                   3,
                                   -46};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        EXPECT(words[31 * 32 + i] == expected[i]);
    return NULL;
}

/* One atomic for all lanes that come here together. */
static __device__ int add_together(int *counter) {
    const unsigned mask = __activemask(), lane = threadIdx.x % 32;
    const int leader = __ffs((int)mask) - 1;
    int first = 0;
    if ((int)lane == leader)
        first = atomicAdd(counter, __popc(mask));
    return __shfl_sync(mask, first, leader) + __popc(mask & ((1u << lane) - 1));
}
static __device__ int count_lanes(unsigned mask = __activemask()) { return __popc(mask); }
static __global__ void branches(int *p) {
    const int x = threadIdx.x, lane = x % 32;
    int *r = p + 16 * x;
    r[0] = (int)__activemask();
    if (lane < 8)
        r[1] = (int)__activemask();
    else
        r[1] = (int)(lane % 2 ? __activemask() : __activemask());
    if (lane >= 20) {
        r[2] = (int)__ballot_sync(__activemask(), lane % 4 == 0);
        r[3] = count_lanes();
        unsigned mask;
        asm volatile("activemask.b32 %0;" : "=r"(mask));
        r[4] = (int)mask;
        __syncwarp(mask);
    }
    for (int i = 0; i <= lane / 16; i++)
        r[5] = __popc(__activemask());
    if (lane % 3 == 0)
        r[6] = add_together(p + 1024 + x / 32);
#ifdef __CUDACPU__ /* which takes the functions of before CUDA 9 too */
    if (lane < 16) {
        r[7] = __shfl_down(x, 4, 8);
        r[8] = (int)__ballot(lane > 3);
        r[9] = __all(lane < 16) + 2 * __any(lane > 14);
    }
#else
    if (lane < 16) {
        r[7] = __shfl_down_sync(0xffff, x, 4, 8);
        r[8] = 0xfff0, r[9] = 3;
    }
#endif
}
static const char *test_branches() {
    START();
    branches<<<1, 64>>>(device_words);
    FINISH();
    for (int x = 0; x < 64; x++) {
        const int *r = words + 16 * x, lane = x % 32;
        EXPECT(r[0] == -1);
        EXPECT((unsigned)r[1] == (lane < 8 ? 0xffu : lane % 2 ? 0xaaaaaa00u : 0x55555500u));
        EXPECT((unsigned)r[2] == (lane < 20 ? 0 : 0x11100000u) && r[3] == (lane < 20 ? 0 : 12) &&
               (unsigned)r[4] == (lane < 20 ? 0 : 0xfff00000u));
        EXPECT(r[5] == (lane < 16 ? 32 : 16) && (lane % 3 || r[6] == lane / 3));
        EXPECT(lane >= 16 || (r[7] == (x % 8 < 4 ? x + 4 : x) && r[8] == 0xfff0 && r[9] == 3));
    }
    EXPECT(words[1024] == 11 && words[1025] == 11);
    return NULL;
}

/* A part of the lanes slides past the end of the mask; what they get is not used. */
static __global__ void half_warp(int *p) {
    int v = (int)threadIdx.x;
    if (threadIdx.x < 16)
        for (int d = 8; d > 0; d /= 2)
            v += __shfl_down_sync(0xffff, v, d);
    if (threadIdx.x % 32 == 0)
        p[threadIdx.x / 32] = v;
    /* what the guide leaves open, as an H200 has it: 0, or of a lane that shuffles here too */
    v = 1000 + (int)threadIdx.x;
    if (threadIdx.x < 16)
        p[32 + threadIdx.x] = __shfl_down_sync(0xffff, v, 1);
    p[64 + threadIdx.x] = __shfl_up_sync(threadIdx.x < 16 ? 0xffffu : 0xffff0000u, v, 16) +
                          __shfl_down_sync(threadIdx.x < 16 ? 0xffffu : 0xffff0000u, v, 16) - v;
}
static const char *test_half_warp() {
    START();
    half_warp<<<1, 32>>>(device_words);
    FINISH();
    EXPECT(words[0] == 120);
    for (int i = 0; i < 32; i++)
        EXPECT(words[32 + i] == (i < 15 ? 1001 + i : 0) && words[64 + i] == 1000 + (i ^ 16));
    return NULL;
}

/* Thread 0 and a block before the last poll what comes after them. */
static __global__ void poll_shared(int *p) {
    __shared__ volatile int told;
    if (threadIdx.x == 40)
        told = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        while (told != 7)
            __nanosleep(100);
        told = 9;
    } else if (threadIdx.x == 40) {
        told = 7;
        while (told != 9)
            __nanosleep(100);
    }
    __syncthreads();
    p[threadIdx.x] = told;
}
static __global__ void poll_global(volatile int *flags, int *p) {
    if (threadIdx.x == 0 && blockIdx.x + 1 < gridDim.x)
        while (!flags[blockIdx.x + 1])
            __nanosleep(500);
    __syncthreads();
    __threadfence();
    p[32 * blockIdx.x + threadIdx.x] =
        blockIdx.x + 1 < gridDim.x ? ((volatile int *)p)[32 * blockIdx.x + 32] + 1 : 5;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        flags[blockIdx.x] = 1;
}
/* Header: cuda_runtime.h; covers: `__nanosleep` in a loop that polls memory, of another thread of
 * the block or of another block. */
static const char *test_polling() {
    enum { BLOCKS = 4 };
    START();
    poll_shared<<<1, 64>>>(device_words);
    poll_global<<<BLOCKS, 32>>>(device_words + 4000, device_words + 1000);
    FINISH();
    for (int i = 0; i < 64; i++)
        EXPECT(words[i] == 9);
    for (int i = 0; i < 32 * BLOCKS; i++)
        EXPECT(words[1000 + i] == 5 + BLOCKS - 1 - i / 32);
    return NULL;
}

static __global__ void read_clocks(int *p) {
    unsigned long long first, last;
    const long long begin = clock64();
    const clock_t start = clock();
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(first));
    do {
        __nanosleep(100);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(last));
    } while (last - first < 20000);
    p[0] = clock64() > begin;
    p[1] = clock() - start;
}
/* Header: cuda_runtime.h; covers: `clock`, `clock64`, the PTX register `globaltimer`. */
static const char *test_clocks() {
    START();
    read_clocks<<<1, 1>>>(device_words);
    FINISH();
    EXPECT(words[0] == 1 && words[1] > 0);
    const clock_t before = clock();
    EXPECT(before >= 0 && clock() - before < CLOCKS_PER_SEC);
    int rate, overlap;
    OK(cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0));
    OK(cudaDeviceGetAttribute(&overlap, cudaDevAttrGpuOverlap, 0));
    /* 20 us or more between them, and no clock beats 10 GHz. */
    EXPECT(words[1] >= 15e-3 * rate && rate > 0 && rate < 10000000 && overlap == 1);
    return NULL;
}

/* D = A B + C by a warp, A m x 16, B 16 x n, 8-bit integers; C and D int. */
template <int m, int n, class T, class layout_a, class layout_b>
static __global__ void warp_product(const T *a, const T *b, int *c, nvcuda::wmma::layout_t layout) {
    using namespace nvcuda::wmma;
    fragment<matrix_a, m, n, 16, T, layout_a> left;
    fragment<matrix_b, m, n, 16, T, layout_b> right;
    fragment<accumulator, m, n, 16, int> sum, twice;
    load_matrix_sync(left, a, std::is_same<layout_a, row_major>::value ? 16 : m);
    load_matrix_sync(right, b, std::is_same<layout_b, row_major>::value ? n : 16);
    load_matrix_sync(sum, c, layout == mem_row_major ? n : m, layout);
    mma_sync(sum, left, right, sum);
    fill_fragment(twice, 0);
    for (int i = 0; i < sum.num_elements; i++)
        twice.x[i] += 2 * sum.x[i];
    store_matrix_sync(c, twice, layout == mem_row_major ? n : m, layout);
}
template <int m, int n, class T, class layout_a, class layout_b>
static const char *try_warp_product(nvcuda::wmma::layout_t layout) {
    const bool rows_a = std::is_same<layout_a, nvcuda::wmma::row_major>::value;
    const bool rows_b = std::is_same<layout_b, nvcuda::wmma::row_major>::value;
    T host_a[32 * 16], host_b[16 * 32], *a, *b;
    for (int i = 0; i < 32 * 16; i++) {
        host_a[i] = (T)(i * 37 + i / 7);
        host_b[i] = (T)(i * 91 - i / 5);
    }
    START();
    for (int i = 0; i < m * n; i++)
        words[i] = 1000 * i;
    OK(cudaMemcpy(device_words, words, sizeof words, cudaMemcpyHostToDevice));
    OK(cudaMalloc(&a, sizeof host_a));
    OK(cudaMalloc(&b, sizeof host_b));
    OK(cudaMemcpy(a, host_a, sizeof host_a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(b, host_b, sizeof host_b, cudaMemcpyHostToDevice));
    warp_product<m, n, T, layout_a, layout_b><<<1, 32>>>(a, b, device_words, layout);
    FINISH();
    OK(cudaFree(a));
    OK(cudaFree(b));
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            const int at = layout == nvcuda::wmma::mem_row_major ? i * n + j : j * m + i;
            int sum = 1000 * at;
            for (int k = 0; k < 16; k++)
                sum += host_a[rows_a ? i * 16 + k : k * m + i] *
                       host_b[rows_b ? k * n + j : j * 16 + k];
            EXPECT(words[at] == 2 * sum);
        }
    return NULL;
}
/* Tiles of 8 bits that begin between multiples of 32 bytes, as matrices of several tiles have them.
 */
static __global__ void tiles_between(int *p) {
    using namespace nvcuda::wmma;
    __shared__ __align__(128) unsigned char s[16][144];
    for (int i = threadIdx.x; i < 16 * 144; i += 32)
        s[i / 144][i % 144] = (unsigned char)(i % 144 / 8);
    __syncwarp();
    fragment<matrix_a, 16, 16, 16, unsigned char, row_major> a;
    fragment<matrix_b, 16, 16, 16, unsigned char, col_major> b;
    fragment<accumulator, 16, 16, 16, int> sum;
    load_matrix_sync(a, &s[0][16], 144); /* 2, then 3 */
    load_matrix_sync(b, &s[0][48], 144); /* 6, then 7 */
    fill_fragment(sum, 0);
    mma_sync(sum, a, b, sum);
    store_matrix_sync(p, sum, 16, mem_row_major);
}
/* Header: mma.h; covers: 8-bit integers (16x16x16, 32x8x16, 8x32x16); not: integers of fewer bits.
 */
static const char *test_warp_matrices() {
    using namespace nvcuda::wmma;
    const char *problem =
        try_warp_product<16, 16, signed char, row_major, col_major>(mem_row_major);
    if (!problem)
        problem = try_warp_product<16, 16, unsigned char, col_major, row_major>(mem_col_major);
    if (!problem)
        problem = try_warp_product<32, 8, signed char, col_major, col_major>(mem_row_major);
    if (!problem)
        problem = try_warp_product<8, 32, signed char, row_major, row_major>(mem_col_major);
    if (problem)
        return problem;
    START();
    tiles_between<<<1, 32>>>(device_words);
    FINISH();
    for (int i = 0; i < 256; i++)
        EXPECT(words[i] == 8 * 2 * 6 + 8 * 3 * 7);
    return NULL;
}

extern "C" const conformance_case warp_features[] = {
    {"barriers that vote", test_votes},      {"barrier in a function", test_barrier_in_function},
    {"early return", test_early_return},     {"warps", test_warps},
    {"volatile assignments", test_volatile}, {"reductions", test_reductions},
    {"active lanes", test_branches},         {"half a warp", test_half_warp},
    {"flags that are polled", test_polling}, {"clocks", test_clocks},
    {"warp matrices", test_warp_matrices},   {NULL, NULL}};
