/* launch_bounds.cpp - __launch_bounds__(THREADS, ...) of a kernel: its body begins with a name that
 * makes the runtime know the largest block (include/cudacpu/launch_bounds.h). Such a kernel has an
 * attribute by the time that it is read (include/cudacpu/keywords.h). */
#include "launch_bounds.h"
#include "tokens.h"

namespace {

const char WORD[] = "cudacpu_launch_bounds";

/* The token after the first of the arguments that begin at token i. */
size_t find_end(size_t i) {
    size_t j = i;
    for (; !is(j, ",") && !is(j, ")"); j++)
        if (is(j, "("))
            j = match(j, "(", ")");
    return j;
}

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

bool is_launch_bounds(size_t i) { return is(i, "__attribute__") && is(i + 3, WORD); }

void drop_launch_bounds(size_t i) {
    replace(tokens[i].begin, tokens[match(i + 1, "(", ")")].end, "");
}

void rewrite_launch_bounds(size_t i) {
    size_t bounds = 0, end = 0, open = find_begin(i);
    const size_t begin = open;
    for (; open < tokens.size() && !is(open, ";") && !is(open, "{"); open++) {
        if (is(open, WORD) && !bounds) {
            bounds = open + 2;
            end = find_end(bounds);
        }
        if (is(open, "__attribute__") && !is_launch_bounds(open))
            open = match(open + 1, "(", ")");
    }
    if (!bounds || !is(open, "{"))
        return;
    size_t close = open - 1; /* of the parameters */
    while (close > begin && !is(close, ")"))
        close--;
    const size_t name = match_back(close, "(", ")") - 1;
    const std::string function = token_text(name);
    std::string parameters;
    size_t opening = begin;
    while (is(opening, "extern") || tokens[opening].kind == STRING)
        opening++;
    if (!is_identifier(name) || !is_alone(function) ||
        (is(opening, "template") && !read_parameters(opening, &parameters)))
        return;
    /* behind the brace: what a cluster's kernel begins with replaces it */
    replace(tokens[open].end, tokens[open].end,
            " (void)&::cudacpu::bounded<&" + function + parameters + ", (unsigned)(" +
                join(bounds, end) + ")>::known;");
}
