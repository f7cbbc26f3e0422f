/* ptx_lowering.cpp - instruction selection, which finds an instruction's form in the table, and
 * emission: C++ for an asm statement, first its variables, then its instructions. */
#include "ptx.h"
#include <algorithm>
#include <cctype>

namespace {

std::vector<std::string> split(const std::string &text, const char *separators) {
    std::vector<std::string> words;
    for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
        end = std::min(text.find_first_of(separators, begin), text.size());
        if (end > begin)
            words.push_back(text.substr(begin, end - begin));
    }
    return words;
}

bool is_one_of(const std::string &word, const std::string &choice) {
    for (const std::string &candidate : split(choice, "|")) {
        const size_t star = candidate.find('*');
        if (star == std::string::npos
                ? word == candidate
                : word.size() >= candidate.size() &&
                      word.compare(0, star, candidate, 0, star) == 0 &&
                      word.compare(word.size() - (candidate.size() - star - 1), std::string::npos,
                                   candidate, star + 1, std::string::npos) == 0)
            return true;
    }
    return false;
}

/* The words of a form's modifiers without ? and =. */
std::string choice_of(const std::string &word) { return word.substr(word.find_first_not_of("?=")); }

/* Each of the line's modifiers at the first free place that takes it; no place that must be taken
 * stays free. */
bool match_modifiers(const ptx_form &form, const std::vector<std::string> &given,
                     ptx_match *match) {
    const std::vector<std::string> places = split(form.modifiers, " ");
    match->form = &form;
    match->modifiers.assign(places.size(), "");
    match->type.clear();
    for (const std::string &modifier : given) {
        size_t i = 0;
        while (i < places.size() &&
               (!match->modifiers[i].empty() || !is_one_of(modifier, choice_of(places[i]))))
            i++;
        if (i == places.size())
            return false;
        match->modifiers[i] = modifier;
        if (places[i].find('=') < 2)
            match->type = modifier;
    }
    for (size_t i = 0; i < places.size(); i++)
        if (match->modifiers[i].empty() && places[i][0] != '?')
            return false;
    return true;
}

/* How many operands the instruction takes. */
void count_operands(const ptx_match &match, size_t *least, size_t *most) {
    const std::string all = match.form->operands;
    *most = all == "*" ? 99 : split(all, ", ").size() + match.has_hint();
    *least = all == "*" ? 0 : *most - (size_t)std::count(all.begin(), all.end(), '?');
}

/* What no form of this name has, to be named in the sentence. */
std::string find_unknown(const std::string &name, const std::vector<std::string> &given) {
    for (const std::string &modifier : given) {
        bool known = false;
        for (const ptx_form &form : ptx_forms())
            if (form.name == name)
                for (const std::string &place : split(form.modifiers, " "))
                    known = known || is_one_of(modifier, choice_of(place));
        if (!known)
            return ": not with ." + modifier;
    }
    return ": not with these modifiers together, or one is missing";
}

/* The form of the instruction in this line; what is not provided is refused. */
ptx_match find_form(const ptx_symbols &symbols, const ptx_line &line) {
    const std::string whole = line.name + ".";
    std::string name; /* the longest that fits */
    for (const ptx_form &form : ptx_forms())
        if (form.name.size() > name.size() && whole.compare(0, form.name.size(), form.name) == 0 &&
            whole[form.name.size()] == '.')
            name = form.name;
    const std::string refusal = "cudacpu does not provide the PTX instruction '" + line.name + "'";
    if (name.empty())
        symbols.refuse(refusal);
    const std::vector<std::string> given = split(whole.substr(name.size()), ".");
    ptx_match match;
    size_t least = 99, most = 0;
    for (const ptx_form &form : ptx_forms()) {
        if (form.name != name || !match_modifiers(form, given, &match))
            continue;
        size_t from, to;
        count_operands(match, &from, &to);
        if (line.operands.size() >= from && line.operands.size() <= to)
            return match;
        least = std::min(least, from);
        most = std::max(most, to);
    }
    if (least > most)
        symbols.refuse(refusal + find_unknown(name, given));
    symbols.reject(" takes " + (least < most ? std::to_string(least) + " to " : "") +
                   std::to_string(most) + " operand" + (most == 1 ? "" : "s") + ", not " +
                   std::to_string(line.operands.size()));
}

