/* variables.cpp - variables of a device go into a section of their own. */
#include "variables.h"
#include "template_arguments.h"
#include "tokens.h"

namespace {

std::string tellers;

bool has(size_t begin, size_t end, const char *word) {
    for (size_t j = begin; j < end; j++)
        if (is(j, word))
            return true;
    return false;
}

/* Where the name of the variable ends that is declared around token i: at its size, its initial
 * value or the declaration's end; 0 where it is a function or a type. */
size_t find_end_of_name(size_t i) {
    for (size_t j = i + 1; j < tokens.size(); j++) {
        if ((is(j, "__attribute__") || is(j, "alignas") || is(j, "decltype")) && is(j + 1, "("))
            j = match(j + 1, "(", ")");
        else if (is(j, "(") && !is(j + 1, "*"))
            return 0;
        else if (is(j, "operator"))
            return 0;
        else if (is(j, "(")) /* (*name)(...): a pointer to a function; (*name(...))(...): one that
                                returns it */
            return is_identifier(match(j, "(", ")") - 1) || is(match(j, "(", ")") - 1, "]")
                       ? match(j, "(", ")")
                       : 0;
        else if (is(j, "<"))
            j = match_arguments(j);
        else if (is(j, "{") && is_identifier(j - 1) &&
                 (is(j - 2, "struct") || is(j - 2, "union") || is(j - 2, "enum")))
            j = match(j, "{", "}");
        else if (is(j, ";") || is(j, "=") || is(j, "[") || is(j, "{") || is(j, ","))
            return j;
    }
    return 0;
}

/* One that nobody can change is the same on all devices. */
bool is_constant(size_t begin, size_t end) {
    size_t after = begin; /* the last * */
    for (size_t j = begin; j < end; j++)
        if (is(j, "*"))
            after = j;
    return has(after, end, "const") || has(begin, end, "constexpr");
}

} // namespace

bool is_space_word(size_t i) {
    return is(i, "__device__") || is(i, "__constant__") || is(i, "__managed__");
}

void rewrite_space_word(size_t i) {
    replace_token(i, "");
    const size_t begin = find_begin(i), end = find_end_of_name(i);
    for (size_t j = begin; j < i; j++)
        if (is_space_word(j))
            return; /* the first one of a declaration counts */
    if (!end || is_constant(begin, end) || has(begin, end, "typedef") || has(begin, end, "using"))
        return;
    if (has(begin, end, "__managed__")) {
        replace_token(i, "__attribute__((section(\"cudacpu_managed\")))");
        return;
    }
    if (has(begin, i, "template") || has(begin, end, "inline"))
        tellers += " static const ::cudacpu::shared_variable cudacpu_shared_" + std::to_string(i) +
                   "(\"" + token_text(end - 1) + "\");";
    else
        replace_token(i, "__attribute__((section(\"cudacpu_variables\")))");
}

std::string shared_variables() { return tellers; }
