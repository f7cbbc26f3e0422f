/* clusters.cpp - rewrites __cluster_dims__(2, 1, 1): the kernel begins with a statement that tells
 * them when it is asked (include/cudacpu/cluster_dims.h). */
#include "clusters.h"
#include "own_address.h"
#include "tokens.h"
#include <map>
#include <set>

namespace {

const char WORD[] = "__cluster_dims__";

std::set<std::string> names;
std::map<std::string, std::string> declared; /* "2, 1, 1" of declarations without a body, by their
                                                namespaces and name */

/* The name of the function that is declared around token i: before its parameters. */
size_t find_name(size_t i) {
    for (size_t j = i; j < tokens.size() && !is(j, ";") && !is(j, "{"); j++) {
        if ((is(j, "__attribute__") || is(j, WORD) || is(j, "alignas")) && is(j + 1, "("))
            j = match(j + 1, "(", ")");
        else if (is(j, "(") && j > 0) /* k(, k<2>( */
            return is(j - 1, ">") ? match_back(j - 1, "<", ">") - 1 : j - 1;
    }
    fail(i, "no kernel after __cluster_dims__ or __global__");
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

} // namespace

void find_clusters() {
    for (size_t i = 0; i < tokens.size(); i++)
        if (is(i, WORD) && is(i + 1, "("))
            names.insert(token_text(find_name(i)));
}

void rewrite_cluster_dims(size_t i) {
    if (is(i + 1, "("))
        replace(tokens[i].begin, tokens[match(i + 1, "(", ")")].end, "");
}

bool is_cluster_kernel(size_t i) { return names.count(token_text(i)) > 0; }

void rewrite_cluster_kernel(size_t i) {
    const size_t name = find_name(i);
    if (!is_cluster_kernel(name))
        return;
    std::string dims;
    for (size_t j = find_begin(i); j < name; j++)
        if (is(j, WORD) && is(j + 1, "("))
            dims = join(j + 2, match(j + 1, "(", ")"));
    size_t open = name;
    while (!is(open, "("))
        open++;
    const size_t after = match(open, "(", ")") + 1;
    const std::string whole = find_scope(i) + token_text(name);
    if (is(after, ";") && !dims.empty())
        declared[whole] = dims;
    else if (dims.empty())
        dims = declared[whole];
    if (!is(after, "{"))
        return;
    const std::string address = dims.empty() ? "" : own_address(i, after);
    if (!address.empty()) /* for launches by a pointer, and in other sources */
        replace(tokens[after].end, tokens[after].end,
                " (void)&::cudacpu::clustered<" + address + ", " + dims + ">::known;");
    replace_token(after, "{ { static const ::cudacpu::site cudacpu_at = {__builtin_FILE(), "
                         "__builtin_LINE()}; if (::cudacpu::tells_cluster(&cudacpu_at, " +
                             (dims.empty() ? "0" : dims) + ")) return; }");
}
