/* variables.h - __device__, __constant__ and __managed__ before a function or a variable. */
#ifndef CUDACPU_COMPILER_VARIABLES_H
#define CUDACPU_COMPILER_VARIABLES_H
#include <cstddef>
#include <string>

/* Is it one of these words? */
bool is_space_word(size_t i);
/* The word at token i goes. A variable is put into the section of those of which each device has
 * one of its own (runtime/variables.h). */
void rewrite_space_word(size_t i);
/* What stands at the end of the file: of those variables that cannot be put there. */
std::string shared_variables();

#endif
