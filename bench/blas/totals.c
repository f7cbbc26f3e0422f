/* totals.c - how long a product takes: a line of CSV for each n. Linked with one matmultCUDA.
 *
 *     totals NAME N... */
#include "matgen.h"
#include "matmult.h"
#include "timing.h"
#include <stdio.h>
#include <stdlib.h>

enum { MOST_REPEATS = 201, FEWEST_REPEATS = 5 };
static const double ENOUGH_SECONDS = 2; /* in calls: then fewer repeats do */

static int measure(const char *name, int n) {
    const size_t bytes = (size_t)n * (size_t)n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes);
    double total[MOST_REPEATS], sum = 0;
    int repeats = 0;
    if (!a || !b || !c)
        return 0;
    matgen(a, n, n, n, 0);
    matgen(b, n, n, n, 1);
    const double first = matmultCUDA(a, n, b, n, c, n, n).total;
    while (repeats < FEWEST_REPEATS || (repeats < MOST_REPEATS && sum < ENOUGH_SECONDS)) {
        total[repeats] = matmultCUDA(a, n, b, n, c, n, n).total;
        sum += total[repeats++];
    }
    const double middle = median(total, repeats);
    printf("%s,%d,%d,%.7f,%.7f,%.7f,%.7f\n", name, n, repeats, first, middle, total[0],
           total[repeats - 1]);
    fflush(stdout);
    free(a), free(b), free(c);
    return 1;
}

int main(int argc, char **argv) {
    for (int i = 2; i < argc; i++)
        if (atoi(argv[i]) < 1 || !measure(argv[1], atoi(argv[i]))) {
            fprintf(stderr, "totals: cannot multiply matrices with n = %s\n", argv[i]);
            return 1;
        }
    return argc > 2 ? 0 : 2;
}
