/* features_random.cu - random numbers in kernels. The sequences are those of cuRAND's own header;
 * Philox's first words also the known answers of its authors for counter and key 0. */
#include "device_words.h"
#include <curand_kernel.h>
#include <math.h>

template <class S>
static __global__ void draw_words(unsigned long long seed, unsigned long long subsequence,
                                  unsigned long long offset, int *p) {
    S state;
    curand_init(seed, subsequence, offset, &state);
    for (int i = 0; i < 7; i++)
        p[i] = (int)curand(&state);
}
struct sequence {
    unsigned long long seed, subsequence, offset;
    unsigned words[7];
};
template <class S> static const char *try_words(const sequence &s) {
    START();
    draw_words<S><<<1, 1>>>(s.seed, s.subsequence, s.offset, device_words);
    FINISH();
    for (int i = 0; i < 7; i++)
        EXPECT((unsigned)words[i] == s.words[i]);
    return NULL;
}
/* Header: curand_kernel.h; covers: XORWOW, Philox, MRG32k3a: cuRAND's words, bit for
 * bit; not: MTGP32, Poisson. */
static const char *test_words() {
    static const sequence xorwow[] = {
        {0u,
         0u,
         0u,
         {0xbd7f03b6, 0x703e556d, 0x845af0c5, 0x283067fd, 0x1245241f, 0x7666f33f, 0x3a46d453}},
        {1234u,
         0u,
         0u,
         {0x253d5e15, 0x6f558604, 0xdee6daf2, 0x7485b394, 0xdb6a6a85, 0x95195c6b, 0x338f343f}},
        {1234u,
         1u,
         0u,
         {0xd1f7605a, 0xed29ae49, 0x83030ed9, 0x899fbaf4, 0xcf2ac63b, 0x047c6db7, 0x7307c980}},
        {1234u,
         77u,
         5u,
         {0xf5279357, 0x5f87c5b3, 0xd46780b3, 0x1885f496, 0x69f38a7a, 0xe0a526af, 0x5bd4bed5}},
        {81985529216486895u,
         1099511627538u,
         78187493520u,
         {0x73a5b759, 0x4f47df57, 0xc81928a0, 0x07703324, 0x50f64944, 0x72d8a919, 0xd3288ea4}},
        {42u,
         3u,
         4096u,
         {0x3d869c37, 0xd1f92719, 0xf6102fce, 0x020ee9e2, 0x4d6264a7, 0x618fd77d, 0xf68153a4}}};
    static const sequence philox[] = {
        {0u,
         0u,
         0u,
         {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8, 0xf8e4cca4, 0x5cb200db, 0xb1a574eb}},
        {1234u,
         0u,
         0u,
         {0x2090b348, 0xda7cf0ab, 0x4401906f, 0xcbca470e, 0x9eeede35, 0x1cbe137c, 0xfa277093}},
        {1234u,
         1u,
         0u,
         {0xd115a128, 0x52fc7c75, 0xc7f33f17, 0x0f1539db, 0x07129e5f, 0x653d7a73, 0x1d8331c1}},
        {1234u,
         77u,
         5u,
         {0x48493028, 0x2f37d10d, 0xfb38f548, 0x7cd12696, 0x1f992270, 0x2e3323a8, 0xe722a1ab}},
        {81985529216486895u,
         1099511627538u,
         78187493520u,
         {0xd8a2be9a, 0xd7048263, 0x432ba4e4, 0x22bca8ed, 0x39d0a5ec, 0x9dad62be, 0xe9acbd02}},
        {42u,
         3u,
         4096u,
         {0x479265d8, 0x0f1fe270, 0xd34c03fc, 0xc6950d37, 0x1dad2f82, 0xa80dd4aa, 0xa723bd5b}}};
    static const sequence mrg[] = {
        {0,
         0,
         0,
         {0x2083cd07, 0x518b05c4, 0x4f26d091, 0xd36ab334, 0x38bcbcf8, 0x888c99a3, 0x7b1404a8}},
        {1234,
         77,
         5,
         {0xa216ec11, 0x0e73fb2a, 0xf83225df, 0xc68664eb, 0x2b510f15, 0x3bf08dd6, 0x38144318}},
        {81985529216486895u,
         1099511627538u,
         78187493520u,
         {0x39759834, 0xa51f0be8, 0x46f6b1c9, 0x6554fc12, 0x3d5f2e8a, 0x2c5ce6db, 0x59ab92b9}}};
    const char *problem = NULL;
    for (const sequence &s : mrg)
        problem = problem ? problem : try_words<curandStateMRG32k3a_t>(s);
    for (const sequence &s : xorwow)
        problem = problem ? problem : try_words<curandStateXORWOW_t>(s);
    for (const sequence &s : philox)
        problem = problem ? problem : try_words<curandStatePhilox4_32_10_t>(s);
    return problem;
}

