/* curand.cu - cuRAND's generators against words and numbers of cuRAND's own. Exit status 0 when all
 * is well. The same program runs with nvcc -lcurand on a GPU.
 *
 * Header: curand.h; covers: XORWOW and Philox in cuRAND's order, on device and host: words,
 * uniform, normal, log-normal; not: numbers in double, other generators and orders. */
#include <cuda_runtime.h>
#include <curand.h>
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
    EXPECT(curandGenerateNormal(g, numbers, 3, 0, 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
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
    OK(curandDestroyGenerator(g));
    cudaFree(words);
    cudaFree(numbers);
}

int main() {
    for (const expected &e : EXPECTED)
        check(e);
    printf("%s\n", failures ? "FAILED" : "all is well");
    return failures != 0;
}
