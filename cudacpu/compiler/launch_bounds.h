/* launch_bounds.h - __launch_bounds__: what a launch may ask of a kernel. */
#ifndef CUDACPU_COMPILER_LAUNCH_BOUNDS_H
#define CUDACPU_COMPILER_LAUNCH_BOUNDS_H
#include <cstddef>

bool is_launch_bounds(size_t i);      /* token i begins the attribute that it is by then */
void drop_launch_bounds(size_t i);    /* which C++ does not know */
void rewrite_launch_bounds(size_t i); /* of the kernel of __global__ at token i */

#endif