static __global__ void draw_sobol(curandDirectionVectors64_t *vectors, int *p) {
    curandStateSobol64_t s;
    curand_init(*vectors, 3 * threadIdx.x, &s);
    for (int i = 0; i < 3; i++)
        p[3 * threadIdx.x + i] = (int)(curand(&s) >> 32);
    skipahead(1000, &s);
    p[100 + threadIdx.x] = __float_as_int(curand_uniform(&s));
    const double next = curand_uniform_double(&s);
    p[200 + threadIdx.x] = next > 0 && next <= 1;
}
/* Header: curand_kernel.h; covers: Sobol's sequence: words, uniform; not: normal numbers of it,
 * scrambled ones. */
static const char *test_sobol() {
    enum { THREADS = 10 };
    curandDirectionVectors64_t vectors, *device;
    for (int bit = 0; bit < 64; bit++)
        vectors[bit] = 1ull << (63 - bit);
    OK(cudaMalloc(&device, sizeof vectors));
    OK(cudaMemcpy(device, vectors, sizeof vectors, cudaMemcpyHostToDevice));
    START();
    draw_sobol<<<1, THREADS>>>(device, device_words);
    FINISH();
    OK(cudaFree(device));
    /* With these vectors number i is its Gray code, its bits in reverse. */
    const auto number = [](unsigned i) {
        unsigned reversed = 0;
        for (int bit = 0; bit < 32; bit++)
            reversed |= ((i ^ i >> 1) >> bit & 1) << (31 - bit);
        return reversed;
    };
    for (unsigned i = 0; i < 3 * THREADS; i++)
        EXPECT((unsigned)words[i] == number(i));
    for (unsigned t = 0; t < THREADS; t++) {
        float uniform;
        memcpy(&uniform, &words[100 + t], sizeof uniform);
        EXPECT(fabs(uniform - number(3 * t + 1003) / 4294967296.0) < 1e-6);
        EXPECT(words[200 + t] == 1);
    }
    return NULL;
}

enum { DRAWS = 4096 };
template <class S>
static __global__ void draw_numbers(float *uniform, float *normal, float *log_normal) {
    S state;
    curand_init(7, threadIdx.x, 0, &state);
    for (int i = 0; i < DRAWS / 64; i++) {
        uniform[threadIdx.x * (DRAWS / 64) + i] = curand_uniform(&state);
        normal[threadIdx.x * (DRAWS / 64) + i] = curand_normal(&state);
        log_normal[threadIdx.x * (DRAWS / 64) + i] = curand_log_normal(&state, 1, 2);
    }
}
/* Means and variances within five standard deviations of what they should be. */
template <class S> static const char *try_numbers() {
    static float host[3][DRAWS], *p;
    OK(cudaMalloc(&p, sizeof host));
    draw_numbers<S><<<1, 64>>>(p, p + DRAWS, p + 2 * DRAWS);
    OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    OK(cudaFree(p));
    double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < DRAWS; i++) {
            const double x = k < 2 ? host[k][i] : (log((double)host[k][i]) - 1) / 2;
            sum[k] += x;
            squares[k] += x * x;
            EXPECT(k > 0 || (host[k][i] > 0 && host[k][i] <= 1));
        }
    EXPECT(fabs(sum[0] / DRAWS - 0.5) < 5 * sqrt(1.0 / 12 / DRAWS));
    EXPECT(fabs(squares[0] / DRAWS - 1.0 / 3) < 5 * sqrt(4.0 / 45 / DRAWS));
    for (int k = 1; k < 3; k++) {
        EXPECT(fabs(sum[k] / DRAWS) < 5 * sqrt(1.0 / DRAWS));
        EXPECT(fabs(squares[k] / DRAWS - 1) < 5 * sqrt(2.0 / DRAWS));
    }
    return NULL;
}
/* Header: curand_kernel.h; covers: uniform, normal, log-normal. */
static const char *test_numbers() {
    const char *problem = try_numbers<curandStateXORWOW_t>();
    problem = problem ? problem : try_numbers<curandStateMRG32k3a_t>();
    return problem ? problem : try_numbers<curandStatePhilox4_32_10_t>();
}

extern "C" const conformance_case random_features[] = {{"sequences of random words", test_words},
                                                       {"Sobol's sequence", test_sobol},
                                                       {"uniform and normal numbers", test_numbers},
                                                       {NULL, NULL}};