/* What stands for the operands of one instruction: an expression for each, and what is before and
 * after the instruction's code. */
struct operand_code {
    std::vector<std::string> expressions;
    std::string before, after;
};

unsigned bits_of(const std::string &kind, const ptx_match &match) {
    return kind[1] == 'T' ? bits_of_type(match.type) : (unsigned)std::stoul(kind.substr(1));
}

/* {a, b, c, d} of registers as an array. */
std::string read_vector(const ptx_symbols &symbols, const ptx_line &line, size_t i,
                        const std::string &kind, operand_code *code) {
    const ptx_operand &operand = line.operands[i];
    const size_t count = (size_t)(kind[1] - '0');
    const bool is_written = kind[0] == 'D' || kind[0] == 'F' || kind[0] == 'E';
    const unsigned bits = kind[0] == 'E' || kind[0] == 'H' ? 64 : 32;
    const ptx_class wanted = kind[0] == 'D' || kind[0] == 'S' ? PTX_INTEGER : PTX_FLOAT;
    if (operand.kind != PTX_VECTOR || operand.parts.size() != count)
        symbols.reject(" takes " + std::to_string(count) +
                       (count > 1 ? " registers" : " register") + " in { } as operand " +
                       std::to_string(i + 1) + ", not " + to_string(operand));
    const std::string name = "cudacpu_v" + std::to_string(i);
    std::string values;
    for (size_t n = 0; n < count; n++)
        if (is_written)
            code->after += " " + symbols.write(operand.parts[n], bits, wanted) + " = " + name +
                           "[" + std::to_string(n) + "];";
        else
            values += (n ? ", " : "") + symbols.read(operand.parts[n], bits, wanted);
    code->before += (is_written ? "" : "const ") + unsigned_type(bits) + " " + name + "[" +
                    std::to_string(count) + "]" + (is_written ? "; " : " = {" + values + "}; ");
    return name;
}

/* cp.async's third operand: how many bytes, or whether to read none. */
std::string read_source_size(const ptx_symbols &symbols, const ptx_line &line, size_t i) {
    const ptx_operand &operand = line.operands[i];
    if (operand.negated || symbols.is_predicate(operand))
        return "(" + symbols.read_predicate(operand) +
               " ? 0u : " + symbols.read_constant(line.operands[2]) + ")";
    return symbols.read(operand, 32, PTX_INTEGER);
}

std::string type_name(const std::string &type) {
    return type == "f32"    ? "float"
           : type == "f64"  ? "double"
           : type[0] == 's' ? "int" + type.substr(1) + "_t"
                            : unsigned_type(bits_of_type(type));
}

std::string read_operand(const ptx_symbols &symbols, const ptx_line &line, size_t i,
                         const std::string &kind, const ptx_match &match, operand_code *code) {
    const ptx_operand &operand = line.operands[i];
    const ptx_class wanted = kind[1] == 'T' ? class_of_type(match.type) : PTX_INTEGER;
    if (std::isupper((unsigned char)kind[0]))
        return read_vector(symbols, line, i, kind, code);
    switch (kind[0]) {
    case 'd':
        if (operand.kind == PTX_SINK && kind.back() == '_') {
            code->before += "uint64_t cudacpu_sink __attribute__((unused)); ";
            return "cudacpu_sink";
        }
        return symbols.write(operand, bits_of(kind, match), wanted);
    case 's':
        return symbols.read(operand, bits_of(kind, match), wanted);
    case 'p':
        return symbols.read_predicate(operand);
    case 'q':
        return symbols.write(operand, PREDICATE_BITS);
    case 'i':
        return symbols.read_constant(operand);
    case 'z':
        return read_source_size(symbols, line, i);
    case 'g':
        return symbols.generic_address(operand);
    case 'm':
        if (!match.is_in_shared())
            return "::cudacpu::ptx::to_shared(" + symbols.generic_address(operand) +
                   ", &cudacpu_at)";
        return symbols.shared_address(operand);
    case 't':
        return "::cudacpu::ptx::pointer_to" +
               (match.is_in_shared()
                    ? "_shared<" + type_name(match.type) + ">(" + symbols.shared_address(operand) +
                          ", &cudacpu_at)"
                    : "<" + type_name(match.type) + ">(" + symbols.generic_address(operand) + ")");
    default:
        return symbols.shared_address(operand);
    }
}

