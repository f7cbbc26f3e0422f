/* faulty.c - a step whose n-th call of a function of CUDA or of POSIX fails; and what is left at
 * the end. Linked with --wrap for each of them.
 *
 *     faulty FUNCTION NTH N [CALLS]
 *
 * multiplies N x N matrices, CALLS times. The last line counts allocations of the device, pinned
 * allocations, and threads that were not freed or joined. */
#include "cuda_check.h"
#include "matgen.h"
#include "matmult.h"
#include <errno.h>
#include <pthread.h>
#include <string.h>

static const char *failing = "";
static int countdown; /* the call that fails is the one which makes it 0 */
static int on_device, pinned, threads;

static int fails(const char *function) {
    return strcmp(function, failing) == 0 && --countdown == 0;
}

/* With --wrap=f, calls of f go to __wrap_f, and __real_f is f. */
#define WRAP(result, function, parameters, arguments, error, then)                                 \
    result __real_##function parameters;                                                           \
    result __wrap_##function parameters;                                                           \
    result __wrap_##function parameters {                                                          \
        if (fails(#function))                                                                      \
            return error;                                                                          \
        const result status = __real_##function arguments;                                         \
        then;                                                                                      \
        return status;                                                                             \
    }
WRAP(cudaError_t, cudaMalloc, (void **p, size_t bytes), (p, bytes), cudaErrorMemoryAllocation,
     on_device += status == cudaSuccess)
WRAP(cudaError_t, cudaFree, (void *p), (p), cudaErrorInvalidValue,
     on_device -= p && status == cudaSuccess)
WRAP(cudaError_t, cudaMallocHost, (void **p, size_t bytes), (p, bytes), cudaErrorMemoryAllocation,
     pinned += status == cudaSuccess)
WRAP(cudaError_t, cudaFreeHost, (void *p), (p), cudaErrorInvalidValue,
     pinned -= status == cudaSuccess)
WRAP(cudaError_t, cudaMemcpyAsync,
     (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
     (to, from, bytes, kind, stream), cudaErrorInvalidValue, (void)0)
WRAP(cudaError_t, cudaStreamCreateWithFlags, (cudaStream_t * stream, unsigned flags),
     (stream, flags), cudaErrorMemoryAllocation, (void)0)
WRAP(cudaError_t, cudaEventRecord, (cudaEvent_t event, cudaStream_t stream), (event, stream),
     cudaErrorLaunchFailure, (void)0)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
     (thread, attributes, start, argument), EAGAIN, threads += status == 0)
WRAP(int, pthread_join, (pthread_t thread, void **value), (thread, value), EINVAL,
     threads -= status == 0)

static void print_left(void) {
    printf("left: %d of the device, %d pinned, %d threads\n", on_device, pinned, threads);
}

static float *make_matrix(int n, uint64_t seed) {
    float *matrix = malloc((size_t)n * (size_t)n * sizeof *matrix);
    if (!matrix)
        exit(3);
    matgen(matrix, n, n, n, seed);
    return matrix;
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    const int n = atoi(argv[3]), calls = argc > 4 ? atoi(argv[4]) : 1;
    atexit(print_left); /* registered first, so called last */
    failing = argv[1];
    countdown = atoi(argv[2]);
    float *a = make_matrix(n, 1), *b = make_matrix(n, 2), *c = make_matrix(n, 3),
          *reference = make_matrix(n, 4);
    matmult(a, n, b, n, reference, n, n);
    int wrong = 0;
    for (int i = 0; i < calls; i++) {
        memset(c, 0xff, (size_t)n * (size_t)n * sizeof *c);
        matmultCUDA(a, n, b, n, c, n, n);
        for (size_t j = 0; j < (size_t)n * (size_t)n; j++)
            wrong += !(c[j] <= 1.000001f * reference[j] && c[j] >= 0.999999f * reference[j]);
    }
    free(a), free(b), free(c), free(reference);
    return wrong ? 3 : 0;
}
