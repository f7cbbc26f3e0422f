/* ptx_forms.h - the table of the PTX instructions. */
#ifndef CUDACPU_COMPILER_PTX_FORMS_H
#define CUDACPU_COMPILER_PTX_FORMS_H
#include "ptx_instructions.h"

extern const ptx_form PTX_FORMS[];
extern const size_t PTX_FORM_COUNT;

#endif
