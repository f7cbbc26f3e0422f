/* multiply.c - a random product on the device: what `run` and `inspect` have in common. */
#include "multiply.h"
#include "matmult.h"
#include "step.h"

void require_device(device_info *device) {
    if (!find_device(device))
        end_program(1, "%s", device->why);
    if (!runs_target(device, this_step.target))
        end_program(77, "%s is for %s, and the compute capability of this device is %d.%d",
                    this_step.name, this_step.target, device->major, device->minor);
}

product multiply_on_device(const options *o, device_info *device) {
    require_device(device);
    require_memory(o->n, device);
    product p = make_product(o);
    for (int r = 0; r < p.repeats; r++) {
        poison_result(&p);
        const matmult_result result = matmultCUDA(p.a, p.n, p.b, p.n, p.c, p.n, p.n);
        p.total[r] = result.total;
        p.kernel[r] = result.kernel;
        p.note = result.note;
    }
    return p;
}
