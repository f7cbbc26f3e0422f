/* kernels.cpp - __global__ void k(int *p) { becomes void k(int *p) { if (!is_on_device()) return
 * kernel_stub<&k>::launch(p, "k", ...); (include/cudacpu/kernel.h). So overloads, conversions and
 * default arguments of a launch are the compiler's business. */
#include "kernels.h"
#include "parameters.h"
#include "refusals.h"
#include "template_arguments.h"
#include "tokens.h"
#include <map>
#include <set>

namespace {

const char LAUNCH_BOUNDS[] = "cudacpu_launch_bounds", CLUSTER_DIMS[] = "__cluster_dims__";

std::set<std::string> kernels;
std::set<std::string> clusters;                /* names of those with __cluster_dims__ */
std::map<std::string, std::string> known_dims; /* "2, 1, 1" of declarations without a body, by
                                                  their namespaces and name */

/* The parenthesis before the parameters of the kernel at token i; 0: there is none. */
size_t find_parameters(size_t i) {
    for (; i < tokens.size() && !is(i, ";") && !is(i, "{"); i++) {
        if ((is(i, "__attribute__") || is(i, CLUSTER_DIMS) || is(i, "alignas") ||
             is(i, "decltype")) &&
            is(i + 1, "("))
            i = match(i + 1, "(", ")");
        else if (is(i, "<") && find_arguments_end(i) != NONE)
            i = find_arguments_end(i);
        else if (is(i, "["))
            i = match(i, "[", "]");
        else if (is(i, "(") && (is_identifier(i - 1) || is(i - 1, ">")))
            return i;
    }
    return 0;
}

bool is_number_type(size_t i) {
    for (const char *type : {"bool", "char", "short", "int", "long", "unsigned", "float", "double"})
        if (is(i, type))
            return true;
    return false;
}

/* The kernel's name, before the parenthesis at token open: k, k<int>. */
size_t find_name(size_t open) {
    const size_t begin = is(open - 1, ">") ? find_arguments_begin(open - 1) : open;
    return begin == NONE ? open - 1 : begin - 1;
}

/* What stands before each brace that is open at token i: namespace a, namespace b. */
std::string find_scope(size_t i) {
    std::string scope;
    for (size_t j = i, closed = 0; j-- > 0;) {
        if (is(j, "}"))
            closed++;
        else if (is(j, "{") && closed == 0)
            scope = join(find_begin(j), j) + "::" + scope;
        else if (is(j, "{"))
            closed--;
    }
    return scope;
}
/* The same as C++ names it: a::b:: */
std::string qualify(size_t i) {
    std::string names;
    for (size_t j = i, closed = 0; j-- > 0;) {
        if (is(j, "}"))
            closed++;
        else if (is(j, "{") && closed > 0)
            closed--;
        else if (is(j, "{") && is_identifier(j - 1) && !is(j - 1, "namespace")) {
            const size_t begin = find_begin(j);
            for (size_t k = j; k-- > begin && !is(k, "namespace");)
                names = token_text(k) + (k + 1 == j ? "::" : "") + names;
        }
    }
    return "::" + names;
}

/* What is between the parentheses of the attribute in the declaration, or "". */
std::string find_bounds(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (is(i, LAUNCH_BOUNDS)) {
            size_t j = i + 2;
            for (; !is(j, ",") && !is(j, ")"); j++) {
                if (is(j, "("))
                    j = match(j, "(", ")");
                else if (is(j, "<") && is_template(j - 1) && find_arguments_end(j) != NONE)
                    j = find_arguments_end(j);
            }
            return join(i + 2, j);
        }
    return "";
}
std::string find_dims(size_t begin, size_t name, bool has_body) {
    if (!clusters.count(token_text(name)))
        return "";
    std::string dims;
    for (size_t i = begin; i < name; i++)
        if (is(i, CLUSTER_DIMS) && is(i + 1, "("))
            dims = join(i + 2, match(i + 1, "(", ")"));
    std::string &known = known_dims[find_scope(begin) + token_text(name)];
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
                list = "<" +
                       list_parameters(name_parameters(i + 1, close),
                                       [](const std::string &n) { return n; }) +
                       ">";
            i = close;
        }
    return list;
}

/* The { of the body behind the parameters that end at token close; 0: a declaration. */
size_t find_kernel_body(size_t close) {
    for (size_t i = close + 1; i < tokens.size() && !is(i, ";") && !is(i, "="); i++) {
        if (is(i, "{"))
            return i;
        if (is(i, "("))
            i = match(i, "(", ")");
    }
    return 0;
}

/* A kernel's own address; its parameters may hide its name. */
std::string own_address(size_t i, size_t name, size_t open,
                        const std::vector<parameter> &parameters, const std::string &arguments) {
    bool hidden = false;
    for (const parameter &p : parameters)
        hidden = hidden || p.name == token_text(name);
    size_t begin = name;
    while (begin > i && (is(begin - 1, "::") || (is(begin, "::") && is_identifier(begin - 1))))
        begin--;
    return "static_cast<void (*)(" +
           list_parameters(parameters, [](const std::string &n) { return "decltype(" + n + ")"; }) +
           ")>(&" + (hidden ? qualify(i) : "") + join(begin, open) + arguments + ")";
}

} // namespace

void find_kernels() {
    for (size_t i = 0; i < tokens.size(); i++) {
        if (!is(i, "__global__"))
            continue;
        const size_t open = find_parameters(i + 1);
        if (!open)
            continue;
        const size_t name = find_name(open);
        kernels.insert(token_text(name));
        if (has_word(find_begin(i), open, CLUSTER_DIMS))
            clusters.insert(token_text(name));
    }
}

bool is_kernel(size_t i) { return is_identifier(i) && kernels.count(token_text(i)); }

void rewrite_kernel(size_t i) {
    replace_token(i, "__attribute__((patchable_function_entry(1, 1)))"); /* static_shared.h */
    const size_t open = find_parameters(i + 1);
    if (!open)
        return;
    const size_t begin = find_begin(i), name = find_name(open), close = match(open, "(", ")"),
                 body = find_kernel_body(close);
    check_provided(name);
    if (is_number_type(name - 1))
        fail(name, "a kernel returns void");
    const std::string dims = find_dims(begin, name, body);
    if (!body)
        return;
    const std::vector<parameter> parameters = name_parameters(open, close);
    const std::string arguments = name_template_parameters(begin, name),
                      bounds = find_bounds(begin, body),
                      list = list_parameters(parameters, [](const std::string &n) { return n; });
    replace(tokens[body].end, tokens[body].end,
            " if (!::cudacpu::is_on_device()) return ::cudacpu::kernel_stub<" +
                own_address(i, name, open, parameters, arguments) + ", " +
                (bounds.empty() ? "0" : "(unsigned)(" + bounds + ")") +
                (dims.empty() ? "" : ", " + dims) + ">::launch(" + list +
                (list.empty() ? "\"" : ", \"") + token_text(name) +
                "\", __builtin_FILE(), __builtin_LINE());");
}

bool is_kernel_attribute(size_t i) {
    return (is(i, "__attribute__") && is(i + 3, LAUNCH_BOUNDS)) ||
           (is(i, CLUSTER_DIMS) && is(i + 1, "("));
}

void drop_kernel_attribute(size_t i) {
    replace(tokens[i].begin, tokens[match(i + 1, "(", ")")].end, "");
}
