/* main.c - `run`: makes two matrices, multiplies, compares, prints what the article prints. */
#include "multiply.h"
#include "report.h"

int main(int argc, char **argv) {
    const options o = parse_options(argc, argv);
    device_info device;
    product p = multiply_on_device(&o, &device);
    const errors e = measure_errors(&p);
    if (o.csv) {
        print_csv(&p, &e, &device);
    } else {
        print_errors(&e);
        print_total(&p);
        print_kernel(&p);
        print_remarks(&p, &e);
        print_device(&device);
    }
    free_product(&p);
    require_output();
    require_tolerance(&e, o.n, 0, 1);
    return 0;
}
