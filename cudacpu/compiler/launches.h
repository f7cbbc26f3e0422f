/* launches.h - launches become calls of the runtime. */
#ifndef CUDACPU_COMPILER_LAUNCHES_H
#define CUDACPU_COMPILER_LAUNCHES_H
#include <cstddef>

void rewrite_launch(size_t i); /* token i is the first < of <<< */
/* Token i is cudaLaunchKernelEx or cudaLaunchKernelExC, the next one a parenthesis. */
void rewrite_launch_call(size_t i);

#endif
