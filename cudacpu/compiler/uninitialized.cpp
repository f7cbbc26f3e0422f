/* uninitialized.cpp - warns of uninitialized arrays in functions of the device, where the compiler
 * does not: float sum[4]; and then nothing but sum[i] += x; */
#include "passes.h"
#include "syntax.h"
#include <cstdio>

namespace {

const std::initializer_list<const char *> NUMBERS = {
    "float",  "double", "int",     "unsigned", "long", "short", "char",
    "float2", "float4", "double2", "int2",     "int4", "half",  "__half"};
/* Functions that take their arguments by value. */
const std::initializer_list<const char *> BY_VALUE = {
    "fma", "fmaf", "__fmaf_rn", "__fma_rn", "max", "min", "fmaxf", "fminf", "__dp4a"};

/* The token after a[i][j].x, whose name token i is. */
size_t find_end_of_path(size_t i) {
    for (i++; is(i, "[") || (is(i, ".") && is_identifier(i + 1));)
        i = is(i, "[") ? match(i) + 1 : i + 2;
    return i;
}

bool is_member(size_t i) { return is_any(i - 1, {".", "->", "::"}); }

enum use { READS, ADDS, MAY_SET };
/* Of the name at token i, in a body that ends at token end. */
use find_use(size_t i, size_t end) {
    const size_t after = find_end_of_path(i);
    const size_t assignment = find_assignment(after);
    if (assignment > after || is_counted(i, after))
        return ADDS;
    if (assignment) { /* a = f(a) reads it first */
        for (size_t j = after; j < end && !is(j, ";"); j++)
            if (tokens[j].symbol == tokens[i].symbol && is_identifier(j) && !is_member(j))
                return ADDS;
        return MAY_SET;
    }
    const bool is_argument =
        (is(i - 1, "(") || is(i - 1, ",")) && (is(after, ",") || is(after, ")"));
    if (is_argument) {
        size_t open = i;
        for (int depth = 0; open > 0 && (depth > 0 || !is(open, "(")); open--)
            depth += is(open, ")") ? 1 : is(open, "(") ? -1 : 0;
        return is_any(open - 1, BY_VALUE) ? READS : MAY_SET;
    }
    const bool is_operand = is(i - 1, "&") || is(after, "(") || is(after, ">") || is(i - 1, ">") ||
                            after == i + 1 || is(after, ":") || is(after, "}");
    return is_operand ? MAY_SET : READS;
}

void check(size_t name, size_t end) {
    bool adds = false;
    for (const size_t j : occurrences(token_text(name), name + 1, end)) {
        if (is_member(j))
            continue;
        const use found = find_use(j, end);
        if (found == MAY_SET)
            return;
        adds = adds || found == ADDS;
    }
    if (!adds)
        return;
    const place where = find_place(name);
    if (!where.in_system_header)
        std::fprintf(stderr,
                     "%s:%ld: warning: %s is added to, but nothing sets it first: its registers "
                     "hold anything then\n",
                     where.file.c_str(), where.line, token_text(name).c_str());
}

/* float a[4], b[4] = {}; from token i on */
void check_declaration(size_t i, size_t end) {
    size_t name = i;
    while (is_any(name, NUMBERS))
        name++;
    while (is_identifier(name)) {
        size_t after = name + 1;
        while (is(after, "["))
            after = match(after) + 1;
        if (after > name + 1 && (is(after, ",") || is(after, ";")))
            check(name, match(find_block(name)));
        after = find_outside({",", ";"}, after, end);
        if (!is(after, ","))
            return;
        name = after + 1;
    }
}

} // namespace

void warn_of_uninitialized_arrays() {
    for (size_t i = 1; i < tokens.size(); i++) {
        if (!is(i, "{") || !is(i - 1, ")") || !has_device_word(find_begin(i), i))
            continue;
        const size_t end = match(i);
        for (i++; i < end; i++)
            if (is_any(i, NUMBERS) && is_any(i - 1, {"{", ";", "}"}))
                check_declaration(i, end);
    }
}
