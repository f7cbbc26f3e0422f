/* arch_branches.h - #if with __CUDA_ARCH__ in functions for host and device. */
#ifndef CUDACPU_COMPILER_ARCH_BRANCHES_H
#define CUDACPU_COMPILER_ARCH_BRANCHES_H

/* Warns of each in the program's own files: the source is compiled once, as the device's, and host
 * code that calls such a function gets the device's branch. */
void warn_of_arch_branches();

#endif
