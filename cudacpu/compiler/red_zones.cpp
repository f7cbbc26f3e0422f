/* red_zones.cpp - local arrays of observed kernels get red zones: float u[4] = {}, x; becomes
 * local_array<float[4]> a = {{}, {}, {}}; auto &u = a.value; float x; all on its lines
 * (include/cudacpu/local_array.h). */
#include "passes.h"
#include "syntax.h"
#include <algorithm>

namespace {

/* With one of these a declaration stays as it is, or is none. */
const std::initializer_list<const char *> OTHERS = {
    "return",       "delete",        "else",        "goto",      "throw",         "case",
    "new",          "using",         "typedef",     "static",    "extern",        "const",
    "constexpr",    "struct",        "class",       "union",     "enum",          "if",
    "for",          "while",         "do",          "switch",    "auto",          "register",
    "template",     "volatile",      "operator",    "co_return", "asm",           "__asm__",
    "default",      "__shared__",    "sizeof",      "alignas",   "__attribute__", "__device__",
    "__constant__", "static_assert", "thread_local"};

/* The token after the type that begins at token i; i: there is none. */
size_t find_end_of_type(size_t i) {
    size_t end = i;
    for (;;) {
        if (is_any(end, OTHERS) || (!is_identifier(end) && !is(end, "::")))
            return i;
        /* the name of the variable comes next, or a * or & before it */
        size_t next = end + 1;
        if (is(next, "<") && find_arguments_end(next) == NONE)
            return i;
        if (is(next, "<"))
            next = find_arguments_end(next) + 1;
        if (is(next, "*") || is(next, "&") ||
            (is_identifier(next) && !is(end, "::") && is_any(next + 1, {"[", ",", "=", ";"})))
            return next;
        end = next;
    }
}

struct declarator {
    size_t first, name, bounds, end; /* bounds: after its brackets; end: its comma or semicolon */
};
/* False: one of them is not understood, or none is an array. */
bool read_declarators(size_t i, std::vector<declarator> *all) {
    bool any = false;
    for (;; i = all->back().end + 1) {
        declarator d = {i, i, 0, 0};
        while (is(d.name, "*") || is(d.name, "&") || is(d.name, "const"))
            d.name++;
        if (!is_identifier(d.name))
            return false;
        for (d.bounds = d.name + 1; is(d.bounds, "["); d.bounds = match(d.bounds) + 1)
            if (is(d.bounds + 1, "]"))
                return false;
        any = any || d.bounds > d.name + 1;
        if (!is(d.bounds, "=") && !is(d.bounds, ",") && !is(d.bounds, ";") && !is(d.bounds, "{"))
            return false;
        for (d.end = d.bounds; !is(d.end, ",") && !is(d.end, ";"); d.end++) {
            if (d.end >= tokens.size())
                return false;
            if (opens(d.end))
                d.end = match(d.end);
            else if (is(d.end, "<") && d.end > d.bounds + 1)
                return false; /* a template's arguments have commas, too */
        }
        all->push_back(d);
        if (is(d.end, ";"))
            return any;
    }
}

/* Is the array's address taken, so that an access through it may leave the array? One with all of
 * its indices is checked by -fsanitize=bounds. */
bool is_pointed_to(const declarator &d) {
    for (const size_t i : occurrences(token_text(d.name), d.end, match(find_block(d.name)))) {
        if (is_any(i - 1, {".", "::", ":"}))
            continue;
        size_t bounds = d.name + 1, index = i + 1;
        while (is(bounds, "[") && bounds < d.bounds && is(index, "[")) {
            bounds = match(bounds) + 1;
            index = match(index) + 1;
        }
        const bool address = is(i - 1, "&") && !is_identifier(i - 2) && !is(i - 2, ")") &&
                             !is(i - 2, "]") && !is(i - 2, "&");
        if (address || bounds < d.bounds)
            return true;
    }
    return false;
}

/* A goto or a case must not pass what is initialized. */
bool may_be_passed(size_t body) {
    return !occurrences({"goto", "case"}, body, match(body)).empty() ||
           has_word(find_begin(body), body, {"constexpr"});
}

/* Token i begins a statement. */
void rewrite_declaration(size_t i) {
    const size_t type_end = find_end_of_type(i);
    std::vector<declarator> all;
    if (type_end == i || !read_declarators(type_end, &all) || may_be_passed(find_body(i)) ||
        !is_own(i))
        return;
    const auto is_guarded = [](const declarator &d) {
        return d.bounds > d.name + 1 && is_pointed_to(d);
    };
    if (std::none_of(all.begin(), all.end(), is_guarded))
        return;
    const std::string type = join(i, type_end);
    for (const declarator &d : all) {
        const bool is_array = is_guarded(d);
        const std::string object = "cudacpu_local_" + std::to_string(d.name),
                          name = token_text(d.name), wrapped = "::cudacpu::local_array<";
        const bool is_first = d.first == type_end;
        std::string after;
        if (is_array && is_first)
            insert_before(i, wrapped);
        if (is_array) {
            replace_token(d.name, "");
            for (size_t j = d.name + 1; j < d.bounds; j = match(j) + 1)
                if (has_word(j, match(j), {">"})) { /* it would end local_array's arguments */
                    insert_after(j, "(");
                    insert_before(match(j), ")");
                }
            if (d.end == d.bounds) {
                after = "> " + object;
            } else {
                const size_t at = tokens[d.bounds].begin;
                replace(at, is(d.bounds, "=") ? at + 1 : at, "> " + object + " = {{}, ");
                after = ", {}}";
            }
            after += "; const ::cudacpu::local_guard cudacpu_guard_" + std::to_string(d.name) +
                     "(" + object + ", \"" + name + "\"); auto &" + name + " = " + object +
                     ".value";
        }
        if (is(d.end, ";")) {
            insert_before(d.end, after);
            return;
        }
        const declarator &next = (&d)[1];
        replace_token(d.end, after + "; " + (is_guarded(next) ? wrapped : "") + type + " ");
    }
}

} // namespace

void add_red_zones() {
    for (size_t i = 1; i < tokens.size(); i++)
        if ((is_identifier(i) || is(i, "::")) && is_any(i - 1, {"{", ";", "}"}) &&
            is_in_device_code(i))
            rewrite_declaration(i);
}
