/* volatile_stores.h - stores through volatile pointers, by which lanes of a warp speak. */
#ifndef CUDACPU_COMPILER_VOLATILE_STORES_H
#define CUDACPU_COMPILER_VOLATILE_STORES_H
#include <cstddef>

/* Token i, the word volatile, in code of the device or among its parameters. */
void rewrite_volatile(size_t i);

#endif
