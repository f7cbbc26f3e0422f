/* step_main.c - `inspect` of a step: `run` without times, since an observed run is slow; and what
 * the article derived and measured for the step, which the report sets beside its counts. */
#include "cudacpu/inspect.h"
#include "multiply.h"
#include "report.h"
#include "step.h"

static void tell_facts(int n) {
    const double square = (double)n * n, cube = square * n;
    inspect_facts facts = {.name = this_step.name, .n = n, .flop = 2 * cube};
    if (this_step.loads) {
        facts.formula = this_step.loads;
        facts.loads = this_step.loads_n3 * cube + this_step.loads_n2 * square;
    }
    if (n == 1000) { /* the article's size */
        facts.total_seconds = this_step.article_total;
        facts.kernel_seconds = this_step.article_kernel;
    }
    tell_inspect(&facts);
}

int main(int argc, char **argv) {
    const options o = parse_options(argc, argv);
    tell_facts(o.n);
    device_info device;
    product p = multiply_on_device(&o, &device);
    const errors e = measure_errors(&p);
    if (o.csv) {
        print_csv(&p, &e, &device);
    } else {
        print_errors(&e);
        print_remarks(&p, &e);
        print_device(&device);
    }
    free_product(&p);
    require_output();
    require_tolerance(&e, o.n, 0);
    return 0;
}
