/* shared_memory.cpp - rewrites __shared__, static and dynamic. */
#include "shared_memory.h"
#include "template_arguments.h"
#include "tokens.h"
#include <map>
#include <set>

namespace {
const char NO_ARRAY[] =
    "extern __shared__ declares an array without a size: extern __shared__ float x[];";

/* ", (1024)" of alignas(1024) and __attribute__((aligned(1024))), "" of another attribute. */
std::string find_alignment(size_t i, size_t close) {
    if (is(i, "alignas"))
        return ", " + join(i + 1, close + 1);
    for (size_t j = i; j < close; j++)
        if ((is(j, "aligned") || is(j, "__aligned__")) && is(j + 1, "("))
            return ", " + join(j + 1, match(j + 1, "(", ")") + 1);
    return "";
}

/* An array begins at a multiple of 16, as it does on a GPU next to other arrays: programs read four
 * of its elements at once, or copy them. "" where its type is not plain to see. */
std::string align_array(size_t i) {
    size_t j = i;
    while (is_identifier(j) || is(j, "::") || is(j, "*")) {
        if (is(j + 1, "<"))
            j = match_arguments(j + 1);
        j++;
    }
    return is(j, "[") && j > i + 1 && is_identifier(j - 1)
               ? "alignas(16) alignas(" + join(i, j - 1) + ") "
               : "";
}

bool is_fundamental(size_t i) {
    for (const char *word : {"static", "volatile", "const", "unsigned", "signed", "long", "short",
                             "int", "char", "float", "double", "bool", "struct", "typename"})
        if (is(i, word))
            return true;
    return false;
}

/* half values[4][8]; where it stands in a function g++ guards such an array's beginning, as if its
 * elements had something to do, and each thread would read the guard. Not so with = {}. */
void initialize_arrays(size_t i) {
    bool is_class = false; /* or a type of a template */
    for (; !is(i, "["); i++) {
        if ((is(i, "__attribute__") || is(i, "alignas")) && is(i + 1, "("))
            i = match(i + 1, "(", ")");
        else if (is(i, "<"))
            i = match_arguments(i);
        else if (is_identifier(i) && !is(i + 1, "["))
            is_class = is_class || !is_fundamental(i);
        else if (!is_identifier(i) && !is(i, "::"))
            return;
    }
    for (; is_class && i < tokens.size() && !is(i, ";"); i++) {
        if (!is(i, "["))
            continue;
        i = match(i, "[", "]");
        if (is(i + 1, ",") || is(i + 1, ";"))
            replace_token(i, "] = {}");
    }
}

std::set<std::string> dynamic_arrays; /* at namespace scope */

/* Does token i, a name, declare it? An array is no operand of what else may stand before a name. */
bool is_declared(size_t i) {
    size_t before = i - 1;
    while (is(before, "*") || is(before, "&"))
        before--;
    if (before + 1 == i && is(before, ">"))
        return true;
    for (const char *word : {"return", "else", "do", "case", "sizeof", "throw", "co_return", "not"})
        if (is(before, word))
            return false;
    return is_identifier(before);
}
/* Within the function or class that begins at this brace, or among its parameters. */
bool is_declared_in(const std::string &name, size_t body) {
    static std::map<std::pair<size_t, std::string>, bool> known;
    const auto found = known.emplace(std::make_pair(body, name), false);
    const size_t end = found.second ? match(body, "{", "}") : 0;
    for (size_t j = find_begin(body); j < end && !found.first->second; j++)
        found.first->second = is(j, name.c_str()) && is_declared(j);
    return found.first->second;
}
} // namespace

bool is_dynamic_array(size_t i, size_t body) {
    return !dynamic_arrays.empty() && is_identifier(i) && !is(i - 1, ".") && !is(i - 1, "->") &&
           dynamic_arrays.count(token_text(i)) && !is_declared_in(token_text(i), body);
}
void rewrite_dynamic_use(size_t i) { replace(tokens[i].end, tokens[i].end, "()"); }

size_t rewrite_dynamic_shared(size_t i, size_t shared, bool in_function) {
    std::string type, alignments;
    /* alignas(1024) extern, double extern */
    const size_t begin = find_begin(i), extern_word = is(i, "extern") ? i : shared;
    size_t name = 0, j = begin;
    for (;; j++) {
        if (j >= tokens.size() || is(j, ";") || is(j, "="))
            fail(i, NO_ARRAY);
        if (is(j, "["))
            break;
        if (is(j, "__attribute__") || is(j, "alignas")) {
            const size_t close = match(j + 1, "(", ")");
            alignments += find_alignment(j, close);
            j = close;
            continue;
        }
        if (j == i || j == shared || j == extern_word)
            continue;
        if (name)
            type += token_text(name) + " ";
        name = j;
    }
    size_t end = j;
    while (!is(end, ";"))
        end++;
    if (!is(j + 1, "]"))
        fail(i, NO_ARRAY);
    std::string bounds = text.substr(tokens[j].begin, tokens[end].begin - tokens[j].begin);
    std::string more = text.substr(tokens[j + 1].end, tokens[end].begin - tokens[j + 1].end);
    const std::string aligned =
        "::cudacpu::dynamic_alignment<alignof(" + type + ")" + alignments + ">";
    if (!in_function)
        dynamic_arrays.insert(token_text(name));
    replace(tokens[begin].begin, tokens[end].begin,
            in_function
                ? type + "(&" + token_text(name) + ")" + bounds + " = *reinterpret_cast<" + type +
                      "(*)" + bounds + ">(" + aligned + "::aligned(cudacpu_dynamic_shared))"
                : "static const ::cudacpu::dynamic_array<" + type + more + ", " + aligned + "> " +
                      token_text(name));
    return end;
}

void rewrite_static_shared(size_t i) {
    for (size_t j = i + 1; j < tokens.size() && !is(j, ";"); j++) {
        if (is(j, "["))
            j = match(j, "[", "]");
        else if (is(j, "("))
            j = match(j, "(", ")");
        else if (is(j - 1, "]") && is_identifier(j) && !is(j, "__attribute__"))
            break; /* the next declaration: a semicolon is missing, as the compiler will say */
        else if (is(j, "=") && !is(j + 1, "=") && !is(j - 1, "=") && !is(j - 1, "<") &&
                 !is(j - 1, ">") && !is(j - 1, "!"))
            fail(j, "a __shared__ variable has no initial value: let a thread of the "
                    "block assign it");
    }
    initialize_arrays(i + 1);
    /* C++ wants alignas first: __shared__ alignas(128) T x; */
    std::string alignments;
    size_t next = i + 1;
    while (is(next, "alignas") && is(next + 1, "(")) {
        const size_t end = match(next + 1, "(", ")") + 1;
        alignments += join(next, end) + " ";
        for (; next < end; next++)
            replace_token(next, "");
    }
    const size_t begin = find_begin(i);
    if (begin == i && !is(next, "static"))
        alignments += align_array(next);
    else if (begin + 1 == i && is(begin, "static"))
        replace_token(begin, align_array(next) + "static");
    replace_token(i, i > 0 && is(i - 1, "static") ? "__thread"
                     : is(next, "static")         ? alignments
                                                  : alignments + "static __thread");
    if (is(next, "static"))
        replace_token(next, "static __thread");
}
