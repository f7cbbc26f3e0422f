/* ptx_special.h - instructions whose operands follow no pattern. */
#ifndef CUDACPU_COMPILER_PTX_SPECIAL_H
#define CUDACPU_COMPILER_PTX_SPECIAL_H
#include "ptx_instructions.h"

/* name: of a form's code, after the !. */
std::string emit_special(const std::string &name, const ptx_context &context, const ptx_line &line,
                         const ptx_match &match);

#endif
