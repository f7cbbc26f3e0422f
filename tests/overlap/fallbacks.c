/* fallbacks.c - products whose sub-tiles go all the ways that a bound has, to be observed: by
 * matmultCUDA of the step that it is linked with. The report, with the faults, comes at the end. */
#include "../operands.h"
#include "matmult.h"
#include <stdlib.h>

int main(void) {
    enum { N = 321 }; /* three tiles each way: with four SMs some are split */
    static const operand_kind KINDS[] = {FALLBACKS, NORMAL};
    float *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b),
          *c = malloc(N * N * sizeof *c);
    if (!a || !b || !c)
        return 1;
    for (int i = 0; i < 2; i++) {
        fill_operand(a, N, N, KINDS[i], 0, 0);
        fill_operand(b, N, N, KINDS[i], 0, 1);
        matmultCUDA(a, N, b, N, c, N, N);
    }
    free(a), free(b), free(c);
    return 0;
}
