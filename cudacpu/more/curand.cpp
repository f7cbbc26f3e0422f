/* curand.cpp - cuRAND's generators. Word n of XORWOW is number n / 4096 of subsequence n mod 4096
 * ("CURAND_ORDERING_PSEUDO_DEFAULT" in its guide); of Philox, which gives four words at once, they
 * are four of each of 65536 subsequences in turn; of MRG32k3a there are 81920 subsequences, and
 * 4096 in the legacy order. Of Sobol's sequence come all numbers of a dimension, then those of the
 * next. */
#include "curand.h"
#include "cuda_runtime.h"
#include "curand_kernel.h"
#include "sobol.h"
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <vector>

enum generator_kind { XORWOW, PHILOX, MRG, SOBOL_32, SOBOL_64 };
struct curandGenerator_st {
    generator_kind kind;
    bool on_host;
    unsigned dimensions; /* of Sobol's sequence */
    cudaStream_t stream;
    unsigned long long seed,
        next;     /* the number of the next word; of XORWOW and MRG its lane counts */
    size_t lanes; /* of XORWOW and MRG: subsequences; their states are empty until needed */
    std::vector<curandStateXORWOW_t> xorwow;
    std::vector<curandStateMRG32k3a_t> mrg;
    std::vector<unsigned> ahead; /* of Philox: by how many times four words each lane is */

    void forget() {
        xorwow.clear();
        mrg.clear();
        ahead.clear();
    }
};

