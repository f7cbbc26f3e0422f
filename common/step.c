/* step.c - what follows from a step's facts. */
#include "step.h"
#include <math.h>

double step_limit(const step_facts *step, int n) {
    if (n <= step->tolerance_to)
        return step->tolerance;
    return step->reaches > 0 ? step->reaches : INFINITY;
}
