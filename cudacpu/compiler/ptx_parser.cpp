/* ptx_parser.cpp - splits PTX into words and reads its lines. */
#include "ptx.h"
#include <cctype>
#include <cstdlib>

namespace {

enum word_kind { WORD, NUMBER_WORD, ASM_WORD, SIGN, END };

struct word {
    word_kind kind;
    size_t offset;
    std::string text;
};

bool is_word_char(char c) { return std::isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* As C++: bits in decimal; 1.5 stays. */
std::string read_number(std::string text, bool negative) {
    const char second = text.size() > 1 ? (char)std::tolower((unsigned char)text[1]) : ' ';
    if (text[0] == '0' && (second == 'f' || second == 'd'))
        return std::to_string(std::strtoull(text.c_str() + 2, nullptr, 16));
    if (text.find('.') != std::string::npos)
        return negative ? "-" + text : text;
    if (text.back() == 'U')
        text.pop_back();
    const bool binary = text[0] == '0' && second == 'b';
    const unsigned long long value =
        std::strtoull(text.c_str() + (binary ? 2 : 0), nullptr, binary ? 2 : 0);
    return std::to_string(negative ? 0 - value : value);
}

class reader {
  public:
    reader(const asm_statement &s, const std::string &u) : statement(s), unique(u) { split(); }
    std::vector<ptx_line> read() {
        while (words[at].kind != END) {
            if (take("{") || take("}"))
                lines.push_back(
                    {words[at - 1].text == "{" ? PTX_OPEN : PTX_CLOSE, words[at - 1].offset});
            else if (take(";"))
                continue;
            else if (words[at].kind == WORD && words[at].text[0] == '.')
                read_declaration();
            else
                read_instruction();
        }
        return lines;
    }

  private:
    const asm_statement &statement;
    const std::string &unique;
    std::vector<word> words;
    size_t at = 0;
    std::vector<ptx_line> lines;

    [[noreturn]] void refuse(size_t offset, const std::string &message) const {
        fail(statement.token_of(offset), message);
    }

    bool see(const char *sign) const {
        return (words[at].kind == SIGN || words[at].kind == WORD) && words[at].text == sign;
    }
    bool take(const char *sign) {
        const bool taken = see(sign);
        at += taken;
        return taken;
    }
    void want(const char *sign, const std::string &after) {
        if (!take(sign))
            refuse(words[at].offset, std::string("PTX wants ") + sign + " after " + after +
                                         (words[at].kind == END ? "" : ", not " + words[at].text));
    }

    size_t skip_comment(size_t i) const {
        const std::string &code = statement.code;
        if (code[i] == '/' && i + 1 < code.size() && code[i + 1] == '/')
            return std::min(code.find('\n', i), code.size());
        if (code[i] == '/' && i + 1 < code.size() && code[i + 1] == '*') {
            const size_t end = code.find("*/", i + 2);
            return end == std::string::npos ? code.size() : end + 2;
        }
        return i;
    }

    /* A name with what follows its dots: mbarrier.init.shared::cta.b64, %tid.x, L%=; or a number.
     */
    size_t split_word(size_t i) {
        const std::string &code = statement.code;
        word w = {std::isdigit((unsigned char)code[i]) ? NUMBER_WORD : WORD, i, ""};
        for (; i < code.size(); i++) {
            if (is_word_char(code[i]) || code[i] == '.')
                w.text += code[i];
            else if (code.compare(i, 2, "::") == 0 && i + 2 < code.size() &&
                     is_word_char(code[i + 2])) {
                w.text += "::";
                i++;
            } else if (code.compare(i, 2, "%=") == 0) {
                w.text += unique;
                i++;
            } else {
                break;
            }
        }
        words.push_back(w);
        return i;
    }

    /* %0, %[name], %%name, %name, %{ */
    size_t split_percent(size_t i) {
        const std::string &code = statement.code;
        const size_t begin = i++;
        const char c = i < code.size() ? code[i] : ' ';
        if (std::isdigit((unsigned char)c)) {
            const size_t end = std::min(code.find_first_not_of("0123456789", i), code.size());
            const std::string digits = code.substr(i, end - i);
            if (digits.size() > 4 || std::stoul(digits) >= statement.operands.size())
                refuse(begin, "asm has no operand %" + digits + ": it has " +
                                  std::to_string(statement.operands.size()) + ", from %0 on");
            words.push_back({ASM_WORD, begin, digits});
            return end;
        }
        if (c == '[') {
            const size_t close = code.find(']', i);
            const std::string name =
                close == std::string::npos ? "" : code.substr(i + 1, close - i - 1);
            for (size_t n = 0; n < statement.operands.size() && !name.empty(); n++)
                if (statement.operands[n].name == name) {
                    words.push_back({ASM_WORD, begin, std::to_string(n)});
                    return close + 1;
                }
            refuse(begin, "asm has no operand %[" + name + "]");
        }
        if (c == '{' || c == '}' || c == '|') {
            words.push_back({SIGN, begin, std::string(1, c)});
            return i + 1;
        }
        if (c == '=')
            return split_word(begin);
        if (c == '%' && statement.operands.empty())
            refuse(begin, "asm without operands leaves %% as it is: PTX wants one %");
        if (c == '%')
            i++;
        if (i >= code.size() || !is_word_char(code[i]))
            refuse(begin, "PTX has no % without a name");
        const size_t end = split_word(i);
        words.back().kind = WORD;
        words.back().text = "%" + words.back().text;
        return end;
    }

    void split() {
        const std::string &code = statement.code;
        for (size_t i = 0; i < code.size();) {
            const char c = code[i];
            if (skip_comment(i) != i)
                i = skip_comment(i);
            else if (std::isspace((unsigned char)c))
                i++;
            else if (c == '%')
                i = split_percent(i);
            else if (is_word_char(c) ||
                     (c == '.' && i + 1 < code.size() && is_word_char(code[i + 1])))
                i = split_word(i);
            else {
                words.push_back({SIGN, i, std::string(1, c)});
                i++;
            }
        }
        words.push_back({END, code.size(), "the end"});
    }

    ptx_operand read_scalar() {
        const bool negative = take("-"), negated = !negative && take("!");
        const word w = words[at];
        ptx_operand operand = {PTX_NAME, w.text};
        operand.negated = negated;
        if (w.kind == NUMBER_WORD) {
            operand.kind = PTX_NUMBER;
            operand.text = read_number(w.text, negative);
        } else if (w.kind == ASM_WORD && !negative) {
            operand.kind = PTX_ASM;
            operand.number = std::stoul(w.text);
        } else if (w.kind == WORD && !negative) {
            operand.kind = w.text == "_" ? PTX_SINK : PTX_NAME;
        } else {
            refuse(w.offset, "PTX wants an operand here, not " + w.text);
        }
        at++;
        return operand;
    }

    ptx_operand read_operand() {
        if (take("{")) {
            ptx_operand list = {PTX_VECTOR, ""};
            do
                list.parts.push_back(read_scalar());
            while (take(","));
            want("}", "the operands in { }");
            return list;
        }
        if (take("[")) {
            ptx_operand address = {PTX_ADDRESS, ""};
            do
                address.parts.push_back(read_scalar());
            while (take("+") || see("-"));
            want("]", "an address");
            return address;
        }
        const ptx_operand operand = read_scalar();
        return take("|") ? ptx_operand{PTX_PAIR, "", 0, false, {operand, read_scalar()}} : operand;
    }

    /* .reg .b32 a, b<4>; */
    void read_declaration() {
        ptx_line line = {PTX_DECLARATION, words[at].offset};
        const std::string directive = words[at++].text;
        if (directive.compare(0, 5, ".reg.") == 0)
            line.name = directive.substr(4);
        else if (directive == ".reg")
            line.name = words[at++].text;
        else
            refuse(line.offset, "cudacpu does not provide PTX's " + directive +
                                    " in an asm statement: only .reg");
        do {
            const std::string name = words[at].text;
            if (words[at++].kind != WORD)
                refuse(words[at - 1].offset, "PTX's .reg wants a type and names, not " + name);
            if (take("<")) {
                const unsigned long count = std::strtoul(words[at++].text.c_str(), nullptr, 0);
                want(">", ".reg " + line.name + " " + name + "<");
                if (count == 0 || count > 4096)
                    refuse(line.offset, "PTX's .reg " + name + "<> wants a count from 1 to 4096");
                for (unsigned long i = 0; i < count; i++)
                    line.operands.push_back({PTX_NAME, name + std::to_string(i)});
            } else {
                line.operands.push_back({PTX_NAME, name});
            }
        } while (take(","));
        want(";", ".reg " + line.name);
        lines.push_back(line);
    }

    void read_instruction() {
        ptx_line line = {PTX_INSTRUCTION, words[at].offset};
        if (take("@"))
            line.guard.push_back(read_scalar());
        const word name = words[at];
        if (name.kind != WORD)
            refuse(name.offset, "PTX wants an instruction here, not " + name.text);
        at++;
        line.name = name.text;
        line.offset = name.offset;
        if (take(":")) {
            line.kind = PTX_LABEL;
        } else {
            if (!see(";"))
                do
                    line.operands.push_back(read_operand());
                while (take(","));
            want(";", line.name);
        }
        lines.push_back(line);
    }
};

} // namespace

std::vector<ptx_line> read_ptx(const asm_statement &statement, const std::string &unique) {
    return reader(statement, unique).read();
}

std::string to_string(const ptx_operand &operand) {
    std::string list;
    for (const ptx_operand &part : operand.parts)
        list += (list.empty() ? "" : operand.kind == PTX_PAIR ? "|" : ", ") + to_string(part);
    switch (operand.kind) {
    case PTX_ASM:
        return "%" + std::to_string(operand.number);
    case PTX_ADDRESS:
        return "[" + list + "]";
    case PTX_VECTOR:
        return "{" + list + "}";
    case PTX_PAIR:
        return list;
    default:
        return (operand.negated ? "!" : "") + operand.text;
    }
}
