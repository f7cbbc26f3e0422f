/* ptx_emit.h - an asm statement as C++. */
#ifndef CUDACPU_COMPILER_PTX_EMIT_H
#define CUDACPU_COMPILER_PTX_EMIT_H
#include "assembly.h"

std::string emit_assembly(const asm_statement &statement);

#endif
