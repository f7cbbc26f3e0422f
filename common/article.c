/* article.c - the article's formulas and its figures at n = 1000 on a GeForce 8800GT. */
#include "article.h"
#include <string.h>

static const struct {
    const char *step, *formula;
    double n3, n2;                        /* words = n3 n^3 + n2 n^2 */
    double total_seconds, kernel_seconds; /* 0: not given */
} STEPS[] = {
    {"02_naive_cuda", "2 n^3", 2, 0, 1.156, 0},
    {"03_kahan", "2 n^3", 2, 0, 1.156, 0},
    {"04_row_shared", "n^3 + n^2", 1, 1, 0.422, 0},
    {"05_pitched", "n^3 + n^2", 1, 1, 0.125, 0.09},
    {"06_tiled", "2 n^3 / 16", 2.0 / 16, 0, 0.078, 0.053},
    {"07_padded_noif", "2 n^3 / 16", 2.0 / 16, 0, 0.078, 0.042},
};

inspect_facts article_facts(const char *step, int n) {
    const double square = (double)n * n, cube = square * n;
    inspect_facts facts = {step, n, 2 * cube, NULL, 0, 0, 0};
    for (size_t i = 0; i < sizeof STEPS / sizeof STEPS[0]; i++)
        if (strcmp(step, STEPS[i].step) == 0) {
            facts.formula = STEPS[i].formula;
            facts.loads = STEPS[i].n3 * cube + STEPS[i].n2 * square;
            if (n == 1000) {
                facts.total_seconds = STEPS[i].total_seconds;
                facts.kernel_seconds = STEPS[i].kernel_seconds;
            }
        }
    return facts;
}
