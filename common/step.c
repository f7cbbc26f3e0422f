/* step.c - what follows from a step's facts. */
#include "step.h"
#include <math.h>

double step_limit(const step_facts *step, int n) {
    double limit = step->reaches > 0 ? step->reaches : INFINITY;
    if (n <= step->tolerance_to)
        limit = step->tolerance;
    for (const step_bound *bound = step->uniform; bound->n && bound->n <= n; bound++)
        limit = bound->error;
    return limit;
}
