/* ranked_call.h - a call of matmultCUDA that several ranks perform. Chapter: docs/35_sharded.md
 */
#ifndef RANKED_CALL_H
#define RANKED_CALL_H
#include "matmult.h"
#include "ranks.h"
#ifdef __cplusplus
extern "C" {
#endif

/* The arguments of matmultCUDA. */
typedef struct ranked_call {
    const float *a;
    int lda;
    const float *b;
    int ldb;
    float *c;
    int ldc, n;
} ranked_call;

typedef struct shard_result {
    double kernel;    /* seconds */
    const char *note; /* for the result, of the first rank of a process; NULL: none */
} shard_result;

/* All ranks multiply their shards, from a barrier on. Kernel and total are the slowest rank's. */
matmult_result perform_call(const ranked_call *c,
                            shard_result (*multiply)(const rank *r, const ranked_call *c));

#ifdef __cplusplus
}
#endif
#endif
