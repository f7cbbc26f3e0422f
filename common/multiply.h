/* multiply.h - a random product on the device: what `run` and `inspect` have in common. */
#ifndef MULTIPLY_H
#define MULTIPLY_H
#include "product.h"
#ifdef __cplusplus
extern "C" {
#endif

/* Finds the device. Ends the program with a sentence and status 1 where there is none, 77 where it
 * is not one that the step was made for. */
void require_device(device_info *device);

/* The same, makes the matrices and multiplies them o->repeats times. Ends the program with a
 * sentence and status 1 where there is not enough memory. */
product multiply_on_device(const options *o, device_info *device);

#ifdef __cplusplus
}
#endif
#endif
