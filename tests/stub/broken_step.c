/* broken_step.c - stands in the suite for a step that does not compile, so that the others are
 * still checked. */
#include "matmult.h"
#include <stdio.h>
#include <stdlib.h>

#ifdef STEP_IS_CPU
void matmult(const float *a, int lda, const float *b, int ldb, float *c, int ldc, int n) {
    (void)a, (void)lda, (void)b, (void)ldb, (void)c, (void)ldc, (void)n;
    fprintf(stderr, "%s does not compile\n", STEP);
    exit(1);
}
#else
matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c, int ldc,
                           int n) {
    (void)a, (void)lda, (void)b, (void)ldb, (void)c, (void)ldc, (void)n;
    fprintf(stderr, "%s does not compile\n", STEP);
    exit(1);
}
#endif
