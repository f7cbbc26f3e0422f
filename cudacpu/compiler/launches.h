/* launches.h - launches become calls of the runtime. */
#ifndef CUDACPU_COMPILER_LAUNCHES_H
#define CUDACPU_COMPILER_LAUNCHES_H
#include <cstddef>

void rewrite_launch(size_t i); /* token i is the first < of <<< */
/* Is token i cudaLaunchKernel, cudaLaunchKernelEx or one of their kin, the next one a parenthesis?
 */
bool is_launch_call(size_t i);
void rewrite_launch_call(size_t i);
/* Token i is a kernel's name: where it is cast to void *, the runtime learns how to launch it. */
void rewrite_kernel_address(size_t i);

#endif
