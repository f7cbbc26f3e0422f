/* own_address.cpp - how the body of a kernel names the kernel's own address. */
#include "own_address.h"
#include "tokens.h"

namespace {

/* "<T, N>" of the template<class T, int N> at token i: how its own body names the function. False
 * where a parameter has no name, or is a template. */
bool read_parameters(size_t i, std::string *names) {
    const size_t close = match(i + 1, "<", ">");
    for (size_t j = i + 2; j <= close; j++) {
        const size_t first = j;
        size_t name = j, depth = 0;
        bool pack = false, given = false;
        for (; j < close && (depth > 0 || !is(j, ",")); j++) {
            if (is(j, "template"))
                return false;
            pack = pack || is(j, ".");
            given = given || is(j, "=");
            depth += is(j, "<") || is(j, "(");
            depth -= is(j, ">") || is(j, ")");
            if (!given)
                name = j;
        }
        if (!is_identifier(name) || name == first || is(name, "int"))
            return false;
        *names += (names->empty() ? "<" : ", ") + token_text(name) + (pack ? "..." : "");
    }
    *names += ">";
    return true;
}

/* Is there one function with a body of this name? Of two the address would be ambiguous. */
bool is_alone(const std::string &name) {
    int bodies = 0;
    for (size_t j = 1; j < tokens.size(); j++)
        if (is(j, name.c_str()) && is(j + 1, "(") && !is(j - 1, ".") && !is(j - 1, "->")) {
            const size_t after = match(j + 1, "(", ")") + 1;
            bodies += is(after, "{");
        }
    return bodies == 1;
}

} // namespace

std::string own_address(size_t i, size_t open) {
    size_t begin = find_begin(i), close = open - 1; /* of the parameters */
    while (close > begin && !is(close, ")"))
        close--;
    const size_t opening = match_back(close, "(", ")"), last = opening - 1;
    while (is(begin, "extern") || tokens[begin].kind == STRING)
        begin++;
    std::string cast, parameters;
    if (is(last, ">")) { /* a specialization */
        const size_t name = match_back(last, "<", ">") - 1;
        return is_identifier(name) ? "&" + join(name, opening) : "";
    }
    if (!is_identifier(last) || (is(begin, "template") && !read_parameters(begin, &parameters)))
        return "";
    if (!is_alone(token_text(last))) {
        for (size_t j = opening; j < close; j++)
            if (is(j, "=")) /* no type of a function has default arguments */
                return "";
        cast = "(void (*)" + join(opening, close + 1) + ")";
    }
    return cast + "&" + token_text(last) + parameters;
}