/* A form's code with the operands in the places of $0, @0 and so on. */
std::string fill(const std::string &code, const ptx_match &match,
                 const std::vector<std::string> &operands) {
    std::string filled;
    for (size_t i = 0; i < code.size(); i++) {
        const char sign = code[i], next = i + 1 < code.size() ? code[i + 1] : ' ';
        const size_t n = (size_t)(next - '0');
        if (sign == '$' && next == 'w')
            filled += "&cudacpu_at";
        else if (sign == '$' && next == 'T')
            filled += type_name(match.type);
        else if (sign == '$' && next == 'U')
            filled += unsigned_type(bits_of_type(match.type));
        else if (sign == '$' && next == 'N')
            filled += std::to_string(bits_of_type(match.type)) + "u";
        else if (sign == '$')
            filled += operands[n];
        else if (sign == '@')
            filled += match.type[0] == 'f' ? "::cudacpu::ptx::as_float(" + operands[n] + ")"
                                           : cast(type_name(match.type), operands[n]);
        else if (sign == '#')
            filled += name_of(match.modifiers[n]);
        else if (sign == '%' && std::isdigit((unsigned char)next))
            filled += match.modifiers[n].empty() ? "false" : "true";
        else {
            filled += sign;
            continue;
        }
        i++;
    }
    return filled;
}

std::string emit_instruction(const ptx_symbols &symbols, const ptx_line &line) {
    const ptx_match match = find_form(symbols, line);
    if (match.form->code[0] == '!')
        return emit_custom(match.form->code + 1, symbols, line, match);
    operand_code code;
    const size_t count = line.operands.size() - match.has_hint();
    for (const std::string &kind : split(match.form->operands, ", ")) {
        const size_t given = code.expressions.size(), value = kind.find('=') + 1;
        if (given < count)
            code.expressions.push_back(
                read_operand(symbols, line, given, kind.substr(kind[0] == '?'), match, &code));
        else
            code.expressions.push_back(kind[value] == '$'
                                           ? code.expressions[(size_t)(kind[value + 1] - '0')]
                                           : kind.substr(value));
    }
    if (match.has_hint())
        symbols.read(line.operands.back(), 64, PTX_INTEGER);
    return code.before + fill(match.form->code, match, code.expressions) + code.after;
}

/* The name of the first instruction with this operand, for a sentence. */
std::string find_user(const std::vector<ptx_line> &lines, size_t number) {
    for (const ptx_line &line : lines)
        if (line.kind == PTX_INSTRUCTION)
            for (const ptx_operand &operand : line.operands) {
                if (operand.kind == PTX_ASM && operand.number == number)
                    return " of '" + line.name + "'";
                for (const ptx_operand &part : operand.parts)
                    if (part.kind == PTX_ASM && part.number == number)
                        return " of '" + line.name + "'";
            }
    return "";
}

std::string describe(char constraint) {
    return constraint == 'h'   ? "an integer of 16 bits"
           : constraint == 'r' ? "an integer of 32 bits"
           : constraint == 'l' ? "an integer of 64 bits or a pointer"
           : constraint == 'f' ? "a float"
           : constraint == 'd' ? "a double"
                               : "an integer, a constant";
}

