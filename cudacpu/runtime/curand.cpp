/* curand.cpp - cuRAND's generators. Word n of XORWOW is number n / 4096 of subsequence n mod 4096
 * ("CURAND_ORDERING_PSEUDO_DEFAULT" in its guide); of Philox, which gives four words at once, they
 * are four of each of 65536 subsequences in turn. */
#include "curand.h"
#include "cuda_runtime.h"
#include "curand_kernel.h"
#include <set>
#include <vector>

struct curandGenerator_st {
    bool is_xorwow, on_host;
    cudaStream_t stream;
    unsigned long long seed,
        next; /* next: the number of the next word; of XORWOW its lane counts */
    std::vector<curandStateXORWOW_t> lanes; /* XORWOW's subsequences; empty until they are needed */
};

namespace {

enum { XORWOW_LANES = 4096, PHILOX_LANES = 65536 };

std::set<curandGenerator_t> &generators = *new std::set<curandGenerator_t>();

/* Each call takes the next subsequence, of which one takes one word, or two that belong together.
 */
curandStateXORWOW_t *next_lane(curandGenerator_t g) {
    if (g->lanes.empty()) {
        g->lanes.resize(XORWOW_LANES);
        curand_init(g->seed, 0, g->next / XORWOW_LANES, &g->lanes[0]);
        for (size_t i = 1; i < XORWOW_LANES; i++) {
            g->lanes[i] = g->lanes[i - 1];
            skipahead_sequence(1, &g->lanes[i]);
        }
        for (size_t i = 0; i < g->next % XORWOW_LANES; i++)
            curand(&g->lanes[i]);
    }
    return &g->lanes[g->next++ % XORWOW_LANES];
}
unsigned philox_word(curandGenerator_t g) {
    const unsigned long long n = g->next++, block = n / 4 / PHILOX_LANES,
                             lane = n / 4 % PHILOX_LANES;
    const uint4 four =
        cudacpu::philox(make_uint4((unsigned)block, (unsigned)(block >> 32), (unsigned)lane, 0),
                        make_uint2((unsigned)g->seed, (unsigned)(g->seed >> 32)));
    const unsigned words[4] = {four.x, four.y, four.z, four.w};
    return words[n % 4];
}
unsigned next_word(curandGenerator_t g) {
    return g->is_xorwow ? curand(next_lane(g)) : philox_word(g);
}
float2 next_pair(curandGenerator_t g) {
    if (g->is_xorwow)
        return curand_normal2(next_lane(g));
    const unsigned x = philox_word(g), y = philox_word(g);
    return cudacpu::normal_pair(x, y);
}

template <class T, class F>
curandStatus_t generate(curandGenerator_t g, T *to, size_t count, F fill) {
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (cudaPeekAtLastError() != cudaSuccess)
        return CURAND_STATUS_PREEXISTING_FAILURE;
    if (!count)
        return CURAND_STATUS_SUCCESS;
    std::vector<T> numbers(count);
    fill(numbers.data());
    if (g->on_host) {
        std::memcpy(to, numbers.data(), count * sizeof(T));
        return CURAND_STATUS_SUCCESS;
    }
    return cudaMemcpyAsync(to, numbers.data(), count * sizeof(T), cudaMemcpyHostToDevice,
                           g->stream) == cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}

template <class F>
curandStatus_t generate_normal(curandGenerator_t g, float *to, size_t count, F finish) {
    if (count % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return generate(g, to, count, [=](float *numbers) {
        for (size_t i = 0; i < count; i += 2) {
            const float2 pair = next_pair(g);
            numbers[i] = finish(pair.x);
            numbers[i + 1] = finish(pair.y);
        }
    });
}

curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    if (type != CURAND_RNG_PSEUDO_DEFAULT && type != CURAND_RNG_PSEUDO_XORWOW &&
        type != CURAND_RNG_PSEUDO_PHILOX4_32_10)
        return CURAND_STATUS_TYPE_ERROR;
    *generator =
        new curandGenerator_st{type != CURAND_RNG_PSEUDO_PHILOX4_32_10, on_host, nullptr, 0, 0, {}};
    generators.insert(*generator);
    return CURAND_STATUS_SUCCESS;
}

} // namespace

extern "C" {

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type) {
    return create(generator, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    if (!generators.erase(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    delete generator;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->seed = seed;
    generator->next = 0;
    generator->lanes.clear();
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->next = offset;
    generator->lanes.clear();
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    return order == CURAND_ORDERING_PSEUDO_BEST || order == CURAND_ORDERING_PSEUDO_DEFAULT ||
                   order == CURAND_ORDERING_PSEUDO_LEGACY
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return generators.count(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count) {
    return generate(g, to, count, [=](unsigned *numbers) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = next_word(g);
    });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count) {
    return generate(g, to, count, [=](float *numbers) {
        for (size_t i = 0; i < count; i++)
            numbers[i] = cudacpu::uniform(next_word(g));
    });
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                    float deviation) {
    return generate_normal(g, to, count, [=](float x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                       float deviation) {
    return generate_normal(g, to, count, [=](float x) { return expf(mean + deviation * x); });
}

} /* extern "C" */
