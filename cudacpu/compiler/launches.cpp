/* launches.cpp - rewrites launches: k<<<g, b>>>(x) to (configuration("k", g, b), k(x)), and
 * table[i]<<<g, b>>>(x) to (configuration("table[i]", g, b), kernel_of(table[i])(x)), since a
 * kernel that the host calls launches itself (include/cudacpu/kernel.h); and
 * cudaLaunchKernelEx(&config, k, x) to named_launch("k").ex(&config, k, x)
 * (include/cudacpu/launch_config.h). */
#include "passes.h"
#include "syntax.h"
#include <algorithm>
#include <set>

namespace {

/* The [ of the lambda whose body token open begins: [], [](int i), []() mutable, [] -> type. */
size_t find_lambda(size_t open) {
    for (size_t i = open - 1; i < open; i--) {
        if (is(i, "]"))
            return is(i - 1, "]") ? NONE : match(i); /* ]]: an attribute */
        if (is(i, ")")) {
            i = match(i);
            if (is(i - 1, ">"))
                i = match_arguments_back(i - 1);
            if (!is_any(i - 1, {"]", "noexcept"}))
                return NONE;
        } else if (is(i, ">")) {
            i = match_arguments_back(i);
        } else if (is_any(i, {"else", "do", "try"}) ||
                   (!is_identifier(i) && !is_any(i, {"->", "::", "*", "&"}))) {
            return NONE;
        }
    }
    return NONE;
}

/* Is it a type before token open, as in T{}? */
bool is_braced_type(size_t open) {
    return is(open - 1, ">") ||
           (is_identifier(open - 1) && !is_any(open - 1, {"else", "do", "try"}));
}

/* Does an expression end at token i, which the parenthesis after it calls? */
bool is_called(size_t i) {
    if (is(i, ")")) { /* if (x) (k)<<<...: no call; (void)(k)<<<... is none either */
        const size_t open = match(i);
        return !is_any(open - 1, {"if", "constexpr", "for", "while", "switch"}) &&
               !(is(open + 1, "void") && open + 2 == i);
    }
    if (is(i, "}")) {
        const size_t open = match(i);
        return find_lambda(open) != NONE || is_braced_type(open);
    }
    if (is_any(i, {"]", ">"}))
        return true;
    return is_identifier(i) && !is_any(i, {"return", "else", "do", "throw", "if", "for", "while",
                                           "switch", "and", "or", "not"});
}

/* The first token of the postfix expression that ends before token end: k, a::k<int>, (c ? k : l),
 * table[i], a.b, a->b, f(), f<0>()(), T{}.k, [] { return k; }(). */
size_t find_kernel_begin(size_t end) {
    for (size_t i = end - 1;;) {
        if (is_any(i, {"]", ")"})) {
            const size_t open = match(i);
            if (is(i, ")") && !is_called(open - 1))
                return open;
            i = open - 1;
            continue;
        }
        if (is(i, "}")) {
            const size_t open = match(i), lambda = find_lambda(open);
            if (lambda != NONE)
                return lambda;
            i = open - 1;
        }
        if (is(i, ">"))
            i = match_arguments_back(i) - 1;
        if (!is_identifier(i))
            fail(end, "no kernel name before <<<");
        const size_t before = is(i - 1, "template") ? i - 2 : i - 1; /* a.template f<int>() */
        if (is_any(before, {".", "->"})) {
            i = before - 1;
            continue;
        }
        if (!is(before, "::"))
            return i;
        const bool qualified =
            is_any(before - 1, {">", ")"}) ||
            (is_identifier(before - 1) && !is_any(before - 1, {"return", "else", "do", "throw"}));
        if (!qualified)
            return before;
        i = before - 1;
    }
}

/* The last name of tokens begin to end - 1 where they are a name, in parentheses or not, else NONE:
 * k of &(a::k<int>). */
size_t find_kernel_name(size_t begin, size_t end) {
    while (is(begin, "(") && match(begin) == end - 1) {
        begin++;
        end--;
    }
    if (is(begin, "&"))
        begin++;
    size_t name = NONE;
    for (size_t i = begin; i < end; i++) {
        if (is(i, "<") && find_arguments_end(i, end) != NONE)
            i = find_arguments_end(i, end);
        else if (is_identifier(i))
            name = i;
        else if (!is(i, "::"))
            return NONE;
    }
    return name;
}

/* Is token i, a kernel's name, called like any function? A launch has <<< there, a declaration a
 * type before it. */
bool is_called_by_name(size_t i) {
    size_t next = i + 1;
    if (is(next, "<") && !is(next + 1, "<")) /* k<float>(...) */
        next = find_arguments_end(next) + 1;
    if (!is(next, "(") || i == 0)
        return false;
    if (is(i - 1, ")")) {
        size_t open = match(i - 1);
        return open > 0 && is_any(open - 1, {"if", "for", "while"});
    }
    return is_any(i - 1, {";", "{", "}", "else", "do", "return", ":"});
}

/* May a type end at token i? */
bool ends_type(size_t i) {
    if (is(i, "*") || is(i, "&"))
        return i > 0 && ends_type(i - 1);
    return is(i, ">") || (is_identifier(i) &&
                          !is_any(i, {"return", "else", "case", "goto", "new", "delete", "throw"}));
}
bool declares_function(size_t i) {
    return i > 0 && is(i + 1, "(") && ends_type(i - 1) &&
           !has_word(find_begin(i), i, {"__global__"});
}
bool declares_object(size_t i) {
    if (i > 2 && is(i - 1, "*") && is(i - 2, "(") && is(i + 1, ")") && ends_type(i - 3))
        return true; /* void (*k)(int) */
    return i > 0 && ends_type(i - 1) && is_any(i + 1, {"=", ";", "{", ",", ")", "[", ":"});
}
template <class F> bool has_declaration(const std::string &name, F declares) {
    const positions all = occurrences(name);
    return std::any_of(all.begin(), all.end(), declares);
}

/* May the arguments between these tokens be such that the call means std::copy? */
bool may_be_standard(size_t open) {
    if (has_word(open, match(open), {"std", "begin"}))
        return true;
    for (const size_t i : occurrences("using"))
        if (is(i + 1, "namespace") && is(i + 2, "std") && is_own(i))
            return true;
    return false;
}

/* May the call at token i be of something else that has the kernel's name? */
bool is_shared_name(size_t i) {
    size_t open = i + 1;
    while (!is(open, "("))
        open++;
    const bool standard = may_be_standard(open);
    return has_declaration(token_text(i), [=](size_t j) {
        return is_own(j) ? declares_function(j) || declares_object(j)
                         : standard && declares_function(j);
    });
}

/* A name before <<< that is no kernel's. */
void check_kernel(size_t i) {
    const bool own =
        is_own(i); /* then a header's parameter of the same name is not what it means */
    if (has_declaration(token_text(i),
                        [](size_t j) { return declares_function(j) && is(j - 1, "void"); }) &&
        !has_declaration(token_text(i),
                         [=](size_t j) { return declares_object(j) && (is_own(j) || !own); }))
        fail(i, token_text(i) + " is launched, but it is no kernel: __global__ is missing before " +
                    "void " + token_text(i) + "(...)");
}

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

/* The first token after a cast to a pointer to void. */
size_t skip_cast(size_t i) {
    if (is(i, "reinterpret_cast") && is(i + 1, "<"))
        return match_arguments(i + 1) + 1;
    const size_t type = is(i + 1, "const") ? i + 2 : i + 1;
    return is(i, "(") && is(type, "void") && is(type + 1, "*") && is(type + 2, ")") ? type + 3 : i;
}

/* Token i is cudaLaunchKernel or one of its kin, before a parenthesis. */
void rewrite_launch_call(size_t i) {
    const bool has_config = is(i, "cudaLaunchKernelEx") || is(i, "cudaLaunchKernelExC");
    const size_t before = has_config ? find_argument_end(i + 2) : i + 1;
    if (has_config && !is(before, ","))
        fail(i, token_text(i) + " needs a configuration and a kernel");
    const size_t kernel = skip_cast(before + 1);
    const std::string name = join(kernel, find_argument_end(kernel));
    replace_token(i, std::string(is(i - 1, "::") ? "" : "::") + "cudacpu::named_launch(\"" +
                         quote(name) + "\")." +
                         (is(i, "cudaLaunchKernelEx")    ? "ex"
                          : is(i, "cudaLaunchKernelExC") ? "ex_c"
                          : is(i, "cudaLaunchKernel")    ? "kernel"
                                                         : "cooperative"));
}

/* Token i is the first < of <<<. */
void rewrite_launch(size_t i) {
    const size_t begin = find_kernel_begin(i);
    if (begin > 0 && is(begin - 1, "\\")) /* so the preprocessor writes them */
        fail(i, "a kernel's name has no letters but those of ASCII: nvcc refuses others");
    std::string name = text.substr(tokens[begin].begin, tokens[i - 1].end - tokens[begin].begin);
    std::replace(name.begin(), name.end(), '\n', ' ');
    if (name.find(" #") != std::string::npos)
        fail(i, "cudacpu wants a kernel's name without preprocessor lines in it");
    const size_t close = find_configuration_end(i, name), end = match(close + 3),
                 last = find_kernel_name(begin, i);
    const bool is_known = last != NONE && is_kernel(last);
    if (last != NONE && !is_known)
        check_kernel(last);
    insert_before(begin, "(::cudacpu::configuration(\"" + quote(name) + "\", " +
                             join(i + 3, close) + "), " +
                             (is_known ? "" : "::cudacpu::kernel_of("));
    replace(tokens[i].begin, tokens[close + 2].end, is_known ? "" : ")");
    insert_after(end, ")");
}

} // namespace

void check_kernel_calls() { /* what is not found here is found when the program runs */
    std::set<std::string> names;
    for (const kernel &k : all_kernels())
        names.insert(token_text(k.name));
    for (const std::string &name : names)
        for (const size_t i : occurrences(name))
            if (is_called_by_name(i) && is_own(i) && !is_shared_name(i))
                fail(i, "a kernel must be launched: " + token_text(i) + "<<<grid, block>>>(...)");
}

void rewrite_launches() {
    for (size_t i = 1; i < tokens.size(); i++)
        if (is(i, "<") && is(i + 1, "<") && is(i + 2, "<") && !is(i - 1, "operator")) {
            if (is_in_device_code(i))
                fail(i, "a kernel that launches a kernel (dynamic parallelism) needs nvcc and a "
                        "GPU: with cudacpu the host launches both");
            rewrite_launch(i);
            i += 2;
        }
    for (const size_t i : occurrences({"cudaLaunchKernelEx", "cudaLaunchKernelExC",
                                       "cudaLaunchKernel", "cudaLaunchCooperativeKernel"}))
        if (is(i + 1, "("))
            rewrite_launch_call(i);
}
