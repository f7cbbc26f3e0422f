/* passes.h - the passes (rewrite.cpp has their order). Each goes over the tokens that it is about,
 * which the index of identifiers gives, and notes its edits; fail() ends it. */
#ifndef CUDACPU_COMPILER_PASSES_H
#define CUDACPU_COMPILER_PASSES_H
#include <string>
#include <vector>

/* All of them, in their order; behind the core's are those that another folder registers. */
std::vector<void (*)()> &passes();

/* Diagnostics: what nvcc refuses or a GPU does otherwise. */
void warn_of_arch_branches();        /* arch_branches.cpp: __CUDA_ARCH__ */
void warn_of_uninitialized_arrays(); /* uninitialized.cpp */
void check_kernel_calls();           /* launches.cpp: k(x) */

/* CUDA C++ to C++. */
void drop_function_attributes(); /* launch_stubs.cpp: __host__, __launch_bounds__, ... */
void make_launch_stubs();        /* launch_stubs.cpp: __global__ */
void rewrite_launches();         /* launches.cpp: k<<<g, b>>>(x) */
void rewrite_device_variables(); /* memory_spaces.cpp: __device__, __constant__, __managed__ */
void rewrite_shared_variables(); /* memory_spaces.cpp: __shared__ */
void lower_inline_ptx();         /* inline_ptx.cpp: asm("mov.b32 ...") */
void inline_ptx_functions();     /* always_inline.cpp */

/* What a thread does for the others; and, observed, for inspect. */
void rewrite_spin_loops();              /* spin_loops.cpp: while (*flag == 0); */
void rewrite_warp_synchronous_stores(); /* warp_synchronous.cpp: volatile */
void add_red_zones();                   /* red_zones.cpp: local arrays */

/* At the end of the file: objects that tell the runtime of the device variables that cannot be put
 * into their section. */
std::string device_variable_registrations();

/* After the compiler, on its assembly (standard input): adds a table of the kernels' static shared
 * memory, which the runtime reads (runtime/host/symbols.cpp); tells_offset: with the variables'
 * offsets, as x86-64 can. False, after a message that names the source: a kernel has more than 48
 * KB. */
bool write_kernel_table(const char *source, bool tells_offset); /* static_shared.cpp */

#endif
