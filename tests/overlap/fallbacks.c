/* fallbacks.c - products whose sub-tiles go all the ways that a bound has, to be observed: by
 * matmultCUDA of the step that it is linked with. The report, with the faults, comes at the end.
 * Status 1 where too much goes to double as a whole: then these ways have not been observed. */
#include "../operands.h"
#include "matmult.h"
#include "step.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    enum { N = 321 }; /* three tiles each way: with four SMs some are split */
    /* B has no fallbacks: one of its columns would spoil a third of C, and all be in double. */
    static const operand_kind OF_A[] = {FALLBACKS, NORMAL}, OF_B[] = {UNIFORM, NORMAL};
    float *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b),
          *c = malloc(N * N * sizeof *c);
    if (!a || !b || !c)
        return 1;
    /* Without next products normal operands are all in double. */
    const bool has_next = this_step.rejected == NEXT_PRODUCTS;
    for (int i = 0; i < (has_next ? 2 : 1); i++) {
        fill_operand(a, N, N, OF_A[i], 0, 0);
        fill_operand(b, N, N, OF_B[i], 0, 1);
        const char *note = matmultCUDA(a, N, b, N, c, N, N).note;
        unsigned all = 0, next = 0, in_double = 0;
        if (note)
            sscanf(note, "of %u sub-tiles %u got the next products, %u were computed in double",
                   &all, &next, &in_double);
        if ((i == 0 && in_double == 0) || in_double >= all || (has_next && next == 0)) {
            fprintf(stderr, "A of %s: %s\n", operand_names[OF_A[i]], note ? note : "no note");
            return 1;
        }
    }
    free(a), free(b), free(c);
    return 0;
}
