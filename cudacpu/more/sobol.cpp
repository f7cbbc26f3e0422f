/* sobol.cpp - direction vectors of Sobol's sequence: S. Joe and F. Y. Kuo, "Constructing Sobol
 * sequences with better two-dimensional projections", SIAM Journal on Scientific Computing 30
 * (2008); the first dimensions of their table new-joe-kuo-6. */
#include "sobol.h"
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace cudacpu {
namespace {

/* Of a primitive polynomial its inner coefficients, as bits, and the first numbers. The first
 * dimension, van der Corput's sequence, has none. */
struct polynomial {
    unsigned degree, inner, first[7];
};
const polynomial POLYNOMIALS[SOBOL_DIMENSIONS - 1] = {{1, 0, {1}},
                                                      {2, 1, {1, 3}},
                                                      {3, 1, {1, 3, 1}},
                                                      {3, 2, {1, 1, 1}},
                                                      {4, 1, {1, 1, 3, 3}},
                                                      {4, 4, {1, 3, 5, 13}},
                                                      {5, 2, {1, 1, 5, 5, 17}},
                                                      {5, 4, {1, 1, 5, 5, 5}},
                                                      {5, 7, {1, 1, 7, 11, 19}},
                                                      {5, 11, {1, 1, 5, 1, 1}},
                                                      {5, 13, {1, 1, 1, 3, 11}},
                                                      {5, 14, {1, 3, 5, 5, 31}},
                                                      {6, 1, {1, 3, 3, 9, 7, 49}},
                                                      {6, 13, {1, 1, 1, 15, 21, 21}},
                                                      {6, 16, {1, 3, 1, 13, 27, 49}},
                                                      {6, 19, {1, 1, 1, 15, 7, 5}},
                                                      {6, 22, {1, 3, 1, 15, 13, 25}},
                                                      {6, 25, {1, 1, 5, 5, 19, 61}},
                                                      {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                      {7, 4, {1, 3, 7, 13, 13, 15, 69}}};

template <class word, unsigned BITS> void fill(unsigned dimension, word (&v)[BITS]) {
    if (dimension == 0) {
        for (unsigned k = 0; k < BITS; k++)
            v[k] = (word)1 << (BITS - 1 - k);
        return;
    }
    const polynomial &p = POLYNOMIALS[dimension - 1];
    for (unsigned k = 0; k < BITS; k++) {
        if (k < p.degree) {
            v[k] = (word)p.first[k] << (BITS - 1 - k);
            continue;
        }
        v[k] = v[k - p.degree] ^ v[k - p.degree] >> p.degree;
        for (unsigned i = 1; i < p.degree; i++)
            if (p.inner >> (p.degree - 1 - i) & 1)
                v[k] ^= v[k - i];
    }
}

/* It ends where its last page does. */
template <class vectors> vectors *make_table() {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = sizeof(vectors) * SOBOL_DIMENSIONS,
                 all = (bytes + page - 1) / page * page;
    char *const map = (char *)mmap(nullptr, all + page, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        abort();
    vectors *const table = (vectors *)(map + all - bytes);
    for (unsigned d = 0; d < SOBOL_DIMENSIONS; d++)
        fill(d, table[d]);
    mprotect(map, all, PROT_READ);
    mprotect(map + all, page, PROT_NONE);
    return table;
}

} // namespace

curandDirectionVectors32_t *sobol_vectors_32() {
    static curandDirectionVectors32_t *const table = make_table<curandDirectionVectors32_t>();
    return table;
}
curandDirectionVectors64_t *sobol_vectors_64() {
    static curandDirectionVectors64_t *const table = make_table<curandDirectionVectors64_t>();
    return table;
}

} // namespace cudacpu
