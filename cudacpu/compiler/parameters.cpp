/* parameters.cpp - finds the name in a parameter's declaration, or where one may stand. */
#include "parameters.h"
#include "template_arguments.h"
#include "tokens.h"

namespace {

bool is_word_of(size_t i, std::initializer_list<const char *> words) {
    for (const char *word : words)
        if (is(i, word))
            return true;
    return false;
}
bool is_qualifier(size_t i) {
    return is_word_of(i, {"const", "volatile", "__restrict", "restrict", "register", "struct",
                          "class", "union", "enum", "typename"});
}
bool is_plain_type(size_t i) {
    return is_word_of(i, {"void", "bool", "char", "short", "int", "long", "float", "double",
                          "signed", "unsigned", "auto", "wchar_t", "char8_t", "char16_t",
                          "char32_t", "__int128"});
}
/* class T, typename...; and not typename T::type */
bool declares_type(size_t i) {
    return is_word_of(i, {"class", "typename"}) && !is(i + 1, "::") &&
           !(is_identifier(i + 1) && (is_identifier(i + 2) || is_word_of(i + 2, {"::", "<"})));
}

/* The token after the attribute at token i, or i. */
size_t skip_attribute(size_t i) {
    if (is_word_of(i, {"__attribute__", "alignas"}) && is(i + 1, "("))
        return match(i + 1, "(", ")") + 1;
    if (is(i, "[") && is(i + 1, "["))
        return match(i, "[", "]") + 1;
    return i;
}

/* The token after the type with which the declaration at token i begins. */
size_t skip_type(size_t i, size_t end) {
    for (bool found = false; i < end;) {
        const size_t after = skip_attribute(i);
        if (after != i) {
            i = after;
        } else if (is(i, "template") && is(i + 1, "<")) { /* template <class> class T */
            i = find_arguments_end(i + 1) + 2;
            found = true;
        } else if (is_plain_type(i) || declares_type(i)) {
            found = true;
            i++;
        } else if (is_qualifier(i)) {
            i++;
        } else if (is(i, "decltype")) {
            i = match(i + 1, "(", ")") + 1;
            found = true;
        } else if (!found && (is_identifier(i) || is(i, "::"))) {
            for (; is_identifier(i) || is(i, "::"); i++) { /* a::b<c>::d */
                if (is(i + 1, "<") && find_arguments_end(i + 1, end) != NONE)
                    i = find_arguments_end(i + 1, end);
                if (!is(i + 1, "::") && !is(i, "::") && !is(i, "template"))
                    break;
            }
            i++;
            found = true;
        } else {
            break;
        }
    }
    return i;
}

/* The parameter that tokens begin to end - 1 declare. */
parameter name_parameter(size_t begin, size_t end) {
    bool is_pack = false;
    size_t i = skip_type(begin, end);
    for (; i < end; i++) {
        const size_t after = skip_attribute(i);
        if (after != i)
            i = after - 1;
        else if (is(i, "."))
            is_pack = true;
        else if (!is_word_of(i, {"*", "&", "(", "::"}) && !is_qualifier(i))
            break;
        else if (is(i, "(") && !is_word_of(i + 1, {"*", "&"}))
            break; /* a function's parameters */
    }
    if (i < end && is_identifier(i))
        return {token_text(i), is_pack};
    const std::string name = "cudacpu_" + std::to_string(i);
    replace(tokens[i - 1].end, tokens[i - 1].end, " " + name);
    return {name, is_pack};
}

} // namespace

std::vector<parameter> name_parameters(size_t open, size_t close) {
    std::vector<parameter> all;
    if (close == open + 1 || (close == open + 2 && is(open + 1, "void")))
        return all;
    for (size_t begin = open + 1, i = begin, end = NONE; i <= close; i++) {
        if (is(i, "<") && i < close && is_template(i - 1)) {
            const size_t inner = find_arguments_end(i, close);
            i = inner == NONE ? i : inner;
        } else if (i == close || is(i, ",")) {
            all.push_back(name_parameter(begin, end == NONE ? i : end));
            begin = i + 1;
            end = NONE;
        } else if (is(i, "=") && end == NONE) {
            end = i;
        } else if (is(i, "(")) {
            i = match(i, "(", ")");
        } else if (is(i, "{")) {
            i = match(i, "{", "}");
        } else if (is(i, "[")) {
            i = match(i, "[", "]");
        }
    }
    return all;
}
