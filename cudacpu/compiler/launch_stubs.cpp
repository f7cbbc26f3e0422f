/* launch_stubs.cpp - __global__ void k(int *p) { becomes void k(int *p) { if (!is_on_device())
 * return kernel_stub<&k>::launch(p, "k", ...); (include/cudacpu/kernel.h): as with nvcc, a kernel
 * that the host calls is its own launch stub. So overloads, conversions and default arguments of a
 * launch are the compiler's business. */
#include "passes.h"
#include "syntax.h"
#include <map>

namespace {

const char LAUNCH_BOUNDS[] = "cudacpu_launch_bounds", CLUSTER_DIMS[] = "__cluster_dims__";

struct parameter {
    std::string name;
    bool is_pack; /* T... x */
};

bool is_qualifier(size_t i) {
    return is_any(i, {"const", "volatile", "__restrict", "restrict", "register", "struct", "class",
                      "union", "enum", "typename"});
}
bool is_plain_type(size_t i) {
    return is_any(i,
                  {"void", "bool", "char", "short", "int", "long", "float", "double", "signed",
                   "unsigned", "auto", "wchar_t", "char8_t", "char16_t", "char32_t", "__int128"});
}
/* class T, typename...; and not typename T::type */
bool declares_type(size_t i) {
    return is_any(i, {"class", "typename"}) && !is(i + 1, "::") &&
           !(is_identifier(i + 1) && (is_identifier(i + 2) || is_any(i + 2, {"::", "<"})));
}

/* The token after the attribute at token i, or i. */
size_t skip_attribute(size_t i) {
    if (is_any(i, {"__attribute__", "alignas"}) && is(i + 1, "("))
        return match(i + 1) + 1;
    if (is(i, "[") && is(i + 1, "["))
        return match(i) + 1;
    return i;
}

/* The token after the type with which the declaration at token i begins. */
size_t skip_type(size_t i, size_t end) {
    for (bool found = false; i < end;) {
        const size_t after = skip_attribute(i);
        if (after != i) {
            i = after;
        } else if (is(i, "template") && is(i + 1, "<")) { /* template <class> class T */
            i = find_arguments_end(i + 1) + 2;
            found = true;
        } else if (is_plain_type(i) || declares_type(i)) {
            found = true;
            i++;
        } else if (is_qualifier(i)) {
            i++;
        } else if (is(i, "decltype")) {
            i = match(i + 1) + 1;
            found = true;
        } else if (!found && (is_identifier(i) || is(i, "::"))) {
            for (; is_identifier(i) || is(i, "::"); i++) { /* a::b<c>::d */
                if (is(i + 1, "<") && find_arguments_end(i + 1, end) != NONE)
                    i = find_arguments_end(i + 1, end);
                if (!is(i + 1, "::") && !is(i, "::") && !is(i, "template"))
                    break;
            }
            i++;
            found = true;
        } else {
            break;
        }
    }
    return i;
}

/* The * after the class at token i, as in int (a::S<int>::*m)(); or i. */
size_t skip_class(size_t i, size_t end) {
    for (size_t j = i; is_identifier(j) || is(j, "::"); j++) {
        if (is(j, "::") && is(j + 1, "*"))
            return j + 1;
        if (is(j + 1, "<") && find_arguments_end(j + 1, end) != NONE)
            j = find_arguments_end(j + 1, end);
    }
    return i;
}

/* The parameter that tokens begin to end - 1 declare. */
parameter name_parameter(size_t begin, size_t end) {
    bool is_pack = false;
    size_t i = skip_type(begin, end);
    for (; i < end; i++) {
        const size_t after = skip_attribute(i);
        if (after != i)
            i = after - 1;
        else if (is(i, "."))
            is_pack = true;
        else if (skip_class(i, end) != i)
            i = skip_class(i, end);
        else if (!is_any(i, {"*", "&", "(", "::"}) && !is_qualifier(i))
            break;
        else if (is(i, "(") && !is_any(i + 1, {"*", "&"}) && skip_class(i + 1, end) == i + 1)
            break; /* a function's parameters */
    }
    if (i < end && is_identifier(i))
        return {token_text(i), is_pack};
    const std::string name = "cudacpu_" + std::to_string(i);
    insert_after(i - 1, " " + name);
    return {name, is_pack};
}

/* Of the list between tokens open and close; one that has no name is given one in the text. */
std::vector<parameter> name_parameters(size_t open, size_t close) {
    std::vector<parameter> all;
    if (close == open + 1 || (close == open + 2 && is(open + 1, "void")))
        return all;
    for (size_t begin = open + 1, i = begin, end = NONE; i <= close; i++) {
        if (is(i, "<") && i < close && is_template(i - 1)) {
            const size_t inner = find_arguments_end(i, close);
            i = inner == NONE ? i : inner;
        } else if (i == close || is(i, ",")) {
            all.push_back(name_parameter(begin, end == NONE ? i : end));
            begin = i + 1;
            end = NONE;
        } else if (is(i, "=") && end == NONE) {
            end = i;
        } else if (opens(i)) {
            i = match(i);
        }
    }
    return all;
}

/* "a, b...", with this before and after each name. */
std::string list_parameters(const std::vector<parameter> &all, const char *before = "",
                            const char *after = "") {
    std::string list;
    for (const parameter &p : all)
        list += (list.empty() ? "" : ", ") + (before + p.name) + after + (p.is_pack ? "..." : "");
    return list;
}

/* "2, 1, 1" of declarations without a body, by their namespaces and name. */
std::map<std::string, std::string> known_dims;

/* The namespaces around token i: ::a::b:: */
std::string qualify(size_t i) {
    std::string names;
    for (size_t block = find_block(i); block; block = find_block(block))
        if (is_identifier(block - 1) && !is(block - 1, "namespace"))
            for (size_t k = block; k-- > find_begin(block) && !is(k, "namespace");)
                names = token_text(k) + (k + 1 == block ? "::" : "") + names;
    return "::" + names;
}

/* What is between the parentheses of the attribute in the declaration, or "". */
std::string find_bounds(size_t begin, size_t end) {
    for (const size_t i : occurrences(LAUNCH_BOUNDS, begin, end))
        return join(i + 2, find_argument_end(i + 2));
    return "";
}
std::string find_dims(size_t begin, size_t name, bool has_body) {
    std::string dims;
    for (const size_t i : occurrences(CLUSTER_DIMS, begin, name))
        if (is(i + 1, "("))
            dims = join(i + 2, match(i + 1));
    std::string &known = known_dims[qualify(begin) + token_text(name)];
    if (!has_body && !dims.empty())
        known = dims;
    return dims.empty() ? known : dims;
}

/* "<T, N, A...>" of the template at token i, a parameter without a name being given one; "" where
 * the declaration is none, or a specialization. */
std::string name_template_parameters(size_t i, size_t name) {
    std::string list;
    for (; i < name; i++)
        if (is(i, "template") && is(i + 1, "<")) {
            const size_t close = find_arguments_end(i + 1);
            if (close == NONE || close > name)
                return "";
            if (close > i + 2)
                list = "<" + list_parameters(name_parameters(i + 1, close)) + ">";
            i = close;
        }
    return list;
}

/* A kernel's own address; its parameters may hide its name. */
std::string own_address(const kernel &k, const std::vector<parameter> &parameters,
                        const std::string &arguments) {
    bool hidden = false;
    for (const parameter &p : parameters)
        hidden = hidden || p.name == token_text(k.name);
    size_t begin = k.name;
    while (begin > k.word && (is(begin - 1, "::") || (is(begin, "::") && is_identifier(begin - 1))))
        begin--;
    return "static_cast<void (*)(" + list_parameters(parameters, "decltype(", ")") + ")>(&" +
           (hidden ? qualify(k.word) : "") + join(begin, k.open) + arguments + ")";
}

void make_stub(const kernel &k) {
    const size_t begin = find_begin(k.word), close = match(k.open),
                 body = find_outside({"{", ";", "="}, close + 1);
    if (is_any(k.name - 1, {"bool", "char", "short", "int", "long", "unsigned", "float", "double"}))
        fail(k.name, "a kernel returns void");
    const bool has_body = is(body, "{");
    const std::string dims = find_dims(begin, k.name, has_body);
    if (!has_body)
        return;
    const std::vector<parameter> parameters = name_parameters(k.open, close);
    const std::string arguments = name_template_parameters(begin, k.name),
                      bounds = find_bounds(begin, body), list = list_parameters(parameters);
    insert_after(body, " if (!::cudacpu::is_on_device()) return ::cudacpu::kernel_stub<" +
                           own_address(k, parameters, arguments) + ", " +
                           (bounds.empty() ? "0" : "(unsigned)(" + bounds + ")") +
                           (dims.empty() ? "" : ", " + dims) + ">::launch(" + list +
                           (list.empty() ? "\"" : ", \"") + token_text(k.name) +
                           "\", __builtin_FILE(), __builtin_LINE());");
}

void drop_attribute(size_t i) { replace(tokens[i].begin, tokens[match(i + 1)].end, ""); }

} // namespace

void make_launch_stubs() {
    for (const size_t i : occurrences("__global__"))
        replace_token(i, "__attribute__((patchable_function_entry(1, 1)))"); /* static_shared.cpp */
    for (const kernel &k : all_kernels())
        make_stub(k);
}

void drop_function_attributes() {
    for (const size_t i : occurrences("__host__"))
        replace_token(i, "");
    for (const size_t i : occurrences(LAUNCH_BOUNDS))
        if (i > 2 && is(i - 3, "__attribute__"))
            drop_attribute(i - 3);
    for (const size_t i : occurrences(CLUSTER_DIMS))
        if (is(i + 1, "("))
            drop_attribute(i);
    for (const size_t i : occurrences("__noinline__"))
        if (!is(i - 1, "(") && !is(i - 1, ","))
            replace_token(i, "__attribute__((noinline))");
}
