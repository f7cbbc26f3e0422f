/* ptx_text.h - the code of an asm statement as PTX: declarations, labels, instructions. */
#ifndef CUDACPU_COMPILER_PTX_TEXT_H
#define CUDACPU_COMPILER_PTX_TEXT_H
#include "assembly.h"

enum ptx_operand_kind {
    PTX_NAME,    /* a register, a special register, a label */
    PTX_ASM,     /* an operand of the asm statement: %0, %[name] */
    PTX_NUMBER,  /* text is the bits, as C++ */
    PTX_ADDRESS, /* [parts[0] + parts[1] + ...] */
    PTX_VECTOR,  /* {parts} */
    PTX_PAIR,    /* parts[0]|parts[1] */
    PTX_SINK     /* _ */
};

struct ptx_operand {
    ptx_operand_kind kind;
    std::string text;
    size_t number = 0;    /* of the asm statement's operand */
    bool negated = false; /* !p */
    std::vector<ptx_operand> parts = {};
};

enum ptx_line_kind { PTX_OPEN, PTX_CLOSE, PTX_DECLARATION, PTX_LABEL, PTX_INSTRUCTION };

struct ptx_line {
    ptx_line_kind kind;
    size_t offset;    /* in the code */
    std::string name; /* of the label; of the instruction, with all after its dots; type */
    std::vector<ptx_operand> operands; /* or the names that are declared */
    std::vector<ptx_operand> guard;    /* one, of an instruction with @p or @!p */
};

/* unique stands for %=. */
std::vector<ptx_line> read_ptx(const asm_statement &statement, const std::string &unique);

/* How the statement writes the operand. */
std::string to_string(const ptx_operand &operand);

#endif
