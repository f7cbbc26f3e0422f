/* ptx_symbols.cpp - finds the C++ variable of each register, operand and label. */
#include "ptx.h"
#include <cctype>

std::string unsigned_type(unsigned bits) {
    return bits == PREDICATE_BITS ? "bool" : "uint" + std::to_string(bits) + "_t";
}

std::string cast(const std::string &type, const std::string &value) {
    return "static_cast<" + type + ">(" + value + ")";
}

unsigned bits_of_type(const std::string &type) {
    const std::string word = type.substr(type.empty() || type[0] != '.' ? 0 : 1);
    if (word == "pred")
        return PREDICATE_BITS;
    for (const char *known : {"b8", "u8", "s8", "b16", "u16", "s16", "f16", "b32", "u32", "s32",
                              "f32", "b64", "u64", "s64", "f64", "f16x2", "bf16", "bf16x2"})
        if (word == known)
            return word.size() > 3 ? (word.back() == '2' ? 32 : 16)
                                   : (unsigned)std::stoul(word.substr(1));
    return 0;
}

ptx_class class_of_type(const std::string &type) {
    const char first = type[type[0] == '.'];
    return first == 'u' || first == 's'                          ? PTX_INTEGER
           : first == 'f' && type.find('x') == std::string::npos ? PTX_FLOAT
                                                                 : PTX_BITS;
}

namespace {

std::string to_words(unsigned bits) {
    return bits == PREDICATE_BITS ? "a predicate" : std::to_string(bits) + " bits";
}
std::string has_words(unsigned bits) {
    return (bits == PREDICATE_BITS ? "is " : "has ") + to_words(bits);
}

} // namespace

ptx_symbols::ptx_symbols(const asm_statement &s, const std::vector<ptx_line> &all, size_t n)
    : statement(s), number(n), scopes(1) {
    find_labels(all);
    for (const ptx_line &line : all)
        if (line.kind == PTX_INSTRUCTION && line.name.compare(0, 16, "wgmma.mma_async.") == 0 &&
            !line.operands.empty())
            for (const ptx_operand &sum : line.operands[0].parts)
                if (sum.kind == PTX_ASM)
                    by_address.insert(sum.number);
}

void ptx_symbols::find_labels(const std::vector<ptx_line> &lines) {
    size_t in = 0;
    for (const ptx_line &line : lines) {
        current = &line;
        if (line.kind == PTX_OPEN) {
            scopes.push_back({in, {}, {}});
            in = scopes.size() - 1;
        } else if (line.kind == PTX_CLOSE) {
            if (in == 0)
                refuse("PTX has a } without its {");
            in = scopes[in].parent;
        } else if (line.kind == PTX_LABEL) {
            const std::string name =
                "cudacpu_" + std::to_string(number) + "_" + std::to_string(&line - lines.data());
            if (!scopes[in].labels.emplace(line.name, name).second)
                refuse("PTX has the label " + line.name + " twice");
        }
    }
    if (in)
        refuse("PTX has a { without its }");
}

void ptx_symbols::enter(const ptx_line &line) {
    current = &line;
    if (line.kind == PTX_OPEN)
        inside = ++entered;
    else if (line.kind == PTX_CLOSE)
        inside = scopes[inside].parent;
    else if (line.kind == PTX_DECLARATION)
        declare(line);
}

void ptx_symbols::refuse(const std::string &message) const {
    fail(statement.token_of(current->offset), message);
}

void ptx_symbols::reject(const std::string &message) const {
    refuse("'" + current->name + "'" + message);
}

void ptx_symbols::declare(const ptx_line &line) {
    const unsigned bits = bits_of_type(line.name);
    if (!bits || line.name[0] != '.')
        refuse("cudacpu does not provide PTX registers of type " + line.name);
    for (const ptx_operand &name : line.operands) {
        const std::string variable = "cudacpu_r" + std::to_string(variables.size());
        if (!scopes[inside]
                 .registers.insert({name.text, {variable, bits, class_of_type(line.name)}})
                 .second)
            refuse("PTX declares the register " + name.text + " twice");
        variables.emplace_back(variable, bits);
    }
}

/* A register or an operand of asm, no constant. */
ptx_symbols::variable ptx_symbols::find_operand(const ptx_operand &operand) const {
    if (operand.kind == PTX_ASM) {
        if (by_address.count(operand.number))
            reject(": no other instruction of an asm statement can use %" +
                   std::to_string(operand.number) + ", a sum of its wgmma");
        const char letter = statement.operands[operand.number].constraint;
        return {"cudacpu_" + std::to_string(operand.number),
                letter == 'h'                    ? 16u
                : letter == 'l' || letter == 'd' ? 64u
                                                 : 32u,
                letter == 'f' || letter == 'd' ? PTX_FLOAT : PTX_BITS};
    }
    if (operand.kind != PTX_NAME)
        reject(" takes a register, not " + to_string(operand));
    if (const variable *found = find_register(operand.text))
        return *found;
    reject(": no register " + operand.text + " is declared" +
           (operand.text[0] == '%' ? "; only mov reads a special register" : ""));
}

