/* syntax.cpp - finds scopes; tells a template's arguments from comparisons and shifts, by the names
 * that are declared as templates: k<1 << 4>, k<A >= 5>, k<A < 3>, f<g<int>>. */
#include "syntax.h"

namespace {

/* A pair of braces. The first one is the file, without. */
struct scope {
    uint32_t open, parent;
    uint32_t body; /* the brace of the function or class that it is in, or opens; 0: a namespace */
    bool is_device;
};
std::vector<scope> scopes;

/* By symbols: what is known of a name. */
std::vector<bool> template_names, kernel_names;
std::vector<kernel> kernels;

/* Is it one operator, <<, <= or >=? */
bool follows_closely(size_t i, const char *word) {
    return is(i + 1, word) && tokens[i].end == tokens[i + 1].begin;
}

/* The name that the template declares whose parameters end before token i. */
void note_template(size_t i) {
    size_t name = 0;
    for (; i < tokens.size() && !is_any(i, {"(", ";", "{", "=", ":", ">", ","}); i++) {
        if (is_any(i, {"__attribute__", "alignas", "decltype", "noexcept", "requires", "explicit",
                       "__cluster_dims__"}) &&
            is(i + 1, "("))
            i = match(i + 1);
        else if (is(i, "["))
            i = match(i);
        else if (is(i, "<") && is_template(i - 1)) {
            const size_t end = find_arguments_end(i);
            i = end == NONE ? i : end;
        } else if (is_identifier(i))
            name = i;
    }
    if (name && !is_any(name, {"operator", "template"}))
        template_names[tokens[name].symbol] = true;
}

/* The nearest < before the > at token close that these arguments can begin with. */
template <class F> size_t find_begin_where(size_t close, F is_right) {
    for (size_t i = close; i-- > 1;) {
        if (closes(i))
            i = match(i);
        else if (opens(i) || is(i, ";"))
            return NONE;
        else if (is(i, "<") && is_right(i - 1) && find_arguments_end(i, close + 1) == close)
            return i;
    }
    return NONE;
}

/* The parenthesis before the parameters of the kernel at token i; 0: there is none. */
size_t find_parameters(size_t i) {
    for (; i < tokens.size() && !is(i, ";") && !is(i, "{"); i++) {
        if (is_any(i, {"__attribute__", "__cluster_dims__", "alignas", "decltype"}) &&
            is(i + 1, "("))
            i = match(i + 1);
        else if (is(i, "<") && find_arguments_end(i) != NONE)
            i = find_arguments_end(i);
        else if (is(i, "["))
            i = match(i);
        else if (is(i, "(") && (is_identifier(i - 1) || is(i - 1, ">")))
            return i;
    }
    return 0;
}

/* The kernel's name, before the parenthesis at token open: k, k<int>. */
size_t find_name(size_t open) {
    const size_t begin = is(open - 1, ">") ? find_arguments_begin(open - 1) : open;
    return begin == NONE ? open - 1 : begin - 1;
}

} // namespace

void find_scopes() {
    scopes.push_back({0, 0, 0, false});
    uint32_t inside = 0;
    size_t device_word = NONE, namespace_word = NONE; /* the last ones */
    for (uint32_t i = 0; i < tokens.size(); i++) {
        token &t = tokens[i];
        t.scope = inside;
        if (is(i, "__device__") || is(i, "__global__")) {
            device_word = i;
        } else if (is(i, "namespace")) {
            namespace_word = i;
        } else if (is(i, "}")) {
            t.scope = inside = scopes[inside].parent;
        } else if (is(i, "{")) {
            const scope &outer = scopes[inside];
            const bool is_namespace =
                (namespace_word != NONE && namespace_word >= t.statement) ||
                (i > 1 && tokens[i - 1].kind == STRING && is(i - 2, "extern"));
            const bool is_device =
                outer.is_device || (device_word != NONE && device_word >= t.statement);
            scopes.push_back({i, inside,
                              outer.body     ? outer.body
                              : is_namespace ? 0
                                             : i,
                              is_device});
            inside = (uint32_t)scopes.size() - 1;
        }
    }
}

size_t find_block(size_t i) { return scopes[tokens[i].scope].open; }
size_t find_body(size_t i) { return scopes[tokens[i].scope].body; }
bool is_in_device_code(size_t i) { return scopes[tokens[i].scope].is_device; }
bool has_device_word(size_t begin, size_t end) {
    return has_word(begin, end, {"__global__", "__device__"});
}

void find_templates() {
    template_names.resize(first_occurrences().size());
    for (const size_t i : occurrences("template"))
        if (is(i + 1, "<")) {
            const size_t end = find_arguments_end(i + 1);
            if (end != NONE)
                note_template(end + 1);
        }
}

bool is_template(size_t i) {
    if (!is_identifier(i))
        return is(i, "]");
    return template_names[tokens[i].symbol] || is(i - 1, "template") ||
           is_any(i, {"template", "static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"});
}

size_t find_arguments_end(size_t i, size_t limit) {
    for (i++; i < limit && i < tokens.size(); i++) {
        if (opens(i)) {
            i = match(i);
        } else if (closes(i) || is(i, ";")) {
            return NONE;
        } else if (is(i, "<") && follows_closely(i, "<")) {
            i++;
        } else if (is(i, "<") && !follows_closely(i, "=") && is_template(i - 1)) {
            /* the name may be a template's or a variable's: both are tried */
            const size_t inner = find_arguments_end(i, limit);
            if (inner == NONE)
                continue;
            const size_t end = find_arguments_end(inner, limit);
            if (end != NONE)
                return end;
        } else if (is(i, ">") && !follows_closely(i, "=")) {
            return i;
        }
    }
    return NONE;
}

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

size_t find_argument_end(size_t i) {
    for (; i < tokens.size() && !is(i, ";"); i++) {
        if (is(i, ",") || closes(i))
            return i;
        if (opens(i))
            i = match(i);
        else if (is(i, "<") && is_template(i - 1) && find_arguments_end(i) != NONE)
            i = find_arguments_end(i);
    }
    fail(i, "no end of this argument");
}

size_t find_assignment(size_t i) {
    if (is(i, "="))
        return is(i + 1, "=") ? 0 : i;
    for (const char *sign : {"+", "-", "*", "/", "%", "&", "|", "^", "<", ">"})
        if (is(i, sign)) {
            if (is(i, "<") || is(i, ">")) /* << and >> are two tokens each */
                i = is(i + 1, sign) ? i + 1 : tokens.size();
            return follows_closely(i, "=") ? i + 1 : 0;
        }
    return 0;
}

bool is_counted(size_t first, size_t after) {
    for (const char *sign : {"+", "-"})
        if ((is(after, sign) && is(after + 1, sign)) ||
            (first > 1 && is(first - 2, sign) && is(first - 1, sign)))
            return true;
    return false;
}

void find_kernels() {
    kernel_names.resize(first_occurrences().size());
    for (const size_t i : occurrences("__global__")) {
        const size_t open = find_parameters(i + 1);
        if (!open)
            continue;
        const size_t name = find_name(open);
        kernels.push_back({i, name, open});
        if (is_identifier(name))
            kernel_names[tokens[name].symbol] = true;
    }
}

const std::vector<kernel> &all_kernels() { return kernels; }
bool is_kernel(size_t i) { return is_identifier(i) && kernel_names[tokens[i].symbol]; }
