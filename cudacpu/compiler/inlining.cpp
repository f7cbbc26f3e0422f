/* inlining.cpp - marks functions with PTX for the C++ compiler. */
#include "inlining.h"
#include "template_arguments.h"
#include "tokens.h"
#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace {

std::set<std::string> inlined;
std::map<size_t, bool> looked_at; /* opening braces of functions: was it inlined? */

/* Where the functions and classes of namespaces begin and end, at their braces. */
const std::vector<std::pair<size_t, size_t>> &bodies_in_namespaces() {
    static std::vector<std::pair<size_t, size_t>> all;
    for (size_t i = all.empty() ? 0 : tokens.size(); i < tokens.size(); i++) {
        if (!is(i, "{") || has_word(find_begin(i), i, "namespace") || is(find_begin(i), "extern"))
            continue;
        size_t end = i, depth = 0;
        do
            depth += is(end, "{") - is(end, "}");
        while (depth > 0 && ++end < tokens.size());
        all.push_back({i, end});
        i = end;
    }
    return all;
}
/* The brace that opens the function around token i, in a namespace; 0: there is none. */
size_t find_body(size_t i) {
    const auto &all = bodies_in_namespaces();
    const auto after = std::upper_bound(all.begin(), all.end(), std::make_pair(i, tokens.size()));
    return after != all.begin() && i < (after - 1)->second ? (after - 1)->first : 0;
}

/* Before token i: TYPE NAME(...); */
bool is_declared_before(const std::string &name, size_t i) {
    static std::map<std::string, size_t> first;
    static bool read = false;
    std::vector<size_t> open;
    for (size_t j = 1; !read && j < tokens.size(); j++) {
        if (is(j, "("))
            open.push_back(j - 1);
        if (!is(j, ")") || open.empty())
            continue;
        const size_t function = open.back();
        open.pop_back();
        if (is(j + 1, ";") && function > 0 && is_identifier(function) &&
            (is_identifier(function - 1) || is(function - 1, "*") || is(function - 1, "&") ||
             is(function - 1, ">")) &&
            !is(function - 1, "return"))
            first.emplace(token_text(function), function);
    }
    read = true;
    const auto found = first.find(name);
    return found != first.end() && found->second < i;
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
