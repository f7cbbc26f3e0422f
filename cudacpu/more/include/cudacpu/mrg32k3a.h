/* mrg32k3a.h - the generator MRG32k3a: two linear recurrences of order 3, whose difference is the
 * number: P. L'Ecuyer, "Good parameters and implementations for combined multiple recursive random
 * number generators", Operations Research 47 (1999). Subsequences and sequences are those of
 * cuRAND's header, 2^76 and 2^127 numbers long; its guide also says 2^67 of the first. */
#ifndef CUDACPU_MRG32K3A_H
#define CUDACPU_MRG32K3A_H
#include "cuda_runtime.h"

typedef struct curandStateMRG32k3a {
    unsigned s1[3], s2[3]; /* the last three of each recurrence */
    int has_normal, has_normal_double;
    float normal;
    double normal_double;
} curandStateMRG32k3a_t;

namespace cudacpu {

enum : unsigned { MRG_MODULUS_1 = 4294967087u, MRG_MODULUS_2 = 4294944443u };

/* Advances the state by n * 2^power numbers. */
void skip_mrg(unsigned *s1, unsigned *s2, unsigned long long n, unsigned power);

/* From 1 to the first modulus. */
inline unsigned next_mrg(curandStateMRG32k3a_t *s) {
    const unsigned long long first = 1403580ull * s->s1[1] + 810728ull * (MRG_MODULUS_1 - s->s1[0]),
                             second =
                                 527612ull * s->s2[2] + 1370589ull * (MRG_MODULUS_2 - s->s2[0]);
    const unsigned p1 = (unsigned)(first % MRG_MODULUS_1), p2 = (unsigned)(second % MRG_MODULUS_2);
    for (int i = 0; i < 2; i++) {
        s->s1[i] = s->s1[i + 1];
        s->s2[i] = s->s2[i + 1];
    }
    s->s1[2] = p1;
    s->s2[2] = p2;
    return p1 > p2 ? p1 - p2 : p1 - p2 + MRG_MODULUS_1;
}
inline double uniform_mrg(curandStateMRG32k3a_t *s) {
    return next_mrg(s) * 2.3283065498378288e-10; /* (0, 1] */
}
/* Box and Muller's pair. */
inline float2 draw_pair(curandStateMRG32k3a_t *s) {
    const float length = sqrtf(-2.0f * logf((float)uniform_mrg(s)));
    const float angle = (float)uniform_mrg(s) * 6.2831855f;
    return make_float2(sinf(angle) * length, cosf(angle) * length);
}
inline double2 draw_pair_double(curandStateMRG32k3a_t *s) {
    const double length = sqrt(-2.0 * log(uniform_mrg(s)));
    const double angle = uniform_mrg(s) * 2.0 * 3.1415926535897932;
    return make_double2(sin(angle) * length, cos(angle) * length);
}

} // namespace cudacpu

static inline void skipahead(unsigned long long n, curandStateMRG32k3a_t *s) {
    ::cudacpu::skip_mrg(s->s1, s->s2, n, 0);
}
static inline void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t *s) {
    ::cudacpu::skip_mrg(s->s1, s->s2, n & ((1ull << 51) - 1), 76);
}
static inline void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t *s) {
    ::cudacpu::skip_mrg(s->s1, s->s2, n, 127);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence,
                               unsigned long long offset, curandStateMRG32k3a_t *s) {
    const unsigned long long words[2] = {(unsigned)seed ^ 0x55555555u,
                                         (unsigned)(seed >> 32) ^ 0xaaaaaaaau};
    for (int i = 0; i < 3; i++) { /* seed 0: the published state */
        s->s1[i] = (unsigned)((seed ? words[i & 1] : 1) * 12345 % ::cudacpu::MRG_MODULUS_1);
        s->s2[i] = (unsigned)((seed ? words[~i & 1] : 1) * 12345 % ::cudacpu::MRG_MODULUS_2);
    }
    s->has_normal = s->has_normal_double = 0;
    s->normal = 0; /* so that a copy of the state reads nothing that is not written */
    s->normal_double = 0;
    skipahead_subsequence(subsequence, s);
    skipahead(offset, s);
}
static inline unsigned curand(curandStateMRG32k3a_t *s) {
    return (unsigned)(::cudacpu::next_mrg(s) * 1.000000048662); /* of 32 bits */
}
#endif
