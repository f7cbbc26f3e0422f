/* fallbacks.c - products whose sub-tiles go all the ways that a bound has, to be observed: by
 * matmultCUDA of the step that it is linked with. The report, with the faults, comes at the end.
 * Status 1 where too much goes to double as a whole: then these ways have not been observed. */
#include "../operands.h"
#include "matmult.h"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    enum { MOST = 385 };
    static const struct {
        operand_kind kind;
        int n;
    } PRODUCTS[] = {{FALLBACKS, MOST}, /* at n = 321 too much of C would need double */
                    {NORMAL, 321}};    /* three tiles each way: with four SMs some are split */
    float *a = malloc(MOST * MOST * sizeof *a), *b = malloc(MOST * MOST * sizeof *b),
          *c = malloc(MOST * MOST * sizeof *c);
    if (!a || !b || !c)
        return 1;
    unsigned has_next = 0; /* the step: where its bound rejects, there are next products */
    for (int i = 0; i < 2; i++) {
        const int n = PRODUCTS[i].n;
        fill_operand(a, n, n, PRODUCTS[i].kind, 0, 0);
        fill_operand(b, n, n, PRODUCTS[i].kind, 0, 1);
        const char *note = matmultCUDA(a, n, b, n, c, n, n).note;
        unsigned all = 0, next = 0, in_double = 0;
        if (note)
            sscanf(note, "of %u sub-tiles %u got the next products, %u were computed in double",
                   &all, &next, &in_double);
        if (i == 0 ? in_double == 0 || in_double >= all : next < has_next) {
            fprintf(stderr, "n = %d: %s\n", n, note ? note : "no note");
            return 1;
        }
        has_next = next > 0;
    }
    free(a), free(b), free(c);
    return 0;
}
