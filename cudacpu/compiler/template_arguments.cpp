/* template_arguments.cpp - tells a template's arguments from comparisons and shifts, by the names
 * that are declared as templates: k<1 << 4>, k<A >= 5>, k<A < 3>, f<g<int>>. */
#include "template_arguments.h"
#include "kernels.h"
#include "tokens.h"
#include <unordered_set>

namespace {

std::unordered_set<std::string> templates;

bool is_any_of(size_t i, std::initializer_list<const char *> words) {
    for (const char *word : words)
        if (is(i, word))
            return true;
    return false;
}

/* Is it one operator, <<, <= or >=? */
bool follows_closely(size_t i, const char *word) {
    return is(i + 1, word) && tokens[i].end == tokens[i + 1].begin;
}

/* The > that ends the arguments in which token i stands. Where a name may be a template's or a
 * variable's, both are tried. */
size_t find_end_from(size_t i, size_t limit) {
    for (; i < limit && i < tokens.size(); i++) {
        if (is_any_of(i, {"(", "[", "{"})) {
            const char *open = is(i, "(") ? "(" : is(i, "[") ? "[" : "{";
            const char *close = *open == '(' ? ")" : *open == '[' ? "]" : "}";
            i = match(i, open, close);
        } else if (is_any_of(i, {")", "]", "}", ";"})) {
            return NONE;
        } else if (is(i, "<") && follows_closely(i, "<")) {
            i++;
        } else if (is(i, "<") && !follows_closely(i, "=") && is_template(i - 1)) {
            const size_t inner = find_end_from(i + 1, limit);
            if (inner == NONE)
                continue;
            const size_t end = find_end_from(inner + 1, limit);
            if (end != NONE)
                return end;
        } else if (is(i, ">") && !follows_closely(i, "=")) {
            return i;
        }
    }
    return NONE;
}

/* The name that the template declares whose parameters end before token i. */
void note_name(size_t i) {
    size_t name = 0;
    for (; i < tokens.size() && !is_any_of(i, {"(", ";", "{", "=", ":", ">", ","}); i++) {
        if ((is_any_of(i, {"__attribute__", "alignas", "decltype", "noexcept", "requires",
                           "explicit", "__cluster_dims__"}) ||
             is(i, "]")) &&
            is(i + 1, "("))
            i = match(i + 1, "(", ")");
        else if (is(i, "["))
            i = match(i, "[", "]");
        else if (is(i, "<") && is_template(i - 1)) {
            const size_t end = find_end_from(i + 1, NONE);
            i = end == NONE ? i : end;
        } else if (is_identifier(i))
            name = i;
    }
    if (name && !is_any_of(name, {"operator", "template"}))
        templates.insert(token_text(name));
}

/* The nearest < before the > at token close that these arguments can begin with. */
template <class F> size_t find_begin_where(size_t close, F is_right) {
    for (size_t i = close; i-- > 1;) {
        if (is(i, ")"))
            i = match_back(i, "(", ")");
        else if (is(i, "]"))
            i = match_back(i, "[", "]");
        else if (is(i, "}"))
            i = match_back(i, "{", "}");
        else if (is_any_of(i, {"(", "[", "{", ";"}))
            return NONE;
        else if (is(i, "<") && is_right(i - 1) && find_end_from(i + 1, close + 1) == close)
            return i;
    }
    return NONE;
}

} // namespace

void find_templates() {
    for (size_t i = 0; i < tokens.size(); i++)
        if (is(i, "template") && is(i + 1, "<")) {
            const size_t end = find_end_from(i + 2, NONE);
            if (end != NONE)
                note_name(end + 1);
        }
}

bool is_template(size_t i) {
    return is_any_of(i, {"template", "static_cast", "reinterpret_cast", "const_cast",
                         "dynamic_cast", "]"}) ||
           (is_identifier(i) && (is(i - 1, "template") || templates.count(token_text(i))));
}

size_t find_arguments_end(size_t i, size_t limit) { return find_end_from(i + 1, limit); }

size_t find_arguments_begin(size_t i) {
    size_t begin = find_begin_where(i, is_kernel);
    if (begin == NONE)
        begin = find_begin_where(i, is_template);
    return begin != NONE ? begin : find_begin_where(i, is_identifier);
}

size_t match_arguments(size_t i) {
    const size_t end = find_arguments_end(i);
    if (end == NONE)
        fail(i, "no > for this <");
    return end;
}

size_t match_arguments_back(size_t i) {
    const size_t begin = find_arguments_begin(i);
    if (begin == NONE)
        fail(i, "no kernel name before <<<");
    return begin;
}
