/* launches.h - launches become calls. */
#ifndef CUDACPU_COMPILER_LAUNCHES_H
#define CUDACPU_COMPILER_LAUNCHES_H
#include <cstddef>

void rewrite_launch(size_t i); /* token i is the first < of <<< */
/* Is token i cudaLaunchKernel, cudaLaunchKernelEx or one of their kin, the next one a parenthesis?
 */
bool is_launch_call(size_t i);
void rewrite_launch_call(size_t i);

#endif
