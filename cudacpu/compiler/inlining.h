/* inlining.h - functions with PTX are inlined where they are called: an instruction that a warp
 * executes together is one jump from lane to lane, and after it a return would be mispredicted. */
#ifndef CUDACPU_COMPILER_INLINING_H
#define CUDACPU_COMPILER_INLINING_H
#include <cstddef>

/* The function around token i, which has PTX or calls one that has: static ones and templates,
 * unless they may call themselves. False: it stays as it is. */
bool inline_around(size_t i);
bool is_inlined(size_t i); /* token i is the name of such a function, or of a namesake */

#endif
