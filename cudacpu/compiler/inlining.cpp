/* inlining.cpp - marks functions with PTX for the C++ compiler. */
#include "inlining.h"
#include "template_arguments.h"
#include "tokens.h"
#include <map>
#include <set>

namespace {

std::set<std::string> inlined;
std::map<size_t, bool> looked_at; /* opening braces of functions: was it inlined? */

/* The brace that opens the function around token i, in a namespace; 0: there is none. */
size_t find_body(size_t i) {
    size_t body = 0;
    for (size_t j = i, closed = 0; j-- > 0;) {
        if (is(j, "}"))
            closed++;
        else if (is(j, "{") && closed > 0)
            closed--;
        else if (is(j, "{") && !has_word(find_begin(j), j, "namespace") &&
                 !is(find_begin(j), "extern"))
            body = j;
    }
    return body;
}

/* Before token i: TYPE NAME(...); */
bool is_declared_before(const std::string &name, size_t i) {
    for (size_t j = 1; j < i; j++)
        if (is_identifier(j) && is(j, name.c_str()) && is(j + 1, "(") &&
            (is_identifier(j - 1) || is(j - 1, "*") || is(j - 1, "&") || is(j - 1, ">")) &&
            !is(j - 1, "return") && is(match(j + 1, "(", ")") + 1, ";"))
            return true;
    return false;
}

} // namespace

bool is_inlined(size_t i) { return inlined.count(token_text(i)) > 0; }

bool inline_around(size_t i) {
    const size_t body = find_body(i), begin = find_begin(body);
    if (!body || !looked_at.emplace(body, false).second)
        return body && looked_at[body];
    size_t first = begin;
    if (is(begin, "template"))
        first = match_arguments(begin + 1) + 1;
    size_t name = first;
    while (name < body && !is(name, "("))
        name = (is(name, "__attribute__") || is(name, "alignas") || is(name, "decltype")
                    ? match(name + 1, "(", ")")
                    : name) +
               1;
    for (const char *word :
         {"__global__", "struct", "class", "union", "requires", "=", "[", "::", "operator"})
        if (has_word(first, name, word))
            return false;
    const bool is_inline = has_word(first, name, "inline") || has_word(first, name, "__inline__") ||
                           has_word(first, name, "__inline");
    if (!(is_inline || first > begin || has_word(first, name, "static")) || name == body ||
        has_word(first, body, "noinline") || has_word(first, body, "__noinline__") ||
        !is_identifier(--name) || has_word(body, match(body, "{", "}"), token_text(name).c_str()) ||
        is_declared_before(token_text(name), name))
        return false;
    inlined.insert(token_text(name));
    replace(tokens[first].begin, tokens[first].begin,
            std::string(is_inline ? "" : "inline ") +
                (has_word(first, name, "always_inline") ? "" : "__attribute__((always_inline)) "));
    return looked_at[body] = true;
}
