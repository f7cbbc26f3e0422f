/* launches.cpp - rewrites launches: k<<<g, b>>>(x) to launcher("k").configure(g, b)(get, call, x),
 * where get names the kernel and call calls it (include/cudacpu/launch.h); table[i]<<<g, b>>>(x) to
 * launcher("table[i]").configure(g, b).at(table[i])(x); and cudaLaunchKernelEx(&config, k, x), so
 * that k has its name (include/cudacpu/launch_config.h). */
#include "launches.h"
#include "clusters.h"
#include "kernel_expression.h"
#include "tokens.h"
#include <set>

namespace {

std::set<size_t> named_by_call; /* kernels' names in calls of cudaLaunchKernel and its kin */

/* A literal null would lose its type on its way into the kernel. */
void rewrite_null(size_t first, size_t last) {
    if (first != last)
        return;
    if (is(first, "0"))
        replace_token(first, "::cudacpu::zero()");
    else if (is(first, "__null") || is(first, "NULL"))
        replace_token(first, "nullptr");
}

/* {a, b} has no type until the kernel's parameter gives it one. */
void rewrite_braces(size_t open, size_t close) {
    replace_token(open, "::cudacpu::make_braced([&](auto cudacpu_type) { typename "
                        "decltype(cudacpu_type)::type cudacpu_value = {");
    replace_token(close, "}; return cudacpu_value; })");
}

/* On one line, as code. */
std::string flatten(size_t i, const std::string &name) {
    std::string flat;
    for (char c : name) {
        if (c == '#' && (flat.empty() || flat.back() == ' '))
            fail(i, "cudacpu wants a kernel's name without preprocessor lines in it");
        flat += c == '\n' ? ' ' : c;
    }
    return flat;
}
/* As a string's contents. */
std::string quote(const std::string &name) {
    std::string quoted;
    for (char c : name) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    return quoted;
}

bool opens(size_t i) { return is(i, "(") || is(i, "[") || is(i, "{"); }
bool closes(size_t i) { return is(i, ")") || is(i, "]") || is(i, "}"); }

/* The first > of >>>. */
size_t find_configuration_end(size_t i, const std::string &name) {
    int depth = 0, commas = 0;
    size_t close = i + 3;
    for (;; close++) {
        if (close >= tokens.size() || (depth == 0 && is(close, ";")))
            fail(i, "no >>> for this <<<");
        if (opens(close))
            depth++;
        else if (closes(close) && --depth < 0)
            fail(i, "no >>> for this <<<");
        else if (depth == 0 && is(close, ">") && is(close + 1, ">") && is(close + 2, ">") &&
                 is(close + 3, "("))
            break;
        commas += depth == 0 && is(close, ",");
    }
    if (commas == 0)
        fail(i, "a launch needs a grid and a block: " + name + "<<<grid, block>>>(...)");
    return close;
}

void rewrite_arguments(size_t open, size_t end) {
    size_t first = open + 1;
    int depth = 0;
    for (size_t j = open + 1; j <= end; j++) {
        if ((is(j, ",") && depth == 0) || j == end) {
            if (is(first, "{") && is(j - 1, "}"))
                rewrite_braces(first, j - 1);
            else if (j > first)
                rewrite_null(first, j - 1);
            first = j + 1;
        } else if (opens(j)) {
            depth++;
        } else if (closes(j)) {
            depth--;
        }
    }
}

/* The token after the argument that begins at token i: a comma, or the closing parenthesis. */
size_t find_argument_end(size_t i) {
    for (int depth = 0; i < tokens.size() && !is(i, ";"); i++) {
        if (depth == 0 && (is(i, ",") || closes(i)))
            return i;
        if (opens(i) || is(i, "<"))
            depth++;
        else if (closes(i) || is(i, ">"))
            depth--;
    }
    fail(i, "no end of this argument");
}

/* The first token after a cast to a pointer to void. */
size_t skip_cast(size_t i) {
    if (is(i, "reinterpret_cast") && is(i + 1, "<"))
        return match(i + 1, "<", ">") + 1;
    const size_t type = is(i + 1, "const") ? i + 2 : i + 1;
    return is(i, "(") && is(type, "void") && is(type + 1, "*") && is(type + 2, ")") ? type + 3 : i;
}

/* The last token of a kernel's name that ends before token end, without a template's arguments and
 * parentheses. */
size_t find_last(size_t end) {
    size_t last = end - 1;
    while (is(last, ")"))
        last--;
    return is(last, ">") ? match_back(last, "<", ">") - 1 : last;
}

} // namespace

