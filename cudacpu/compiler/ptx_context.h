/* ptx_context.h - the names in an asm statement: which C++ variable is which register, operand,
 * label. */
#ifndef CUDACPU_COMPILER_PTX_CONTEXT_H
#define CUDACPU_COMPILER_PTX_CONTEXT_H
#include "ptx_text.h"
#include <map>
#include <set>

enum { PREDICATE_BITS = 1 };
enum ptx_class { PTX_BITS, PTX_INTEGER, PTX_FLOAT };

class ptx_context {
  public:
    /* number: of the statement, in its file. */
    ptx_context(const asm_statement &s, const std::vector<ptx_line> &all, size_t number);

    /* Before each line is translated. */
    void enter(const ptx_line &line);

    /* Of the line that is being translated. A word of what is wrong ends the program. */
    [[noreturn]] void refuse(const std::string &message) const;

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
    std::string shared_address(const ptx_operand &operand) const;
    std::string generic_address(const ptx_operand &operand) const;
    std::string label(const ptx_operand &operand) const;
    /* A pointer to the C++ operand itself: a sum of wgmma, constraint r or f. */
    std::string take_address(const ptx_operand &operand, char constraint) const;
    bool is_declared(const std::string &name) const { return find(name) != nullptr; }
    bool is_predicate(const ptx_operand &operand) const;

    /* The asm statement's operands whose addresses an instruction takes: sums of wgmma. */
    const std::set<size_t> &taken() const { return by_address; }
    /* The names of registers, with their bits. */
    const std::vector<std::pair<std::string, unsigned>> &registers() const { return variables; }
    size_t statement_number() const { return number; }

  private:
    const asm_statement &statement;
    const size_t number;
    struct variable {
        std::string name;
        unsigned bits;
        ptx_class kind;
    };
    std::vector<std::map<std::string, variable>> scopes;
    std::vector<std::pair<std::string, unsigned>> variables;
    std::vector<std::map<std::string, std::string>> label_scopes; /* of each scope in the code */
    std::vector<size_t> scope_path;
    size_t scopes_entered = 0;
    std::set<size_t> by_address;
    const ptx_line *current = nullptr;

    void find_labels(const std::vector<ptx_line> &lines);
    void declare(const ptx_line &line);
    const variable *find(const std::string &name) const;
    void check_class(const ptx_operand &operand, ptx_class has, ptx_class wanted) const;
    variable find_operand(const ptx_operand &operand) const;
    std::string address(const ptx_operand &operand, unsigned bits) const;
};

/* uint32_t and its kin; bool. */
std::string unsigned_type(unsigned bits);
/* .u32: 32; .pred: PREDICATE_BITS; 0: no type. */
unsigned bits_of_type(const std::string &type);
ptx_class class_of_type(const std::string &type);

#endif
