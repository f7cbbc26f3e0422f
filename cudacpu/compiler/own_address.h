/* own_address.h - how the body of a kernel names the kernel's own address. */
#ifndef CUDACPU_COMPILER_OWN_ADDRESS_H
#define CUDACPU_COMPILER_OWN_ADDRESS_H
#include <cstddef>
#include <string>

/* An expression for the kernel of __global__ at token i, whose body begins with the brace at token
 * open: "&k", "&k<T, N>", or of several functions of the name "(void (*)(int *p))&k". Empty where
 * there is none. */
std::string own_address(size_t i, size_t open);

#endif
