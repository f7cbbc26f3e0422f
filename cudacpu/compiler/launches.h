/* launches.h - kernel<<<grid, block>>>(arguments) becomes a call. */
#ifndef CUDACPU_COMPILER_LAUNCHES_H
#define CUDACPU_COMPILER_LAUNCHES_H
#include <cstddef>

void rewrite_launch(size_t i); /* token i is the first < of <<< */

#endif
