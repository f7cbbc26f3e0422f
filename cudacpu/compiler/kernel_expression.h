/* kernel_expression.h - what stands before <<<: a kernel's name, or an expression that gives a
 * pointer to one. */
#ifndef CUDACPU_COMPILER_KERNEL_EXPRESSION_H
#define CUDACPU_COMPILER_KERNEL_EXPRESSION_H
#include <cstddef>

/* The first token of the postfix expression that ends before token end: k, a::k<int>, (c ? k : l),
 * table[i], a.b, a->b, f(), f<0>()(), T{}.k, [] { return k; }(). */
size_t find_kernel_begin(size_t end);

/* The last name of tokens begin to end - 1 where they are a name, in parentheses or not, else NONE:
 * k of &(a::k<int>). */
size_t find_kernel_name(size_t begin, size_t end);

#endif
