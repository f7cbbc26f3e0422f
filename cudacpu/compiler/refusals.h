/* refusals.h - what is refused with a sentence: what a GPU alone can do, and what nvcc refuses but
 * a C++ compiler takes. */
#ifndef CUDACPU_COMPILER_REFUSALS_H
#define CUDACPU_COMPILER_REFUSALS_H
#include <cstddef>

void check_provided(size_t i); /* token i, an identifier */
void check_called(size_t i);   /* a kernel's name */
void check_kernel(size_t i);   /* a name before <<< that is no kernel's */

/* Is token i, a brace, that of a function that runs on the device alone? */
bool opens_device_code(size_t i);

#endif
