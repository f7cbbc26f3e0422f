/* curand_kernel.h - random numbers in kernels: XORWOW, Philox 4x32-10 and MRG32k3a
 * (cudacpu/mrg32k3a.h), with cuRAND's sequences.
 * XORWOW: G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8 (2003); Philox: Salmon,
 * Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11. Integers have a GPU's
 * bits; so have uniform numbers, compiled without contraction; of normal ones a GPU approximates
 * sine and cosine. Sobol's sequence is in Gray code order: Antonov and Saleev, USSR Computational
 * Mathematics 19 (1979). Absent: MTGP32, scrambled and normal numbers of Sobol, Poisson.
 */
#ifndef CUDACPU_CURAND_KERNEL_H
#define CUDACPU_CURAND_KERNEL_H
#include "cuda_runtime.h"
#include "cudacpu/mrg32k3a.h"
#include "curand.h"

typedef struct curandStateXORWOW {
    unsigned d, v[5];
    int has_normal, has_normal_double; /* the second one of a pair */
    float normal;
    double normal_double;
} curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    unsigned next; /* of the output's four words */
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
} curandStatePhilox4_32_10_t;
typedef struct curandStateSobol32 {
    unsigned i, x;
    unsigned direction_vectors[32];
} curandStateSobol32_t;
typedef struct curandStateSobol64 {
    unsigned long long i, x;
    unsigned long long direction_vectors[64];
} curandStateSobol64_t;

