/* kernels.h - a kernel is its own launch stub: called by the host, it launches itself. */
#ifndef CUDACPU_COMPILER_KERNELS_H
#define CUDACPU_COMPILER_KERNELS_H
#include <cstddef>

void find_kernels();           /* notes their names, once, before the rest */
bool is_kernel(size_t i);      /* token i has the name of one */
void rewrite_kernel(size_t i); /* token i is __global__ */
/* Token i begins __launch_bounds__ or __cluster_dims__, which C++ does not know. */
bool is_kernel_attribute(size_t i);
void drop_kernel_attribute(size_t i);

#endif
