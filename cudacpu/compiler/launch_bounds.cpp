/* launch_bounds.cpp - __launch_bounds__(THREADS, ...) of a kernel: its body begins with a name that
 * makes the runtime know the largest block (include/cudacpu/launch_bounds.h). Such a kernel has an
 * attribute by the time that it is read (include/cudacpu/keywords.h). */
#include "launch_bounds.h"
#include "own_address.h"
#include "tokens.h"

namespace {

const char LAUNCH_BOUNDS[] = "cudacpu_launch_bounds";

/* The token after the first of the arguments that begin at token i. */
size_t find_end_of_bounds(size_t i) {
    size_t j = i;
    for (; !is(j, ",") && !is(j, ")"); j++)
        if (is(j, "("))
            j = match(j, "(", ")");
    return j;
}

} // namespace

bool is_launch_bounds(size_t i) { return is(i, "__attribute__") && is(i + 3, LAUNCH_BOUNDS); }

void drop_launch_bounds(size_t i) {
    replace(tokens[i].begin, tokens[match(i + 1, "(", ")")].end, "");
}

void rewrite_launch_bounds(size_t i) {
    size_t bounds = 0, end = 0, open = find_begin(i);
    for (; open < tokens.size() && !is(open, ";") && !is(open, "{"); open++) {
        if (is(open, LAUNCH_BOUNDS) && !bounds) {
            bounds = open + 2;
            end = find_end_of_bounds(bounds);
        }
        if (is(open, "__attribute__") && !is_launch_bounds(open))
            open = match(open + 1, "(", ")");
    }
    if (!bounds || !is(open, "{"))
        return;
    const std::string address = own_address(i, open);
    if (address.empty())
        return;
    /* behind the brace: what a cluster's kernel begins with replaces it */
    replace(tokens[open].end, tokens[open].end,
            " (void)&::cudacpu::bounded<" + address + ", (unsigned)(" + join(bounds, end) +
                ")>::known;");
}
