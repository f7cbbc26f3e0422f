/* always_inline.cpp - functions with PTX are inlined where they are called, static ones and
 * templates: an instruction that a warp executes together is one jump from lane to lane, and after
 * it a return would be mispredicted. */
#include "passes.h"
#include "ptx.h"
#include "syntax.h"
#include <map>
#include <set>

namespace {

std::map<size_t, bool> looked_at; /* opening braces of functions: is it inlined? */

/* Before token i: TYPE NAME(...); */
bool is_declared_before(size_t i) {
    for (const size_t j : occurrences(token_text(i), 1, i))
        if (is(j + 1, "(") && is(match(j + 1) + 1, ";") &&
            (is_identifier(j - 1) || is_any(j - 1, {"*", "&", ">"})) && !is(j - 1, "return"))
            return true;
    return false;
}

/* The name of the function whose body opens at token body, if it can be inlined, not one that may
 * call itself; 0: it stays as it is. */
size_t inline_function(size_t body) {
    const size_t begin = find_begin(body);
    size_t first = begin;
    if (is(begin, "template"))
        first = match_arguments(begin + 1) + 1;
    size_t name = first;
    while (name < body && !is(name, "("))
        name =
            (is_any(name, {"__attribute__", "alignas", "decltype"}) ? match(name + 1) : name) + 1;
    if (has_word(first, name,
                 {"__global__", "struct", "class", "union", "requires", "=", "[", "::", "operator",
                  "extern"}))
        return 0;
    const bool is_inline = has_word(first, name, {"inline", "__inline__", "__inline"});
    if (!(is_inline || first > begin || has_word(first, name, {"static"})) || name == body ||
        has_word(first, body, {"noinline", "__noinline__"}) || !is_identifier(--name) ||
        !occurrences(token_text(name), body, match(body)).empty() || is_declared_before(name))
        return 0;
    insert_before(
        first,
        std::string(is_inline ? "" : "inline ") +
            (has_word(first, name, {"always_inline"}) ? "" : "__attribute__((always_inline)) "));
    return name;
}

} // namespace

void inline_ptx_functions() {
    std::set<size_t> left; /* tokens: asm statements, and calls of functions that are inlined */
    for (const ptx_site &site : ptx_sites)
        left.insert(site.token);
    while (!left.empty()) {
        const size_t i = *left.begin(), body = find_body(i);
        left.erase(left.begin());
        if (!body || !looked_at.emplace(body, false).second)
            continue;
        const size_t name = inline_function(body);
        if (!name)
            continue;
        looked_at[body] = true;
        for (const size_t call : occurrences(token_text(name), i + 1, tokens.size()))
            left.insert(call);
    }
    std::set<size_t> done;
    for (const ptx_site &site : ptx_sites) {
        if (!site.static_body || looked_at[find_body(site.token)] ||
            !done.insert(site.static_body).second)
            continue;
        size_t first = find_begin(site.static_body); /* behind attributes: [[maybe_unused]] */
        while (is(first, "["))
            first = match(first) + 1;
        insert_before(first, "inline ");
    }
}
