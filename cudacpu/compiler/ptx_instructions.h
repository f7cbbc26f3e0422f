/* ptx_instructions.h - the PTX instructions that cudacpu provides. */
#ifndef CUDACPU_COMPILER_PTX_INSTRUCTIONS_H
#define CUDACPU_COMPILER_PTX_INSTRUCTIONS_H
#include "ptx_context.h"

/* A form of an instruction. modifiers: the words after its name, in any order, as ptxas takes
 * them; "a|b" is one of two, "?a" may be absent, "m64n*k32" has any text for the star, "=" marks
 * the type T.
 *
 * operands, and in code $0, $1, ... for them:
 *   d32, s32, dT, sT   destination or source of so many bits, or of type T; D4, S4: {} of b32;
 *                      F4, G4: of f32; E4, H4: of f64; d64_ takes _ too
 *   p, q               predicate that is read, that is written
 *   i                  constant
 *   m, a, g            address: of shared memory if a modifier says so, else generic (m), of
 *                      shared memory (a), generic or global (g)
 *   ?x=v               may be absent, and then is v
 * In code also: @0 a value of T; #0 what the modifier at this place of modifiers is called in C++,
 * %0 whether it is there; $T, $U, $N T, its unsigned type and bits; $w the place. A code that
 * begins with ! names a function in ptx_special.h. */
struct ptx_form {
    const char *name, *modifiers, *operands, *code;
};

/* An instruction's form, and which of its modifiers stands at which place of the form's ("": none).
 * refuse is called for what is not provided. */
struct ptx_match {
    const ptx_form *form;
    std::vector<std::string> modifiers;
    std::string type;

    bool has(const std::string &modifier) const;
};
ptx_match find_form(const ptx_context &context, const ptx_line &line);

#endif
