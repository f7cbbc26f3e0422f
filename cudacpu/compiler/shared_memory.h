/* shared_memory.h - __shared__ variables become thread-local ones or references. */
#ifndef CUDACPU_COMPILER_SHARED_MEMORY_H
#define CUDACPU_COMPILER_SHARED_MEMORY_H
#include <cstddef>

/* extern __shared__ T x[]...; token i begins it, token shared is __shared__. Within a function it
 * becomes a reference, in a namespace an object: where it is used, a call of it. Returns the token
 * of the semicolon. */
size_t rewrite_dynamic_shared(size_t i, size_t shared, bool in_function);
/* Is token i, within the body of a function or class that begins at token body, such an array? */
bool is_dynamic_array(size_t i, size_t body);
void rewrite_dynamic_use(size_t i);
void rewrite_static_shared(size_t i); /* token i is __shared__ */

#endif
