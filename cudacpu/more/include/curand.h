/* curand.h - random numbers in memory: XORWOW, Philox 4x32-10 and MRG32k3a, in cuRAND's order, and
 * Sobol's sequence. Of cuRAND's options those that change nothing but the speed are taken. */
#ifndef CUDACPU_CURAND_H
#define CUDACPU_CURAND_H
#define CURAND_H_ /* NVIDIA's guard, which helper_cuda.h asks for */
#include "cuda_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum curandStatus {
    CURAND_STATUS_SUCCESS = 0,
    CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102,
    CURAND_STATUS_TYPE_ERROR = 103,
    CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
    CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
    CURAND_STATUS_LAUNCH_FAILURE = 201,
    CURAND_STATUS_PREEXISTING_FAILURE = 202,
    CURAND_STATUS_INITIALIZATION_FAILED = 203,
    CURAND_STATUS_ARCH_MISMATCH = 204,
    CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
    CURAND_RNG_PSEUDO_DEFAULT = 100,
    CURAND_RNG_PSEUDO_XORWOW = 101,
    CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200,
    CURAND_RNG_QUASI_SOBOL32 = 201,
    CURAND_RNG_QUASI_SOBOL64 = 203
} curandRngType_t;
typedef enum curandOrdering {
    CURAND_ORDERING_PSEUDO_BEST = 100,
    CURAND_ORDERING_PSEUDO_DEFAULT = 101,
    CURAND_ORDERING_PSEUDO_LEGACY = 103,
    CURAND_ORDERING_QUASI_DEFAULT = 201 /* all numbers of a dimension, then those of the next */
} curandOrdering_t;
typedef enum curandDirectionVectorSet {
    CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101,
    CURAND_DIRECTION_VECTORS_64_JOEKUO6 = 103
} curandDirectionVectorSet_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef struct curandGenerator_st *curandGenerator_t;

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
/* Of cuRAND's 20000 dimensions there are 21, here and in the tables; behind a table's end is no
 * memory. */
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned dimensions);
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                           curandDirectionVectorSet_t set);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *to, size_t count);
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *to,
                                      size_t count); /* of Sobol's with 64 bits alone */
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *to, size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *to, size_t count);
/* count is even. */
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *to, size_t count,
                                    float mean, float deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *to, size_t count,
                                       float mean, float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *to, size_t count,
                                          double mean, double deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *to, size_t count,
                                             double mean, double deviation);

#ifdef __cplusplus
}
#endif
#endif