/* cudacpu_l0 is the C++ operand, cudacpu_0 its bits. */
std::string emit_operands(const asm_statement &statement, const ptx_symbols &symbols,
                          const std::vector<ptx_line> &lines) {
    std::string code;
    for (size_t i = 0; i < statement.operands.size(); i++) {
        const asm_operand &operand = statement.operands[i];
        const std::string number = std::to_string(i), value = "cudacpu_l" + number,
                          bits = "cudacpu_" + number;
        const std::string letter = std::string("'") + operand.constraint + "'";
        const bool is_constant = operand.constraint == 'n';
        code += (operand.output ? "auto &"
                 : is_constant  ? "constexpr auto "
                                : "const auto ") +
                value + " = (" + operand.expression + "); static_assert(::cudacpu::ptx::fits<" +
                letter + ", decltype(" + value + ")>, \"asm operand %" + number +
                find_user(lines, i) + " has constraint \\\"" + operand.constraint +
                "\\\": it must be " + describe(operand.constraint) + "\"); ";
        if (symbols.taken().count(i))
            continue;
        if (is_constant)
            code += "constexpr auto " + bits + " __attribute__((unused)) = " + value + "; ";
        else if (operand.output && !operand.reads)
            code += "::cudacpu::ptx::bits_of<" + letter + "> " + bits + " = 0; ";
        else
            code += std::string(operand.output ? "" : "const ") + "::cudacpu::ptx::bits_of<" +
                    letter + "> " + bits + " __attribute__((unused)) = ::cudacpu::ptx::bits(" +
                    value + "); ";
    }
    return code;
}

} // namespace

bool ptx_match::has(const std::string &modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

std::string name_of(const std::string &modifier) {
    static const std::map<std::string, std::string> names = {
        {"clamp", "true"}, {"wrap", "false"}, {"eq", "=="},          {"ne", "!="}, {"lt", "<"},
        {"le", "<="},      {"gt", ">"},       {"ge", ">="},          {"lo", "<"},  {"ls", "<="},
        {"hi", ">"},       {"hs", ">="},      {"cas", "::atomicCAS"}};
    if (const auto found = names.find(modifier); found != names.end())
        return found->second;
    std::string name = modifier;
    if (bits_of_type(modifier) || modifier == "tf32") { /* an element of a matrix */
        std::transform(name.begin(), name.end(), name.begin(), ::toupper);
        return "::cudacpu::ptx::" + name;
    }
    name[0] = (char)std::toupper(name[0]);
    return "::atomic" + name;
}

std::string emit_assembly(const asm_statement &statement) {
    static size_t number = 0;
    const std::vector<ptx_line> lines = read_ptx(statement, std::to_string(++number));
    ptx_symbols symbols(statement, lines, number);
    std::string body;
    for (const ptx_line &line : lines) {
        symbols.enter(line);
        if (line.kind == PTX_LABEL) {
            body += symbols.label({PTX_NAME, line.name}) + ": __attribute__((unused)); ";
        } else if (line.kind == PTX_INSTRUCTION) {
            if (!line.guard.empty())
                body += "if (" + symbols.read_predicate(line.guard[0]) + ") ";
            body += "{ " + emit_instruction(symbols, line) + " } ";
        }
    }
    std::string code = "do { static const ::cudacpu::site cudacpu_at __attribute__((unused)) = "
                       "{__builtin_FILE(), __builtin_LINE()}; " +
                       emit_operands(statement, symbols, lines);
    for (const auto &variable : symbols.registers())
        code += unsigned_type(variable.second) + " " + variable.first +
                " __attribute__((unused)) = 0; ";
    code += body;
    for (size_t i = 0; i < statement.operands.size(); i++)
        if (statement.operands[i].output && !symbols.taken().count(i))
            code += "cudacpu_l" + std::to_string(i) +
                    " = ::cudacpu::ptx::from_bits<decltype(cudacpu_l" + std::to_string(i) +
                    ")>(cudacpu_" + std::to_string(i) + "); ";
    return code + "} while (0)";
}