bool is_launch_call(size_t i) {
    for (const char *name : {"cudaLaunchKernelEx", "cudaLaunchKernelExC", "cudaLaunchKernel",
                             "cudaLaunchCooperativeKernel"})
        if (is(i, name))
            return is(i + 1, "(");
    return false;
}

void rewrite_launch_call(size_t i) {
    const bool has_config = is(i, "cudaLaunchKernelEx") || is(i, "cudaLaunchKernelExC");
    const size_t before = has_config ? find_argument_end(i + 2) : i + 1;
    if (has_config && !is(before, ","))
        fail(i, token_text(i) + " needs a configuration and a kernel");
    const size_t kernel = skip_cast(before + 1), end = find_argument_end(kernel);
    for (size_t name = kernel; name < end; name++)
        named_by_call.insert(name);
    replace_token(i, std::string(is(i - 1, "::") ? "" : "::") + "cudacpu::" +
                         (is(i, "cudaLaunchKernelEx")    ? "launch_with"
                          : is(i, "cudaLaunchKernelExC") ? "launch_with_pointers"
                          : is(i, "cudaLaunchKernel")    ? "launch_kernel"
                                                         : "launch_cooperative_kernel"));
    replace(tokens[before].begin, tokens[kernel].begin,
            token_text(before) + " ::cudacpu::name_kernel(\"" +
                quote(flatten(i, join(kernel, end))) + "\", " +
                (is_cluster_kernel(find_last(end)) ? "true, " : "false, "));
    replace_token(end, ")" + token_text(end));
}

void rewrite_launch(size_t i) {
    const size_t begin = find_kernel_begin(i);
    if (begin > 0 && is(begin - 1, "\\")) /* so the preprocessor writes them */
        fail(i, "a kernel's name has no letters but those of ASCII: nvcc refuses others");
    const bool is_name = is_kernel_name(begin, i);
    std::string name = text.substr(tokens[begin].begin, tokens[i].begin - tokens[begin].begin);
    while (!name.empty() && (name.back() == ' ' || name.back() == '\n' || name.back() == '\t'))
        name.pop_back();
    const std::string flat = flatten(i, name);
    size_t close = find_configuration_end(i, flat), open = close + 3, end = match(open, "(", ")");
    const bool in_clusters = is_name && is_cluster_kernel(find_last(i));
    replace(tokens[begin].begin, tokens[i].begin,
            std::string(in_clusters ? "::cudacpu::cluster_launcher(" : "") +
                "::cudacpu::launcher(\"" + quote(name) + "\").");
    replace(tokens[i].begin, tokens[i + 2].end, "configure(");
    replace(tokens[close].begin, tokens[close + 2].end, in_clusters ? "))" : ")");
    if (is_name) {
        const std::string functions =
            "([&](auto cudacpu_get) -> decltype(cudacpu_get(" + flat + ")) { return cudacpu_get(" +
            flat + "); }, [=](auto... cudacpu_arguments) -> decltype(" + flat +
            "(cudacpu_arguments...)) { " + flat + "(cudacpu_arguments...); }";
        replace_token(open, functions + (end > open + 1 ? ", " : ""));
    } else {
        replace_token(open, ".at(" + flat + ")(");
    }
    rewrite_arguments(open, end);
}

void rewrite_kernel_address(size_t i) {
    size_t begin = i, end = i + 1;
    while (begin > 0 && (is(begin - 1, "::") || (is(begin, "::") && is_identifier(begin - 1))))
        begin--;
    if (begin > 0 && is(begin - 1, "&"))
        begin--;
    /* (void *), (void *)( or reinterpret_cast<void *>( stands before it */
    const bool in_parentheses =
        begin > 1 && is(begin - 1, "(") && (is(begin - 2, ">") || is(begin - 2, ")"));
    size_t type = begin - (in_parentheses ? 3 : 2); /* the * */
    if (begin < 4 || (!in_parentheses && !is(begin - 1, ")")) || !is(type, "*"))
        return;
    for (type--; type > 0 && is(type, "const"); type--)
        ;
    if (!is(type, "void") || named_by_call.count(i))
        return;
    if (is(end, "<"))
        end = match(end, "<", ">") + 1;
    const std::string name = flatten(i, join(begin, end));
    replace(tokens[begin].begin, tokens[end - 1].end,
            "::cudacpu::kernel_address(\"" + quote(name) + "\", " +
                (is_cluster_kernel(i) ? "true, " : "false, ") + name + ")");
}