std::string ptx_symbols::read_any(const ptx_operand &operand, unsigned *bits) const {
    if (is_constant(operand)) {
        *bits = 64;
        return read(operand, 64);
    }
    const variable v = find_operand(operand);
    *bits = v.bits;
    if (v.bits == PREDICATE_BITS || operand.negated)
        reject(" takes a register of bits, not " + to_string(operand));
    return v.name;
}

bool ptx_symbols::is_constant(const ptx_operand &operand) const {
    return operand.kind == PTX_NUMBER ||
           (operand.kind == PTX_ASM && statement.operands[operand.number].constraint == 'n');
}

void ptx_symbols::check_class(const ptx_operand &operand, ptx_class has, ptx_class wanted) const {
    if (has != PTX_BITS && wanted != PTX_BITS && has != wanted)
        reject(std::string(" takes ") +
               (wanted == PTX_FLOAT ? "a float, and " : "an integer, and ") + to_string(operand) +
               (has == PTX_FLOAT ? " is a float" : " is an integer"));
}

std::string ptx_symbols::read(const ptx_operand &operand, unsigned bits, ptx_class wanted) const {
    if (operand.kind == PTX_NUMBER && !operand.negated) {
        if (operand.text.find('.') != std::string::npos)
            return "::cudacpu::ptx::bits(" + operand.text + (bits == 32 ? "f)" : ")");
        return cast(unsigned_type(bits), operand.text + "ull");
    }
    if (operand.kind == PTX_ASM && statement.operands[operand.number].constraint == 'n')
        return cast(unsigned_type(bits), "cudacpu_" + std::to_string(operand.number));
    const variable v = find_operand(operand);
    if (v.bits != bits || operand.negated)
        reject(" takes " + to_words(bits) + ", and " + to_string(operand) +
               (operand.negated ? " is a predicate" : " " + has_words(v.bits)));
    check_class(operand, v.kind, wanted);
    return v.name;
}

std::string ptx_symbols::read_constant(const ptx_operand &operand) const {
    if (is_constant(operand))
        return read(operand, 32);
    reject(" takes a constant (a number, or \"n\"), not " + to_string(operand));
}

std::string ptx_symbols::read_predicate(const ptx_operand &operand) const {
    const std::string negation = operand.negated ? "!" : "";
    if (is_constant(operand))
        return "(" + negation + "(" + read(operand, 32) + " != 0))";
    const variable v = find_operand(operand);
    if (v.bits != PREDICATE_BITS)
        reject(" takes a predicate, and " + to_string(operand) + " " + has_words(v.bits));
    return negation + v.name;
}

std::string ptx_symbols::write_any(const ptx_operand &operand, unsigned *bits) const {
    if (operand.kind == PTX_ASM && !statement.operands[operand.number].output)
        reject(" writes to %" + std::to_string(operand.number) + ", an input of the asm statement");
    if (operand.negated)
        reject(" writes to a register, not to " + to_string(operand));
    const variable v = find_operand(operand);
    *bits = v.bits;
    return v.name;
}

std::string ptx_symbols::write(const ptx_operand &operand, unsigned bits, ptx_class wanted) const {
    unsigned has = 0;
    const std::string name = write_any(operand, &has);
    if (has != bits)
        reject(" writes " + to_words(bits) + ", and " + to_string(operand) + " " + has_words(has));
    check_class(operand, find_operand(operand).kind, wanted);
    return name;
}

std::string ptx_symbols::address(const ptx_operand &operand, unsigned bits) const {
    if (operand.kind != PTX_ADDRESS)
        reject(" takes an address, [" + to_string(operand) + "], not " + to_string(operand));
    const ptx_operand &base = operand.parts[0];
    if (base.kind == PTX_NAME && !is_declared(base.text))
        reject(": no register " + base.text +
               " is declared (cudacpu does not provide PTX variables in an address)");
    unsigned has = 0;
    std::string sum = cast(unsigned_type(bits), read_any(base, &has));
    if (has < bits)
        reject(" takes an address of " + to_words(bits) + ", and " + to_string(base) + " " +
               has_words(has));
    for (size_t i = 1; i < operand.parts.size(); i++) {
        read_constant(operand.parts[i]);
        sum = cast(unsigned_type(bits), sum + " + " + read(operand.parts[i], bits));
    }
    return sum;
}

std::string ptx_symbols::label(const ptx_operand &operand) const {
    if (const std::string *found = find(&scope::labels, operand.text))
        if (operand.kind == PTX_NAME)
            return *found;
    reject(": there is no label " + to_string(operand));
}

std::string ptx_symbols::take_address(const ptx_operand &operand, char constraint) const {
    const std::string wanted = std::string("\"+") + constraint + "\"";
    if (operand.kind != PTX_ASM || !statement.operands[operand.number].output ||
        statement.operands[operand.number].constraint != constraint)
        reject(": the sums are operands of the asm statement with " + wanted + ", and " +
               to_string(operand) + " is not");
    return "&cudacpu_l" + std::to_string(operand.number);
}

bool ptx_symbols::is_predicate(const ptx_operand &operand) const {
    const variable *found = operand.kind == PTX_NAME ? find_register(operand.text) : nullptr;
    return found && found->bits == PREDICATE_BITS;
}
