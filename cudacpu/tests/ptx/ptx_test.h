/* ptx_test.h - what the test programs of PTX share: random numbers, hashes, and a line for each
 * case. A case whose result is exact prints its name and a hash of the result, which is the same on
 * every device; one that is not, its largest error in units of the bound. */
#ifndef PTX_TEST_H
#define PTX_TEST_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(call)                                                                           \
    do {                                                                                           \
        const cudaError_t error_ = (call);                                                         \
        if (error_ != cudaSuccess) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));        \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

static uint64_t random_state = 1;
static inline uint32_t random_bits(void) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static inline uint64_t hash_bytes(const void *bytes, size_t count) { /* FNV-1a */
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3u;
    return hash;
}

static int failed_cases;
static inline void report_exact(const char *name, const void *result, size_t bytes, size_t wrong) {
    printf("%s %016llx\n", name, (unsigned long long)hash_bytes(result, bytes));
    if (wrong > 0) {
        fprintf(stderr, "%s: %zu elements are wrong\n", name, wrong);
        failed_cases++;
    }
}
static inline void report_error(const char *name, double error) {
    printf("%s: largest error %.3f of the bound\n", name, error);
    if (!(error <= 1)) {
        fprintf(stderr, "%s: an error of %g times the bound\n", name, error);
        failed_cases++;
    }
}
static inline int report_end(void) {
    if (failed_cases > 0)
        fprintf(stderr, "%d cases failed\n", failed_cases);
    return failed_cases > 0;
}

/* Device memory with a copy of this, or with zeros. */
static inline void *to_device(const void *from, size_t bytes) {
    void *to;
    CUDA_CHECK(cudaMalloc(&to, bytes));
    CUDA_CHECK(from ? cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice)
                    : cudaMemset(to, 0, bytes));
    return to;
}
#endif
