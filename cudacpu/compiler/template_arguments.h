/* template_arguments.h - which < begins a template's arguments, and which > ends them. */
#ifndef CUDACPU_COMPILER_TEMPLATE_ARGUMENTS_H
#define CUDACPU_COMPILER_TEMPLATE_ARGUMENTS_H
#include <cstddef>

const size_t NONE = (size_t)-1;

void find_templates(); /* notes their names, once, before the rest */

/* Token i names a template. */
bool is_template(size_t i);

/* The > for the < at token i, before token limit; NONE: that is a comparison, or unfinished. */
size_t find_arguments_end(size_t i, size_t limit = NONE);

/* The < for the > at token i, before which a template's name stands; NONE: there is none. */
size_t find_arguments_begin(size_t i);

/* The same of those that must be there. */
size_t match_arguments(size_t i);
size_t match_arguments_back(size_t i);

#endif
