/* syntax.h - as much of C++'s grammar as the passes ask for: scopes, template argument lists, and
 * which names are templates' and kernels'. The three analyses are the first passes. */
#ifndef CUDACPU_COMPILER_SYNTAX_H
#define CUDACPU_COMPILER_SYNTAX_H
#include "tokens.h"

void find_scopes();
void find_templates();
void find_kernels();

/* The brace that opens the block around token i; 0: there is none. */
size_t find_block(size_t i);
/* The brace that opens the function or class in a namespace around token i; 0: there is none. */
size_t find_body(size_t i);
/* Is token i in the body of a function that runs on the device, a kernel or another one? */
bool is_in_device_code(size_t i);
/* Have the tokens begin to end - 1 a word that makes a function one of the device? */
bool has_device_word(size_t begin, size_t end);

/* Token i names a template. */
bool is_template(size_t i);
/* The > for the < at token i, before token limit; NONE: that is a comparison, or unfinished. */
size_t find_arguments_end(size_t i, size_t limit = NONE);
/* The < for the > at token i, before which a template's name stands; NONE: there is none. */
size_t find_arguments_begin(size_t i);
/* The same of those that must be there. */
size_t match_arguments(size_t i);
size_t match_arguments_back(size_t i);

/* The token after the argument that begins at token i: a comma, or the closing parenthesis. */
size_t find_argument_end(size_t i);
/* The last token of the assignment operator at token i: =, +=, <<=; 0: it is none. */
size_t find_assignment(size_t i);
/* Is what the tokens from first to after - 1 name counted up or down: ++x, x--? */
bool is_counted(size_t first, size_t after);

/* A declaration of a kernel: the tokens of __global__, its name and its parenthesis. */
struct kernel {
    size_t word, name, open;
};
const std::vector<kernel> &all_kernels();
bool is_kernel(size_t i); /* token i has the name of one */

#endif
