/* main_ranks.c - `run` of a step for several devices: as main.c, and the first rank reports. */
#include "multiply.h"
#include "ranks.h"
#include "report.h"
#include "step.h"
#include <stdio.h>

int main(int argc, char **argv) {
    const options o = parse_options(argc, argv);
    device_info device;
    require_device(&device);
    start_ranks(o.devices);
    product p = multiply_on_device(&o, &device);
    gather_rows(p.c, p.n, (size_t)this_step.tile);
    if (is_first_process()) {
        const errors e = measure_errors(&p);
        if (o.csv) {
            print_csv(&p, &e, &device);
        } else {
            print_errors(&e);
            print_total(&p);
            print_kernel(&p);
            print_remarks(&p, &e);
            if (describe_ranks())
                printf("Devices: %s\n", describe_ranks());
            print_device(&device);
        }
        require_output();
        require_tolerance(&e, o.n, 0, 1);
    }
    free_product(&p);
    return 0;
}