namespace cudacpu {

/* Advances the five words by subsequence 2^67 + offset steps. */
void skip_xorwow(unsigned *v, unsigned long long subsequence, unsigned long long offset);

inline uint4 philox(uint4 c, uint2 k) {
    for (int round = 0; round < 10; round++) {
        const uint64_t x = (uint64_t)0xD2511F53u * c.x, z = (uint64_t)0xCD9E8D57u * c.z;
        c = make_uint4((unsigned)(z >> 32) ^ c.y ^ k.x, (unsigned)z,
                       (unsigned)(x >> 32) ^ c.w ^ k.y, (unsigned)x);
        k.x += 0x9E3779B9u;
        k.y += 0xBB67AE85u;
    }
    return c;
}
inline void advance(unsigned *low, unsigned *high, unsigned long long by) {
    const unsigned long long sum = ((unsigned long long)*high << 32 | *low) + by;
    *low = (unsigned)sum;
    *high = (unsigned)(sum >> 32);
}
inline void advance_counter(uint4 *c, unsigned long long by) {
    const unsigned long long before = (unsigned long long)c->y << 32 | c->x;
    advance(&c->x, &c->y, by);
    if (((unsigned long long)c->y << 32 | c->x) < before)
        advance(&c->z, &c->w, 1);
}

inline float uniform(unsigned x) {
    return (float)x * 2.3283064e-10f + 2.3283064e-10f / 2.0f; /* (0, 1] */
}
inline double uniform_double(unsigned x, unsigned y) {
    const unsigned long long z = (unsigned long long)x ^ (unsigned long long)y << 21;
    return (double)z * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
inline double uniform_double(unsigned x) {
    return (double)x * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
inline double uniform_double(unsigned long long x) {
    return (double)(x >> 11) * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
/* Box and Muller's pair. */
inline float2 normal_pair(unsigned x, unsigned y) {
    const float angle = (float)y * (2.3283064e-10f * 6.2831855f) + 2.3283064e-10f * 6.2831855f / 2;
    const float length = sqrtf(-2.0f * logf(uniform(x)));
    return make_float2(sinf(angle) * length, cosf(angle) * length);
}
inline double2 normal_pair_double(unsigned a, unsigned b, unsigned c, unsigned d) {
    const unsigned long long z = (unsigned long long)c ^ (unsigned long long)d << 21;
    const double angle = (double)z * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
    const double length = sqrt(-2.0 * log(uniform_double(a, b)));
    return make_double2(sin(angle * 3.1415926535897932) * length,
                        cos(angle * 3.1415926535897932) * length);
}
template <class S> float2 draw_pair(S *state) {
    const unsigned x = curand(state), y = curand(state);
    return normal_pair(x, y);
}
template <class S> double2 draw_pair_double(S *state) {
    const unsigned a = curand(state), b = curand(state), c = curand(state), d = curand(state);
    return normal_pair_double(a, b, c, d);
}

/* Number i is the sum of the vectors of the bits of i's Gray code; the next one differs by one. */
template <class S> void skip_sobol(unsigned long long n, S *s) {
    s->i += n;
    s->x = 0;
    auto gray = s->i ^ s->i >> 1;
    for (int bit = 0; gray; gray >>= 1, bit++)
        if (gray & 1)
            s->x ^= s->direction_vectors[bit];
}
template <class S, class V> void init_sobol(const V *vectors, unsigned long long offset, S *s) {
    memcpy(s->direction_vectors, vectors, sizeof s->direction_vectors);
    s->i = 0;
    skip_sobol(offset, s);
}
template <class S> auto next_sobol(S *s) {
    const auto x = s->x;
    const int bit = __builtin_ffsll((long long)~(unsigned long long)s->i) - 1;
    s->x ^= s->direction_vectors[bit & (8 * (int)sizeof s->x - 1)];
    s->i++;
    return x;
}

} // namespace cudacpu

static inline void skipahead(unsigned n, curandStateSobol32_t *s) { ::cudacpu::skip_sobol(n, s); }
static inline void skipahead(unsigned long long n, curandStateSobol64_t *s) {
    ::cudacpu::skip_sobol(n, s);
}
static inline void curand_init(curandDirectionVectors32_t vectors, unsigned offset,
                               curandStateSobol32_t *s) {
    ::cudacpu::init_sobol(vectors, offset, s);
}
static inline void curand_init(curandDirectionVectors64_t vectors, unsigned long long offset,
                               curandStateSobol64_t *s) {
    ::cudacpu::init_sobol(vectors, offset, s);
}
static inline unsigned curand(curandStateSobol32_t *s) { return ::cudacpu::next_sobol(s); }
static inline unsigned long long curand(curandStateSobol64_t *s) {
    return ::cudacpu::next_sobol(s);
}

static inline void skipahead(unsigned long long n, curandStateXORWOW_t *s) {
    ::cudacpu::skip_xorwow(s->v, 0, n);
    s->d += 362437u * (unsigned)n;
}
static inline void skipahead_sequence(unsigned long long n, curandStateXORWOW_t *s) {
    ::cudacpu::skip_xorwow(s->v, n, 0);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateXORWOW_t *s) {
    const unsigned low = 1099087573u * ((unsigned)seed ^ 0xaad26b49u),
                   high = 2591861531u * ((unsigned)(seed >> 32) ^ 0xf7dcefddu);
    s->d = 6615241u + high + low;
    s->v[0] = 123456789u + low;
    s->v[1] = 362436069u ^ low;
    s->v[2] = 521288629u + high;
    s->v[3] = 88675123u ^ high;
    s->v[4] = 5783321u + low;
    s->has_normal = s->has_normal_double = 0;
    s->normal = 0; /* so that a copy of the state reads nothing that is not written */
    s->normal_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}
static inline unsigned curand(curandStateXORWOW_t *s) {
    const unsigned t = s->v[0] ^ s->v[0] >> 2;
    for (int i = 0; i < 4; i++)
        s->v[i] = s->v[i + 1];
    s->v[4] = s->v[4] ^ s->v[4] << 4 ^ (t ^ t << 1);
    s->d += 362437;
    return s->v[4] + s->d;
}

static inline void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s) {
    s->next += (unsigned)(n & 3);
    ::cudacpu::advance_counter(&s->counter, n / 4 + s->next / 4);
    s->next &= 3;
    s->output = ::cudacpu::philox(s->counter, s->key);
}
static inline void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t *s) {
    ::cudacpu::advance(&s->counter.z, &s->counter.w, n);
    s->output = ::cudacpu::philox(s->counter, s->key);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStatePhilox4_32_10_t *s) {
    s->counter = make_uint4(0, 0, 0, 0);
    s->key = make_uint2((unsigned)seed, (unsigned)(seed >> 32));
    s->next = 0;
    s->has_normal = s->has_normal_double = 0;
    s->normal = 0; /* so that a copy of the state reads nothing that is not written */
    s->normal_double = 0;
    skipahead_sequence(subsequence, s);
    skipahead(offset, s);
}
static inline unsigned curand(curandStatePhilox4_32_10_t *s) {
    const uint4 o = s->output;
    const unsigned words[4] = {o.x, o.y, o.z, o.w}, word = words[s->next];
    if (++s->next == 4)
        skipahead(0, s);
    return word;
}
static inline uint4 curand4(curandStatePhilox4_32_10_t *s) {
    const unsigned x = curand(s), y = curand(s), z = curand(s), w = curand(s);
    return make_uint4(x, y, z, w);
}
static inline float4 curand_uniform4(curandStatePhilox4_32_10_t *s) {
    using ::cudacpu::uniform;
    const uint4 x = curand4(s);
    return make_float4(uniform(x.x), uniform(x.y), uniform(x.z), uniform(x.w));
}
static inline float4 curand_normal4(curandStatePhilox4_32_10_t *s) {
    const uint4 x = curand4(s);
    const float2 a = ::cudacpu::normal_pair(x.x, x.y), b = ::cudacpu::normal_pair(x.z, x.w);
    return make_float4(a.x, a.y, b.x, b.y);
}

/* Of all generators: of the upper 32 bits where there are 64. */
template <class S> float curand_uniform(S *s) { return ::cudacpu::uniform(curand(s)); }
static inline float curand_uniform(curandStateMRG32k3a_t *s) {
    return (float)::cudacpu::uniform_mrg(s);
}
static inline double curand_uniform_double(curandStateMRG32k3a_t *s) {
    return ::cudacpu::uniform_mrg(s);
}
static inline float curand_uniform(curandStateSobol64_t *s) {
    return ::cudacpu::uniform((unsigned)(curand(s) >> 32));
}
static inline double curand_uniform_double(curandStateXORWOW_t *s) {
    const unsigned x = curand(s), y = curand(s);
    return ::cudacpu::uniform_double(x, y);
}
/* Of 32 bits alone. */
static inline double curand_uniform_double(curandStatePhilox4_32_10_t *s) {
    return ::cudacpu::uniform_double(curand(s));
}
static inline double curand_uniform_double(curandStateSobol32_t *s) {
    return ::cudacpu::uniform_double(curand(s));
}
static inline double curand_uniform_double(curandStateSobol64_t *s) {
    return ::cudacpu::uniform_double((unsigned long long)curand(s));
}
/* Pairs of words would destroy what Sobol's sequence is for. */
#define CUDACPU_NO_SOBOL(S)                                                                        \
    static_assert(                                                                                 \
        !std::is_same<S, curandStateSobol32_t>::value &&                                           \
            !std::is_same<S, curandStateSobol64_t>::value,                                         \
        "cudacpu does not provide normal numbers of Sobol's sequence: apply normcdfinv() "         \
        "to curand_uniform_double()")
#define CUDACPU_NORMAL(number, end, kept)                                                          \
    template <class S> number##2 curand_normal2##end(S *s) {                                       \
        CUDACPU_NO_SOBOL(S);                                                                       \
        return ::cudacpu::draw_pair##end(s);                                                       \
    }                                                                                              \
    template <class S> number curand_normal##end(S *s) {                                           \
        CUDACPU_NO_SOBOL(S);                                                                       \
        if (s->has_##kept) {                                                                       \
            s->has_##kept = 0;                                                                     \
            return s->kept;                                                                        \
        }                                                                                          \
        const number##2 pair = curand_normal2##end(s);                                             \
        s->kept = pair.y;                                                                          \
        s->has_##kept = 1;                                                                         \
        return pair.x;                                                                             \
    }                                                                                              \
    template <class S> number curand_log_normal##end(S *s, number mean, number deviation) {        \
        return std::exp(mean + deviation * curand_normal##end(s));                                 \
    }
CUDACPU_NORMAL(float, , normal)
CUDACPU_NORMAL(double, _double, normal_double)
#undef CUDACPU_NORMAL
#undef CUDACPU_NO_SOBOL
#endif
