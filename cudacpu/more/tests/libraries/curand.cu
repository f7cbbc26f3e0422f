/* curand.cu - cuRAND's generators against words and numbers of cuRAND's own (of MRG32k3a those of
 * its host generator, which its guide says are the device's). Exit status 0 when all
 * is well. The same program runs with nvcc -lcurand on a GPU.
 *
 * Header: curand.h; covers: XORWOW, Philox and MRG32k3a in cuRAND's order, on device and host:
 * words, uniform, normal, log-normal; numbers in double, Sobol's sequence in 21
 * dimensions; not: normal numbers of Sobol's sequence, scrambled ones, other generators and orders.
 */
#include <cuda_runtime.h>
#include <curand.h>
#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <vector>
#ifndef CURAND_H_
#error helper_cuda.h asks for this guard
#endif

static int failures;
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("line %d: not so: %s\n", __LINE__, #condition);                                 \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)
#define OK(call) EXPECT((call) == CURAND_STATUS_SUCCESS)

enum { COUNT = 300000, NORMALS = 200000 };
/* hash: h = 31 h + word over COUNT words of seed 1234, twice; then words 12345678901 and 4 later, a
 * uniform number; normal numbers of mean 1 and deviation 2, and the word after them. */
struct expected {
    curandRngType_t type;
    unsigned hash, later_hash, far[2];
    float uniform, normal[4];
    unsigned after;
};
static const expected EXPECTED[] = {
    {CURAND_RNG_PSEUDO_DEFAULT,
     0x458594bd,
     0xd08b37fe,
     {0xc42e99b1, 0x759c3b7d},
     0.444373786f,
     {2.56195f, -2.60316f, 1.92567f, -2.54491f},
     0xed30a636},
    {CURAND_RNG_PSEUDO_PHILOX4_32_10,
     0x92698e1c,
     0xbe4eefb0,
     {0x924a19d9, 0x340aad6c},
     0.391726315f,
     {-2.23298f, 3.45831f, 2.28833f, -2.32378f},
     0x8d32e3a8},
    {CURAND_RNG_PSEUDO_MRG32K3A,
     0xefaf1ab2,
     0xe7960f93,
     {0x7fccf47c, 0xd9005196},
     0.792115688f,
     {0.278692f, -0.182563f, 1.86352f, -0.480093f},
     0xd9db3545},
};
static const size_t NORMAL_AT[] = {0, 1, 8191, NORMALS - 1};

static void check(const expected &e) {
    curandGenerator_t g;
    unsigned *words, hash = 0;
    float *numbers;
    std::vector<unsigned> w(COUNT);
    std::vector<float> x(COUNT);
    EXPECT(cudaMalloc((void **)&words, COUNT * sizeof(unsigned)) == cudaSuccess);
    EXPECT(cudaMalloc((void **)&numbers, COUNT * sizeof(float)) == cudaSuccess);
    const auto get_words = [&](size_t count) {
        OK(curandGenerate(g, words, count));
        EXPECT(cudaMemcpy(w.data(), words, count * sizeof(unsigned), cudaMemcpyDeviceToHost) ==
               cudaSuccess);
        for (size_t i = 0; i < count; i++)
            hash = hash * 31 + w[i];
    };
    OK(curandCreateGenerator(&g, e.type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    get_words(COUNT);
    EXPECT(hash == e.hash);
    get_words(COUNT);
    EXPECT(hash == e.later_hash);
    OK(curandSetGeneratorOffset(g, 12345678901ull));
    get_words(5);
    EXPECT(w[0] == e.far[0] && w[4] == e.far[1]);
    OK(curandGenerateUniform(g, numbers, 16));
    EXPECT(cudaMemcpy(x.data(), numbers, 16 * sizeof(float), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
    EXPECT(x[0] == e.uniform);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateNormal(g, numbers, NORMALS, 1, 2));
    EXPECT(cudaMemcpy(x.data(), numbers, NORMALS * sizeof(float), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
    for (int i = 0; i < 4; i++)
        EXPECT(fabsf(x[NORMAL_AT[i]] - e.normal[i]) < 2e-5f);
    get_words(1);
    EXPECT(w[0] == e.after);
    const bool in_pairs = e.type != CURAND_RNG_PSEUDO_PHILOX4_32_10;
    EXPECT(curandGenerateNormal(g, numbers, 3, 0, 1) ==
           (in_pairs ? CURAND_STATUS_LENGTH_NOT_MULTIPLE : CURAND_STATUS_SUCCESS));
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateLogNormal(g, numbers, 16, 1, 2));
    EXPECT(cudaMemcpy(x.data(), numbers, 16 * sizeof(float), cudaMemcpyDeviceToHost) ==
           cudaSuccess);
    EXPECT(fabsf(logf(x[0]) - e.normal[0]) < 2e-5f && fabsf(logf(x[1]) - e.normal[1]) < 2e-5f);
    OK(curandDestroyGenerator(g));
    hash = 0;
    OK(curandCreateGeneratorHost(&g, e.type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    OK(curandGenerate(g, w.data(), COUNT));
    for (unsigned word : w)
        hash = hash * 31 + word;
    EXPECT(hash == e.hash);
    if (e.type == CURAND_RNG_PSEUDO_MRG32K3A) { /* 4096 subsequences instead of 81920 */
        OK(curandSetGeneratorOrdering(g, CURAND_ORDERING_PSEUDO_LEGACY));
        OK(curandSetGeneratorOffset(g, 4096));
        OK(curandGenerate(g, w.data(), 1));
        EXPECT(w[0] == 0x9650c684);
    }
    OK(curandDestroyGenerator(g));
    cudaFree(words);
    cudaFree(numbers);
}

static __global__ void draw_pairs(double2 *pairs) {
    curandState state;
    curand_init(1234, threadIdx.x, 0, &state);
    pairs[threadIdx.x] = curand_normal2_double(&state);
}
/* In double: the numbers of a kernel's states, and moments. */
static void check_double(curandRngType_t type) {
    curandGenerator_t g;
    std::vector<double> x(COUNT), y(16);
    OK(curandCreateGeneratorHost(&g, type));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    OK(curandGenerateUniformDouble(g, x.data(), COUNT));
    double sum = 0, squares = 0;
    int within = 0;
    for (double u : x) {
        within += u > 0 && u <= 1;
        sum += u;
    }
    EXPECT(within == COUNT && fabs(sum / COUNT - 0.5) < 3e-3);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateNormalDouble(g, x.data(), COUNT, 1, 2));
    sum = 0;
    for (double u : x) {
        sum += (u - 1) / 2;
        squares += (u - 1) * (u - 1) / 4;
    }
    EXPECT(fabs(sum / COUNT) < 1e-2 && fabs(squares / COUNT - 1) < 1e-2);
    if (type == CURAND_RNG_PSEUDO_DEFAULT) { /* pair n is that of subsequence n */
        double2 *pairs, pair[2];
        EXPECT(cudaMalloc(&pairs, sizeof pair) == cudaSuccess);
        draw_pairs<<<1, 2>>>(pairs);
        EXPECT(cudaMemcpy(pair, pairs, sizeof pair, cudaMemcpyDeviceToHost) == cudaSuccess);
        for (int n = 0; n < 2; n++)
            EXPECT(fabs(x[2 * n] - 1 - 2 * pair[n].x) < 1e-12 &&
                   fabs(x[2 * n + 1] - 1 - 2 * pair[n].y) < 1e-12);
        cudaFree(pairs);
    }
    if (type == CURAND_RNG_PSEUDO_MRG32K3A) /* cuRAND's */
        EXPECT(fabs((x[0] - 1) / 2 + 0.3606536461117447) < 1e-12 &&
               fabs((x[3] - 1) / 2 + 0.9016126252167356) < 1e-12);
    OK(curandSetGeneratorOffset(g, 0));
    OK(curandGenerateLogNormalDouble(g, y.data(), 16, 1, 2));
    EXPECT(fabs(log(y[0]) - x[0]) < 1e-12 && fabs(log(y[15]) - x[15]) < 1e-12);
    if (type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        EXPECT(curandGenerateNormalDouble(g, y.data(), 3, 0, 1) ==
               CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    OK(curandDestroyGenerator(g));
}

/* Each number of Philox has its place, also behind an odd count. All of an H200. */
static void check_philox_places() {
    curandGenerator_t g;
    std::vector<double> x(COUNT);
    const auto begin_at = [&](unsigned long long offset) {
        OK(curandSetGeneratorOffset(g, offset));
    };
    const auto expect_word = [&](unsigned expected) {
        unsigned word;
        OK(curandGenerate(g, &word, 1));
        EXPECT(word == expected);
    };
    OK(curandCreateGeneratorHost(&g, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    OK(curandSetPseudoRandomGeneratorSeed(g, 1234));
    OK(curandGenerateUniformDouble(g, x.data(), 3));
    EXPECT(fabs(x[2] - 0.112275573300343) < 1e-14);
    expect_word(0xcbca470e);
    begin_at(3);
    OK(curandGenerateNormalDouble(g, x.data(), 2, 0, 1));
    EXPECT(fabs(x[0] - 1.83224924781524) < 1e-12 && fabs(x[1] - 0.543054856646628) < 1e-12);
    begin_at(0);
    OK(curandGenerateUniformDouble(g, x.data(), COUNT)); /* comes to the first lane again */
    EXPECT(fabs(x[262144] - 0.984481559671873) < 1e-14);
    OK(curandGenerateUniformDouble(g, x.data(), 8));
    expect_word(0xe78c73c8);
    std::vector<unsigned> words(262145); /* the first lane again, which has given four doubles */
    begin_at(0);
    OK(curandGenerateUniformDouble(g, x.data(), 4));
    OK(curandGenerate(g, words.data(), words.size()));
    EXPECT(words[262140] == 0x3fc9c8d8 && words[262144] == 0x07129e5f);
    float normal[3];
    begin_at(1);
    OK(curandGenerateNormal(g, normal, 3, 0, 1));
    EXPECT(fabsf(normal[0] - 1.22915542f) < 2e-5f);
    expect_word(0xd115a128);
    OK(curandDestroyGenerator(g));
}

/* Numbers 5 to 99, and number 1000 in double. */
static __global__ void walk_sobol(const curandDirectionVectors32_t *vectors, unsigned *words,
                                  double *uniform) {
    curandStateSobol32_t state;
    unsigned directions[32];
    for (int i = 0; i < 32; i++)
        directions[i] = (*vectors)[i];
    curand_init(directions, 5u, &state);
    for (unsigned i = 5; i < 100; i++)
        words[i] = curand(&state);
    skipahead(900u, &state);
    *uniform = curand_uniform_double(&state);
}
/* Each of 2^12 intervals of each dimension holds one of the first 2^12 numbers; and for the first
 * two dimensions each of 64 x 64 squares holds one point (a net in base 2). */
static void check_sobol() {
    enum { POINTS = 1 << 12, DIMENSIONS = 21 };
    curandGenerator_t g;
    std::vector<unsigned> w(POINTS * DIMENSIONS), later(2 * DIMENSIONS);
    std::vector<double> x(POINTS * DIMENSIONS);
    OK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL32));
    OK(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    OK(curandSetGeneratorOrdering(g, CURAND_ORDERING_QUASI_DEFAULT));
    OK(curandGenerate(g, w.data(), w.size()));
    for (int d = 0; d < DIMENSIONS; d++) {
        std::vector<int> taken(POINTS), squares(POINTS);
        int once = 0, alone = 0;
        for (int i = 0; i < POINTS; i++) {
            once += taken[w[d * POINTS + i] >> 20]++ == 0;
            alone += squares[(w[i] >> 26) * 64 + (w[POINTS + i] >> 26)]++ == 0;
        }
        EXPECT(once == POINTS && alone == POINTS);
    }
    /* 0, 1/2, 3/4, 1/4, 3/8 by the Gray code, and 0, 1/2, 1/4, 3/4, 3/8 of the second. */
    const unsigned first[2][5] = {{0, 1u << 31, 3u << 30, 1u << 30, 3u << 29},
                                  {0, 1u << 31, 1u << 30, 3u << 30, 3u << 29}};
    for (int d = 0; d < 2; d++)
        for (int i = 0; i < 5; i++)
            EXPECT(w[d * POINTS + i] == first[d][i]);
    OK(curandSetGeneratorOffset(g, 100));
    OK(curandGenerate(g, later.data(), later.size()));
    for (int d = 0; d < DIMENSIONS; d++)
        EXPECT(later[2 * d] == w[d * POINTS + 100] && later[2 * d + 1] == w[d * POINTS + 101]);
    EXPECT(curandGenerate(g, w.data(), DIMENSIONS + 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    EXPECT(curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
    OK(curandDestroyGenerator(g));
    OK(curandCreateGeneratorHost(&g, CURAND_RNG_QUASI_SOBOL64));
    OK(curandSetQuasiRandomGeneratorDimensions(g, DIMENSIONS));
    OK(curandGenerateUniformDouble(g, x.data(), x.size()));
    for (size_t i = 0; i < x.size(); i++)
        EXPECT(fabs(x[i] - w[i] / 4294967296.0) < 3e-10);
    EXPECT(curandGenerate(g, w.data(), DIMENSIONS) == CURAND_STATUS_TYPE_ERROR);
    OK(curandDestroyGenerator(g));
    /* The same in a kernel's words, from an offset on. */
    curandDirectionVectors32_t *vectors, *on_device;
    OK(curandGetDirectionVectors32(&vectors, CURAND_DIRECTION_VECTORS_32_JOEKUO6));
    unsigned *words, word[100];
    double *uniform, number;
    EXPECT(cudaMalloc(&on_device, sizeof *vectors) == cudaSuccess);
    EXPECT(cudaMalloc(&words, sizeof word) == cudaSuccess);
    EXPECT(cudaMalloc(&uniform, sizeof number) == cudaSuccess);
    EXPECT(cudaMemcpy(on_device, vectors[20], sizeof *vectors, cudaMemcpyHostToDevice) ==
           cudaSuccess);
    walk_sobol<<<1, 1>>>(on_device, words, uniform);
    EXPECT(cudaMemcpy(word + 5, words + 5, sizeof word - 5 * sizeof *word,
                      cudaMemcpyDeviceToHost) == cudaSuccess);
    EXPECT(cudaMemcpy(&number, uniform, sizeof number, cudaMemcpyDeviceToHost) == cudaSuccess);
    for (int i = 5; i < 100; i++)
        EXPECT(word[i] == w[20 * POINTS + i]);
    EXPECT(number == (w[20 * POINTS + 1000] + 1.0) / 4294967296.0);
    cudaFree(on_device);
    cudaFree(words);
    cudaFree(uniform);
}

int main() {
    for (const expected &e : EXPECTED) {
        check(e);
        check_double(e.type);
    }
    check_philox_places();
    check_sobol();
    printf("%s\n", failures ? "FAILED" : "all is well");
    return failures != 0;
}
