/* polling.h - loops of a kernel that wait for what another thread writes. */
#ifndef CUDACPU_COMPILER_POLLING_H
#define CUDACPU_COMPILER_POLLING_H
#include <cstddef>

/* Token i is while, do or for in a function of the device. */
void rewrite_polling(size_t i);

/* Token i is goto there. */
void rewrite_goto(size_t i);

#endif
