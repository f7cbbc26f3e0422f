/* inline_ptx.cpp - asm statements with PTX, asm("code" : outputs : inputs : clobbers), become C++.
 */
#include "passes.h"
#include "ptx.h"
#include "syntax.h"
#include <algorithm>
#include <cctype>

namespace {

/* The character after a backslash at code[*i], which then is the last of the escape. */
char read_escape(const std::string &code, size_t *i) {
    const char c = code[*i];
    if (c == 'x') {
        int value = 0;
        while (*i + 1 < code.size() && std::isxdigit((unsigned char)code[*i + 1]))
            value = value * 16 + std::stoi(std::string(1, code[++*i]), nullptr, 16);
        return (char)value;
    }
    if (c >= '0' && c <= '7') {
        int value = c - '0';
        for (int n = 1; n < 3 && *i + 1 < code.size() && code[*i + 1] >= '0' && code[*i + 1] <= '7';
             n++)
            value = value * 8 + code[++*i] - '0';
        return (char)value;
    }
    const size_t known = std::string("ntrvf").find(c);
    return known == std::string::npos ? c : "\n\t\r\v\f"[known];
}

/* What a string literal contains. */
std::string read_string(const std::string &literal) {
    const size_t quote = literal.find('"');
    if (quote > 0 && literal[quote - 1] == 'R') {
        const size_t open = literal.find('('), close = literal.rfind(')');
        return literal.substr(open + 1, close - open - 1);
    }
    std::string content;
    for (size_t i = quote + 1; i + 1 < literal.size(); i++) {
        if (literal[i] != '\\')
            content += literal[i];
        else if (literal[++i] != '\n')
            content += read_escape(literal, &i);
    }
    return content;
}

/* Of the strings from token i to end. What begins with = or + is an output; & (written before
 * inputs are read) changes nothing here. */
void read_constraint(size_t i, size_t end, const std::string &constraint, bool in_outputs,
                     asm_operand *operand) {
    const std::string written = join(i, end);
    operand->reads = constraint[0] == '+';
    operand->output = operand->reads || constraint[0] == '=';
    const size_t letter = !operand->output ? 0 : constraint[1] == '&' ? 2 : 1;
    if (operand->output != in_outputs)
        fail(i, in_outputs ? "an output of asm begins with = or +: " + written + " does not"
                           : "an input of asm has no = or +: " + written);
    operand->constraint = letter < constraint.size() ? constraint[letter] : ' ';
    const char *const letters = in_outputs ? "rlhfd" : "rlhfdn";
    if (constraint.size() != letter + 1 ||
        std::string(letters).find(operand->constraint) == std::string::npos)
        fail(i, "asm with PTX has no constraint " + written +
                    ": r and l take integers of 32 and 64 bits (l also pointers), h of 16, f and "
                    "d floats and doubles, n, for inputs, a constant");
}

/* [name] "constraint"(expression), from token i on; returns the token after it. */
size_t read_operand(size_t i, bool in_outputs, asm_statement *statement) {
    asm_operand operand;
    if (is(i, "[")) {
        operand.name = token_text(i + 1);
        i += 3;
    }
    std::string constraint;
    const size_t place = i;
    for (; i < tokens.size() && tokens[i].kind == STRING; i++)
        constraint += read_string(token_text(i));
    if (place == i || !is(i, "("))
        fail(place, "asm wants \"constraint\"(expression) here, not " + token_text(place));
    read_constraint(place, i, constraint, in_outputs, &operand);
    const size_t close = match(i);
    for (size_t token = i; token < close; token++)
        if (is_any(token, {"asm", "__asm__", "__asm"}))
            fail(token, "cudacpu takes no asm statement within the operand of another");
    operand.expression = join(i + 1, close);
    statement->operands.push_back(operand);
    return close + 1;
}

/* Is token i in a function that is no kernel, and of which the compiler makes code only where it is
 * used? nvcc's assembler sees no other. A static one has to become inline for that: *body is the
 * brace of its body, else 0. */
bool may_stay_unused(size_t i, size_t *body) {
    *body = 0;
    for (size_t block = find_block(i); block; block = find_block(block)) {
        const size_t begin = find_begin(block);
        if (has_word(begin, block, {"__global__"}))
            return false;
        if (has_word(begin, block,
                     {"inline", "__inline__", "__inline", "template", "class", "struct"}))
            return true;
        if (has_word(begin, block, {"static"})) {
            *body = block;
            return true;
        }
    }
    return false;
}

/* Are there only PTX's comments? */
bool says_nothing(const std::string &code) {
    for (size_t i = 0; i < code.size(); i++) {
        if (code.compare(i, 2, "//") == 0)
            i = std::min(code.find('\n', i), code.size());
        else if (code.compare(i, 2, "/*") == 0)
            i = std::min(code.find("*/", i), code.size() - 2) + 1;
        else if (!std::isspace((unsigned char)code[i]) && code[i] != ';')
            return false;
    }
    return true;
}
/* Would the host's compiler take it otherwise? A float's register there is no f. */
bool is_for_ptx(const asm_statement &statement) {
    bool is = !statement.code.empty();
    for (const asm_operand &operand : statement.operands)
        is = is || std::string("lhfd").find(operand.constraint) != std::string::npos;
    return is;
}
/* The variables may have changed: a fence for the compiler. */
std::string emit_fence(const asm_statement &statement) {
    std::string inputs, outputs;
    for (const asm_operand &operand : statement.operands)
        if (operand.output)
            outputs += (outputs.empty() ? "" : ", ") +
                       std::string(operand.reads ? "\"+m\"(" : "\"=m\"(") + operand.expression +
                       ")";
        else
            inputs += "(void)(" + operand.expression + "); ";
    return "__extension__({ " + inputs + "__asm__ volatile(\"\" : " + outputs +
           " : : \"memory\"); })";
}

/* An error of the C++ compiler, once it makes code of this. */
std::string emit_late_failure(const std::string &message) {
    static size_t number = 0;
    const std::string name = "cudacpu_refused_" + std::to_string(++number);
    return "__extension__({ __attribute__((error(\"" + quote(message) + "\"))) void " + name +
           "(); " + name + "(); })";
}

/* Is this code PTX, and not the assembly of the host's processor? It is known by its types and
 * states, or by the first word of an instruction. */
bool is_ptx(const std::string &code) {
    for (const char *word : {".u32", ".s32", ".b32", ".f32", ".u64", ".s64", ".b64", ".f64", ".b16",
                             ".f16", ".reg", ".pred", ".sync", ".shared", ".global"})
        if (code.find(word) != std::string::npos)
            return true;
    bool begins = true;
    for (size_t i = 0; i < code.size(); i++) {
        const char c = code[i];
        if (begins && std::islower((unsigned char)c)) {
            size_t end = i;
            while (end < code.size() && (std::isalnum((unsigned char)code[end]) ||
                                         std::string("_.:").find(code[end]) != std::string::npos))
                end++;
            const size_t semicolon = code.find(';', end);
            const std::string word = code.substr(i, end - i);
            const bool is_word =
                word.find('.') != std::string::npos /* mbarrier.init */
                    ? word.compare(0, 2, "b.") != 0 && word.back() != '.'
                    : code.find_first_not_of(" \t\n", end) == semicolon &&
                          (word == "ret" || word == "exit" || word == "trap" || word == "brkpt");
            if (is_word && semicolon != std::string::npos)
                return true;
            begins = false;
            i = end - 1;
        } else if (!std::isspace((unsigned char)c)) {
            begins = c == ';' || c == '}' || (begins && c == '{');
        }
    }
    return false;
}

/* The statement that begins at token i; false: it is not PTX, and the C++ compiler's. */
bool read_assembly(size_t i, asm_statement *statement) {
    statement->begin = i;
    size_t j = i + 1;
    while (
        is_any(j, {"volatile", "__volatile__", "__volatile", "inline", "__inline__", "__inline"}))
        j++;
    if (!is(j, "("))
        return false;
    const size_t end = match(j);
    for (j++; j < end && tokens[j].kind == STRING; j++) {
        statement->strings.emplace_back(statement->code.size(), j);
        statement->code += read_string(token_text(j));
    }
    if (!is_ptx(statement->code) && !says_nothing(statement->code))
        return false;
    statement->end = end;
    for (int section = 0; j < end;) {
        if (is(j, ":") || is(j, "::")) {
            section += is(j, ":") ? 1 : 2;
            j++;
        } else if (is(j, ",")) {
            j++;
        } else if (section == 1 || section == 2) {
            j = read_operand(j, section == 1, statement);
        } else if (section == 3 && tokens[j].kind == STRING) {
            const size_t first = j;
            std::string clobber;
            for (; j < end && tokens[j].kind == STRING; j++)
                clobber += read_string(token_text(j));
            if (clobber != "memory") /* a call of a function is one anyway */
                fail(first, "asm with PTX has no clobber but \"memory\", not " + join(first, j));
        } else {
            fail(j, "asm wants strings, then operands, here, not " + token_text(j));
        }
    }
    return true;
}

/* Token i is asm, in a function. */
void rewrite_assembly(size_t i) {
    asm_statement statement;
    std::string code;
    size_t static_body = 0;
    try {
        if (!read_assembly(i, &statement))
            return;
        if (says_nothing(statement.code)) {
            if (is_for_ptx(statement))
                replace(tokens[i].begin, tokens[statement.end].end, emit_fence(statement));
            return;
        }
        code = emit_assembly(statement);
    } catch (const failure &refused) {
        if (says_nothing(statement.code)) /* of the host, with its constraints */
            return;
        if (!may_stay_unused(i, &static_body))
            throw;
        code = emit_late_failure(refused.message);
    }
    replace(tokens[i].begin, tokens[statement.end].end, code);
    ptx_sites.push_back({i, static_body});
}

} // namespace

size_t asm_statement::token_of(size_t offset) const {
    size_t token = begin;
    for (const auto &string : strings)
        if (string.first <= offset)
            token = string.second;
    return token;
}

std::vector<ptx_site> ptx_sites;

void lower_inline_ptx() {
    for (const size_t i : occurrences({"asm", "__asm__", "__asm"}))
        if (find_body(i))
            rewrite_assembly(i);
}
