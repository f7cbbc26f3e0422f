/* step_main.c - `inspect` of a step: `run` without times, since an observed run is slow; and what
 * the article derived and measured for the step, which the report sets beside its counts. */
#include "cudacpu/inspect.h"
#include "multiply.h"
#include "report.h"
#include "step.h"
#include <stdio.h>
#include <string.h>

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

/* What inspect adds to the options of `run`, whose --help follows. */
static void print_own_help(void) {
    puts("inspect: what the kernel does to memory, counted, and its faults\n\n"
         "  --html FILE  a page that plays the kernel (n is then small where no -n is given)\n"
         "  --json FILE  the counts and the faults as JSON\n"
         "  --row        one row of `make inspect`'s table in place of the report\n"
         "  --seconds S  leave out blocks that have not begun after S seconds (1 to 86400)\n\n"
         "Exit status: 1 also where it found a fault. The other options are those of `run`:\n");
}

int main(int argc, char **argv) {
    int has_size = 0;
    for (int i = 1; i < argc; i++) {
        has_size = has_size || strcmp(argv[i], "-n") == 0;
        if (strcmp(argv[i], "--help") == 0)
            print_own_help();
    }
    options o = parse_options(argc, argv);
    if (is_page_wanted() && !has_size) /* what it shows legibly: a tile, or three small ones */
        o.n = this_step.tile > 48 ? this_step.tile : 48;
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
    require_tolerance(&e, o.n, 0, 0);
    return 0;
}
