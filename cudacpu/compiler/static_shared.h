/* static_shared.h - how much static shared memory each kernel takes, which its compiled code tells.
 */
#ifndef CUDACPU_COMPILER_STATIC_SHARED_H
#define CUDACPU_COMPILER_STATIC_SHARED_H

/* The compiler's assembly (standard input) with a table of the kernels' variables, which the
 * runtime reads (runtime/symbols.cpp); tells_offset: with their offsets, as x86-64 can. False,
 * after a message that names the source: a kernel has more than 48 KB. */
bool write_kernel_table(const char *source, bool tells_offset);

#endif
