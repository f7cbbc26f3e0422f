/* sobol.h - direction vectors of Sobol's sequence. */
#ifndef CUDACPU_RUNTIME_SOBOL_H
#define CUDACPU_RUNTIME_SOBOL_H
#include "curand.h"

namespace cudacpu {

enum { SOBOL_DIMENSIONS = 21 };

/* A vector of each dimension, read-only; what is read behind the last one is a fault. */
curandDirectionVectors32_t *sobol_vectors_32();
curandDirectionVectors64_t *sobol_vectors_64();

} // namespace cudacpu
#endif
