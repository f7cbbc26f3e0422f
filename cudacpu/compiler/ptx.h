/* ptx.h - the assembler of inline PTX: from an asm statement by its parser and the symbols of its
 * operands and registers to C++, which a table of the instruction set gives. */
#ifndef CUDACPU_COMPILER_PTX_H
#define CUDACPU_COMPILER_PTX_H
#include "tokens.h"
#include <map>
#include <set>
#include <string_view>
#include <utility>

/* ---- asm statements: inline_ptx.cpp ---- */

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

/* The statements with PTX, by their tokens; static_body: of the static function that becomes
 * inline, since what stands there is refused, but only once it is used; else 0. */
struct ptx_site {
    size_t token, static_body;
};
extern std::vector<ptx_site> ptx_sites;

/* ---- their code: ptx_parser.cpp ---- */

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
    size_t offset;         /* in the code */
    std::string name = {}; /* of the label; of the instruction, with all after its dots; type */
    std::vector<ptx_operand> operands = {}; /* or the names that are declared */
    std::vector<ptx_operand> guard = {};    /* one, of an instruction with @p or @!p */
};

/* unique stands for %=. */
std::vector<ptx_line> read_ptx(const asm_statement &statement, const std::string &unique);

/* How the statement writes the operand. */
std::string to_string(const ptx_operand &operand);

/* ---- registers, operands, labels: ptx_symbols.cpp ---- */

enum { PREDICATE_BITS = 1 };
/* Registers of b types, and integers of C++, take everything: PTX_BITS. */
enum ptx_class { PTX_BITS, PTX_INTEGER, PTX_FLOAT };

class ptx_symbols {
  public:
    /* number: of the statement, in its file. */
    ptx_symbols(const asm_statement &s, const std::vector<ptx_line> &all, size_t number);

    /* Before each line is translated. */
    void enter(const ptx_line &line);

    /* Of the line that is being translated. A word of what is wrong ends the program. */
    [[noreturn]] void refuse(const std::string &message) const;
    /* The same of its instruction, whose name stands before the message. */
    [[noreturn]] void reject(const std::string &message) const;

    /* An expression of type uint16_t, ..., of an operand with so many bits; of a predicate. */
    std::string read(const ptx_operand &operand, unsigned bits, ptx_class wanted = PTX_BITS) const;
    std::string read_predicate(const ptx_operand &operand) const;
    /* Of as many bits as the operand has, which goes to *bits. */
    std::string read_any(const ptx_operand &operand, unsigned *bits) const;
    /* A constant. */
    std::string read_constant(const ptx_operand &operand) const;
    /* The variable to assign to. */
    std::string write(const ptx_operand &operand, unsigned bits, ptx_class wanted = PTX_BITS) const;
    std::string write_any(const ptx_operand &operand, unsigned *bits) const;
    /* Addresses: numbers of 32 and of 64 bits. */
    std::string shared_address(const ptx_operand &operand) const { return address(operand, 32); }
    std::string generic_address(const ptx_operand &operand) const { return address(operand, 64); }
    std::string label(const ptx_operand &operand) const;
    /* A pointer to the C++ operand itself: a sum of wgmma, constraint r or f. */
    std::string take_address(const ptx_operand &operand, char constraint) const;
    bool is_declared(const std::string &name) const { return find_register(name) != nullptr; }
    bool is_predicate(const ptx_operand &operand) const;

    /* The asm statement's operands whose addresses an instruction takes: sums of wgmma. */
    const std::set<size_t> &taken() const { return by_address; }
    /* The names of registers, with their bits. */
    const std::vector<std::pair<std::string, unsigned>> &registers() const { return variables; }

  private:
    const asm_statement &statement;
    const size_t number;
    struct variable {
        std::string name;
        unsigned bits;
        ptx_class kind;
    };
    struct scope { /* { } in the code; the first one is all of it */
        size_t parent;
        std::map<std::string, variable> registers;
        std::map<std::string, std::string> labels;
    };
    std::vector<scope> scopes;
    size_t inside = 0, entered = 0; /* numbers of scopes: the current one, the last one so far */
    std::vector<std::pair<std::string, unsigned>> variables;
    std::set<size_t> by_address;
    const ptx_line *current = nullptr;

    void find_labels(const std::vector<ptx_line> &lines);
    void declare(const ptx_line &line);
    template <class T>
    const T *find(std::map<std::string, T> scope::*names, const std::string &name) const {
        for (size_t i = inside;; i = scopes[i].parent) {
            const auto found = (scopes[i].*names).find(name);
            if (found != (scopes[i].*names).end())
                return &found->second;
            if (i == 0)
                return nullptr;
        }
    }
    const variable *find_register(const std::string &name) const {
        return find(&scope::registers, name);
    }
    bool is_constant(const ptx_operand &operand) const;
    void check_class(const ptx_operand &operand, ptx_class has, ptx_class wanted) const;
    variable find_operand(const ptx_operand &operand) const;
    std::string address(const ptx_operand &operand, unsigned bits) const;
};

/* uint32_t and its kin; bool. */
std::string unsigned_type(unsigned bits);
std::string cast(const std::string &type, const std::string &value);
/* .u32: 32; .pred: PREDICATE_BITS; 0: no type. */
unsigned bits_of_type(const std::string &type);
ptx_class class_of_type(const std::string &type);

/* ---- the instruction set: ptx_instruction_set.cpp; how it becomes C++: ptx_lowering.cpp ---- */

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
 *   t                  address of a T: of shared memory if a modifier says so, else generic
 *   ?x=v               may be absent, and then is v
 *   -                  a custom lowering reads it; *: and how many there are
 * With the modifier L2::cache_hint there is one operand more, the last, without effect.
 * In code also: @0 a value of T; #0 what the modifier at this place of modifiers is called in C++,
 * %0 whether it is there; $T, $U, $N T, its unsigned type and bits; $w the place. A code that
 * begins with ! names a custom lowering. */
struct ptx_form {
    std::string_view name;
    const char *modifiers, *operands, *code;
};

/* An instruction's form, and which of its modifiers stands at which place of the form's ("": none).
 * refuse is called for what is not provided. */
struct ptx_match {
    const ptx_form *form;
    std::vector<std::string> modifiers;
    std::string type;

    bool has(const std::string &modifier) const;
    bool has_hint() const { return has("L2::cache_hint"); } /* for the cache, its last operand */
    bool is_in_shared() const {
        return has("shared") || has("shared::cta") || has("shared::cluster");
    }
};

/* The core's, and behind them those that another folder registers. */
std::vector<ptx_form> &ptx_forms();

/* What a modifier is called in C++: an element of a matrix, an atomic function, a comparison. */
std::string name_of(const std::string &modifier);

/* The statement as C++. */
std::string emit_assembly(const asm_statement &statement);

/* Instructions whose operands follow no pattern: ptx_custom_lowering.cpp. name: of a form's code,
 * after the !. */
std::string emit_custom(const std::string &name, const ptx_symbols &symbols, const ptx_line &line,
                        const ptx_match &match);

#endif
