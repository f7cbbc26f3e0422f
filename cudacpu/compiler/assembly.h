/* assembly.h - asm statements with PTX, the GPU's assembly, become C++. */
#ifndef CUDACPU_COMPILER_ASSEMBLY_H
#define CUDACPU_COMPILER_ASSEMBLY_H
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

struct asm_operand {
    std::string name, expression;
    char constraint;    /* its letter: r, l, h, f, d, n */
    bool output, reads; /* "=": output; "+": both */
};

struct asm_statement {
    size_t begin, end;                              /* tokens: asm and its closing parenthesis */
    std::string code;                               /* the strings, joined */
    std::vector<std::pair<size_t, size_t>> strings; /* where in code each begins; its token */
    std::vector<asm_operand> operands;

    /* The token of the string with this character of code. */
    size_t token_of(size_t offset) const;
};

/* Is this code PTX, and not the assembly of the host's processor? */
bool is_ptx(const std::string &code);

/* The statement that begins at token i; false: it is not PTX, and the C++ compiler's. */
bool read_assembly(size_t i, asm_statement *statement);

/* Token i is asm, in a function. False: no PTX. */
bool rewrite_assembly(size_t i);

#endif
