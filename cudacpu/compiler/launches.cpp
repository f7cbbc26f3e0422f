/* launches.cpp - rewrites launches: k<<<g, b>>>(x) to (configuration("k", g, b), k(x)), and
 * table[i]<<<g, b>>>(x) to (configuration("table[i]", g, b), kernel_of(table[i])(x)), since a
 * kernel that the host calls launches itself (include/cudacpu/kernel.h); and
 * cudaLaunchKernelEx(&config, k, x) to named_launch("k").ex(&config, k, x)
 * (include/cudacpu/launch_config.h). */
#include "launches.h"
#include "kernel_expression.h"
#include "kernels.h"
#include "refusals.h"
#include "template_arguments.h"
#include "tokens.h"

namespace {

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

/* Does each template's name between these tokens have all its arguments there? */
bool has_whole_templates(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (is(i, "<") && !is(i + 1, "<") && is_template(i - 1)) {
            i = find_arguments_end(i, end);
            if (i == NONE)
                return false;
        }
    return true;
}

/* The first > of >>>. */
size_t find_configuration_end(size_t i, const std::string &name) {
    int depth = 0, commas = 0;
    size_t first = NONE; /* g<h<int>>>(x) may end like a configuration */
    for (size_t close = i + 3; close < tokens.size() && !(depth == 0 && is(close, ";")); close++) {
        if (opens(close))
            depth++;
        else if (closes(close) && --depth < 0)
            break;
        commas += depth == 0 && is(close, ",");
        if (depth > 0 || !is(close, ">") || !is(close + 1, ">") || !is(close + 2, ">") ||
            !is(close + 3, "("))
            continue;
        if (first == NONE)
            first = close;
        if (has_whole_templates(i + 3, close)) {
            first = close;
            break;
        }
    }
    if (first == NONE)
        fail(i, "no >>> for this <<<");
    if (commas == 0)
        fail(i, "a launch needs a grid and a block: " + name + "<<<grid, block>>>(...)");
    return first;
}

/* The token after the argument that begins at token i: a comma, or the closing parenthesis. */
size_t find_argument_end(size_t i) {
    for (; i < tokens.size() && !is(i, ";"); i++) {
        if (is(i, ",") || closes(i))
            return i;
        if (opens(i))
            i = match(i,
                      is(i, "(")   ? "("
                      : is(i, "[") ? "["
                                   : "{",
                      is(i, "(")   ? ")"
                      : is(i, "[") ? "]"
                                   : "}");
        else if (is(i, "<") && is_template(i - 1) && find_arguments_end(i) != NONE)
            i = find_arguments_end(i);
    }
    fail(i, "no end of this argument");
}

/* The first token after a cast to a pointer to void. */
size_t skip_cast(size_t i) {
    if (is(i, "reinterpret_cast") && is(i + 1, "<"))
        return match_arguments(i + 1) + 1;
    const size_t type = is(i + 1, "const") ? i + 2 : i + 1;
    return is(i, "(") && is(type, "void") && is(type + 1, "*") && is(type + 2, ")") ? type + 3 : i;
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
    const size_t kernel = skip_cast(before + 1);
    const std::string name = flatten(i, join(kernel, find_argument_end(kernel)));
    replace_token(i, std::string(is(i - 1, "::") ? "" : "::") + "cudacpu::named_launch(\"" +
                         quote(name) + "\")." +
                         (is(i, "cudaLaunchKernelEx")    ? "ex"
                          : is(i, "cudaLaunchKernelExC") ? "ex_c"
                          : is(i, "cudaLaunchKernel")    ? "kernel"
                                                         : "cooperative"));
}

void rewrite_launch(size_t i) {
    const size_t begin = find_kernel_begin(i);
    if (begin > 0 && is(begin - 1, "\\")) /* so the preprocessor writes them */
        fail(i, "a kernel's name has no letters but those of ASCII: nvcc refuses others");
    const std::string name =
        flatten(i, text.substr(tokens[begin].begin, tokens[i - 1].end - tokens[begin].begin));
    const size_t close = find_configuration_end(i, name), end = match(close + 3, "(", ")"),
                 last = find_kernel_name(begin, i);
    const bool is_known = last != NONE && is_kernel(last);
    if (last != NONE && !is_known)
        check_kernel(last);
    replace(tokens[begin].begin, tokens[begin].begin,
            "(::cudacpu::configuration(\"" + quote(name) + "\", " + join(i + 3, close) + "), " +
                (is_known ? "" : "::cudacpu::kernel_of("));
    replace(tokens[i].begin, tokens[close + 2].end, is_known ? "" : ")");
    replace(tokens[end].end, tokens[end].end, ")");
}
