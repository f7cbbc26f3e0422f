/* result.c - linked to the judge of a lab that has results of its own: which of its mistakes is it?
 */
#include "result.h"
#include <stdlib.h>

const char *lab_mistake(const char *variant, const double *a, const double *b,
                        const double *computed, int m, int n, int k) {
    double *c = calloc((size_t)m * (size_t)n, sizeof *c);
    const char *name = c ? "" : NULL;
    for (int which = 1, same = 0; name && !same; which++) {
        name = lab_result(which, variant, a, b, c, m, n, k);
        same = name != NULL;
        for (int i = 0; same && i < m * n; i++)
            same = c[i] == computed[i];
    }
    free(c);
    return name;
}
