/* below_target.c - stands for a step in a build for a target that the step does not
 * compile for: says what it needs, and exits with 77. */
#include "matmult.h"
#include <stdio.h>
#include <stdlib.h>

matmult_result matmultCUDA(const float *a, int lda, const float *b, int ldb, float *c,
                           int ldc, int n) {
    (void)a, (void)lda, (void)b, (void)ldb, (void)c, (void)ldc, (void)n;
    fprintf(stderr, "%s needs a build for %s (make ARCH=%s); this is one for %s\n", STEP,
            NEEDED, NEEDED, ARCH);
    exit(77);
}