namespace {

enum { XORWOW_LANES = 4096, PHILOX_LANES = 65536, MRG_LANES = 81920, MRG_LEGACY_LANES = 4096 };

std::set<curandGenerator_t> &generators = *new std::set<curandGenerator_t>();

/* Each call takes the next subsequence, of which one takes one word, or two that belong together.
 */
void skip_subsequence(curandStateXORWOW_t *s) { skipahead_sequence(1, s); }
void skip_subsequence(curandStateMRG32k3a_t *s) { skipahead_subsequence(1, s); }
template <class S> S *next_lane(curandGenerator_t g, std::vector<S> &states) {
    if (states.empty()) {
        states.resize(g->lanes);
        curand_init(g->seed, 0, g->next / g->lanes, &states[0]);
        for (size_t i = 1; i < g->lanes; i++) {
            states[i] = states[i - 1];
            skip_subsequence(&states[i]);
        }
        for (size_t i = 0; i < g->next % g->lanes; i++)
            curand(&states[i]);
    }
    return &states[g->next++ % g->lanes];
}
/* The words of Philox's number n, each of which has one of four places in a lane. Of doubles, the
 * third and the fourth place are of the lane's next four words, which the lane has left behind when
 * its turn comes again (measured: cuRAND of CUDA 13 on an H200). */
struct philox_words {
    unsigned w[4], place;
};
philox_words next_philox(curandGenerator_t g, bool is_double) {
    const unsigned long long n = g->next++, lane = n / 4 % PHILOX_LANES;
    const unsigned place = n % 4;
    unsigned long long block = n / 4 / PHILOX_LANES + (is_double && place >= 2);
    if (is_double)
        g->ahead.resize(PHILOX_LANES);
    if (!g->ahead.empty())
        block += g->ahead[lane];
    if (is_double && place == 3)
        g->ahead[lane]++;
    const uint4 four =
        cudacpu::philox(make_uint4((unsigned)block, (unsigned)(block >> 32), (unsigned)lane, 0),
                        make_uint2((unsigned)g->seed, (unsigned)(g->seed >> 32)));
    return {{four.x, four.y, four.z, four.w}, place};
}
/* draw: from the state of XORWOW's or MRG32k3a's next lane. */
template <class F> auto draw_next(curandGenerator_t g, F draw) {
    return g->kind == MRG ? draw(next_lane(g, g->mrg)) : draw(next_lane(g, g->xorwow));
}
unsigned next_word(curandGenerator_t g) {
    if (g->kind != PHILOX)
        return draw_next(g, [](auto *state) { return curand(state); });
    const philox_words p = next_philox(g, false);
    return p.w[p.place];
}
float next_float(curandGenerator_t g) {
    return g->kind == MRG ? curand_uniform(next_lane(g, g->mrg)) : cudacpu::uniform(next_word(g));
}
double next_double(curandGenerator_t g) {
    if (g->kind != PHILOX)
        return draw_next(g, [](auto *state) { return curand_uniform_double(state); });
    const philox_words p = next_philox(g, true);
    const unsigned *w = p.w + 2 * (p.place % 2);
    return cudacpu::uniform_double(w[0], w[1]);
}
float2 normal_pair(curandGenerator_t g, float) {
    return draw_next(g, [](auto *state) { return curand_normal2(state); });
}
double2 normal_pair(curandGenerator_t g, double) {
    return draw_next(g, [](auto *state) { return curand_normal2_double(state); });
}
float2 normal_pair(const philox_words &p, float) {
    const unsigned *w = p.w + p.place / 2 * 2;
    return cudacpu::normal_pair(w[0], w[1]);
}
double2 normal_pair(const philox_words &p, double) {
    return cudacpu::normal_pair_double(p.w[0], p.w[1], p.w[2], p.w[3]);
}
/* Normal numbers: of XORWOW and MRG32k3a they come in pairs, of Philox each has its place. */
template <class T> void fill_normal(curandGenerator_t g, T *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (g->kind == PHILOX) {
            const philox_words p = next_philox(g, sizeof(T) == sizeof(double));
            const auto pair = normal_pair(p, T());
            numbers[i] = p.place % 2 ? pair.y : pair.x;
        } else {
            const auto pair = normal_pair(g, T());
            numbers[i++] = pair.x;
            numbers[i] = pair.y;
        }
}

bool is_sobol(curandGenerator_t g) { return g->kind == SOBOL_32 || g->kind == SOBOL_64; }
curandStatus_t refuse(curandStatus_t status, const char *sentence) {
    fprintf(stderr, "cudacpu: warning: %s\n", sentence);
    return status;
}
/* convert: from a state to a number. */
template <class S, class V, class T, class C>
void fill_sobol(curandGenerator_t g, V *vectors, T *numbers, size_t count, C convert) {
    const size_t each = count / g->dimensions;
    for (unsigned d = 0; d < g->dimensions; d++) {
        S state;
        cudacpu::init_sobol(vectors[d], g->next, &state);
        for (size_t i = 0; i < each; i++)
            *numbers++ = convert(&state);
    }
    g->next += each;
}
template <class T, class C> void fill_sobol(curandGenerator_t g, T *to, size_t count, C convert) {
    if (g->kind == SOBOL_32)
        fill_sobol<curandStateSobol32_t>(g, cudacpu::sobol_vectors_32(), to, count, convert);
    else
        fill_sobol<curandStateSobol64_t>(g, cudacpu::sobol_vectors_64(), to, count, convert);
}

template <class T, class F>
curandStatus_t generate(curandGenerator_t g, T *to, size_t count, F fill) {
    if (!generators.count(g))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_sobol(g) && count % g->dimensions)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
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

/* next: a number of the generator; of Sobol's, convert makes one of a state. */
template <class T, class N, class C>
curandStatus_t generate_each(curandGenerator_t g, T *to, size_t count, N next, C convert) {
    return generate(g, to, count, [=](T *numbers) {
        if (is_sobol(g))
            fill_sobol(g, numbers, count, convert);
        else
            std::generate_n(numbers, count, [=] { return next(g); });
    });
}

/* finish: makes a number of one of mean 0 and deviation 1. */
template <class T, class F>
curandStatus_t generate_normal(curandGenerator_t g, T *to, size_t count, F finish) {
    if (generators.count(g) && is_sobol(g))
        return refuse(CURAND_STATUS_TYPE_ERROR,
                      "normal numbers of Sobol's sequence are not provided: generate uniform ones "
                      "and apply normcdfinv()");
    if (generators.count(g) && g->kind != PHILOX && count % 2)
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return generate(g, to, count, [=](T *numbers) {
        fill_normal(g, numbers, count);
        std::transform(numbers, numbers + count, numbers, finish);
    });
}

curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host) {
    static const std::map<curandRngType_t, generator_kind> KINDS = {
        {CURAND_RNG_PSEUDO_DEFAULT, XORWOW},  {CURAND_RNG_PSEUDO_XORWOW, XORWOW},
        {CURAND_RNG_PSEUDO_MRG32K3A, MRG},    {CURAND_RNG_PSEUDO_PHILOX4_32_10, PHILOX},
        {CURAND_RNG_QUASI_DEFAULT, SOBOL_32}, {CURAND_RNG_QUASI_SOBOL32, SOBOL_32},
        {CURAND_RNG_QUASI_SOBOL64, SOBOL_64}};
    const auto known = KINDS.find(type);
    if (known == KINDS.end())
        return CURAND_STATUS_TYPE_ERROR;
    const generator_kind kind = known->second;
    const size_t lanes = kind == MRG ? MRG_LANES : XORWOW_LANES;
    *generator = new curandGenerator_st{kind, on_host, 1, nullptr, 0, 0, lanes, {}, {}, {}};
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
    if (is_sobol(generator))
        return CURAND_STATUS_TYPE_ERROR;
    generator->seed = seed;
    generator->next = 0;
    generator->forget();
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    generator->next = offset;
    generator->forget();
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (is_sobol(generator))
        return order == CURAND_ORDERING_QUASI_DEFAULT ? CURAND_STATUS_SUCCESS
                                                      : CURAND_STATUS_OUT_OF_RANGE;
    if (order != CURAND_ORDERING_PSEUDO_BEST && order != CURAND_ORDERING_PSEUDO_DEFAULT &&
        order != CURAND_ORDERING_PSEUDO_LEGACY)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (generator->kind == MRG) {
        generator->lanes = order == CURAND_ORDERING_PSEUDO_LEGACY ? MRG_LEGACY_LANES : MRG_LANES;
        generator->forget();
    }
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return generators.count(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions) {
    if (!generators.count(generator))
        return CURAND_STATUS_NOT_INITIALIZED;
    if (!is_sobol(generator))
        return CURAND_STATUS_TYPE_ERROR;
    if (!dimensions || dimensions > 20000)
        return CURAND_STATUS_OUT_OF_RANGE;
    if (dimensions > cudacpu::SOBOL_DIMENSIONS)
        return refuse(CURAND_STATUS_OUT_OF_RANGE,
                      "Sobol's sequence has 21 dimensions here, of cuRAND's 20000: use several "
                      "generators, or Philox");
    generator->dimensions = dimensions;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set) {
    if (!vectors || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = cudacpu::sobol_vectors_32();
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set) {
    if (!vectors || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6)
        return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = cudacpu::sobol_vectors_64();
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *to, size_t count) {
    if (generators.count(g) && g->kind != SOBOL_64)
        return CURAND_STATUS_TYPE_ERROR;
    return generate_each(g, to, count, next_word, [](auto *state) { return curand(state); });
}
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *to, size_t count) {
    if (generators.count(g) && g->kind == SOBOL_64)
        return CURAND_STATUS_TYPE_ERROR;
    return generate_each(g, to, count, next_word, [](auto *state) { return curand(state); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *to, size_t count) {
    return generate_each(g, to, count, next_float,
                         [](auto *state) { return curand_uniform(state); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *to, size_t count) {
    return generate_each(g, to, count, next_double,
                         [](auto *state) { return curand_uniform_double(state); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                    float deviation) {
    return generate_normal(g, to, count, [=](float x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *to, size_t count, float mean,
                                       float deviation) {
    return generate_normal(g, to, count, [=](float x) { return expf(mean + deviation * x); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *to, size_t count,
                                          double mean, double deviation) {
    return generate_normal(g, to, count, [=](double x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *to, size_t count,
                                             double mean, double deviation) {
    return generate_normal(g, to, count, [=](double x) { return exp(mean + deviation * x); });
}

} /* extern "C" */
