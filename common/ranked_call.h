/* ranked_call.h - a call of matmultCUDA that several ranks perform. Chapter: docs/84_many_gpus.md
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

typedef struct share_result {
    double kernel;               /* seconds */
    unsigned long long count[2]; /* for the notes */
} share_result;

/* All ranks multiply their shares, from a barrier on. Kernel and total are the slowest rank's. note
 * and second_note stand behind the sums of the counts where these are not 0. */
matmult_result perform_call(const ranked_call *c,
                            share_result (*multiply)(const rank *r, const ranked_call *c),
                            const char *note, const char *second_note);

#ifdef __cplusplus
}
#endif
#endif
