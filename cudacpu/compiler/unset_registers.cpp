/* unset_registers.cpp - float sum[4]; and then nothing but sum[i] += x; */
#include "unset_registers.h"
#include "tokens.h"
#include <iostream>

namespace {

const char *const NUMBERS[] = {"float", "double", "int",    "unsigned", "long",
                               "short", "char",   "float2", "float4",   "double2",
                               "int2",  "int4",   "half",   "__half"};
/* Functions that take their arguments by value. */
const char *const BY_VALUE[] = {"fma", "fmaf",  "__fmaf_rn", "__fma_rn", "max",
                                "min", "fmaxf", "fminf",     "__dp4a"};

bool is_type(size_t i) {
    for (const char *type : NUMBERS)
        if (is(i, type))
            return true;
    return false;
}

/* The token after a[i][j].x, whose name token i is. */
size_t find_end_of_path(size_t i) {
    for (i++; is(i, "[") || (is(i, ".") && is_identifier(i + 1));)
        i = is(i, "[") ? match(i, "[", "]") + 1 : i + 2;
    return i;
}

bool is_doubled(size_t i, const char *sign) { return is(i, sign) && is(i + 1, sign); }

/* Is token i the variable of this name, and no member? */
bool is_variable(size_t i, const std::string &name) {
    return is(i, name.c_str()) && !is(i - 1, ".") && !is(i - 1, "->") && !is(i - 1, "::");
}

enum use { READS, ADDS, MAY_SET };
/* Of the name at token i, in a body that ends at token end. */
use find_use(size_t i, size_t end) {
    const std::string name = token_text(i);
    const size_t after = find_end_of_path(i);
    if (is_doubled(after, "+") || is_doubled(after, "-") || is_doubled(i - 2, "+") ||
        is_doubled(i - 2, "-"))
        return ADDS;
    if (tokens[after].kind == PUNCTUATION && is(after + 1, "=") &&
        std::string("+-*/%&|^").find(token_text(after)) != std::string::npos)
        return ADDS;
    if (is(after, "=") && !is(after + 1, "=")) { /* a = f(a) reads it first */
        for (size_t j = after; j < end && !is(j, ";"); j++)
            if (is_variable(j, name))
                return ADDS;
        return MAY_SET;
    }
    const bool is_argument =
        (is(i - 1, "(") || is(i - 1, ",")) && (is(after, ",") || is(after, ")"));
    if (is_argument) {
        size_t open = i;
        for (int depth = 0; open > 0 && (depth > 0 || !is(open, "(")); open--)
            depth += is(open, ")") ? 1 : is(open, "(") ? -1 : 0;
        for (const char *function : BY_VALUE)
            if (is(open - 1, function))
                return READS;
        return MAY_SET;
    }
    const bool is_operand = is(i - 1, "&") || is(after, "(") || is(after, ">") || is(i - 1, ">") ||
                            after == i + 1 || is(after, ":") || is(after, "}");
    return is_operand ? MAY_SET : READS;
}

void check(size_t name, size_t end) {
    bool adds = false;
    for (size_t j = name + 1; j < end; j++) {
        if (!is_variable(j, token_text(name)))
            continue;
        const use found = find_use(j, end);
        if (found == MAY_SET)
            return;
        adds = adds || found == ADDS;
    }
    if (!adds)
        return;
    const place where = find_place(tokens[name].begin);
    if (!where.in_system_header)
        std::cerr << where.file << ":" << where.line << ": warning: " << token_text(name)
                  << " is added to, but nothing sets it first: its registers hold anything then\n";
}

/* The closing brace of the block around token i; the function ends at token end. */
size_t find_end_of_block(size_t i, size_t end) {
    for (; i < end && !is(i, "}"); i++)
        if (is(i, "{"))
            i = match(i, "{", "}");
    return i;
}

/* float a[4], b[4] = {}; from token i on */
void check_declaration(size_t i, size_t end) {
    size_t name = i;
    while (is_type(name))
        name++;
    while (is_identifier(name)) {
        size_t after = name + 1;
        while (is(after, "["))
            after = match(after, "[", "]") + 1;
        if (after > name + 1 && (is(after, ",") || is(after, ";")))
            check(name, find_end_of_block(name, end));
        while (after < end && !is(after, ",") && !is(after, ";"))
            after = is(after, "{")   ? match(after, "{", "}") + 1
                    : is(after, "(") ? match(after, "(", ")") + 1
                                     : after + 1;
        if (!is(after, ","))
            return;
        name = after + 1;
    }
}

} // namespace

void warn_of_unset_registers() {
    for (size_t i = 1; i < tokens.size(); i++) {
        if (!is(i, "{") || !is(i - 1, ")"))
            continue;
        const size_t begin = find_begin(i);
        if (!has_word(begin, i, "__device__") && !has_word(begin, i, "__global__"))
            continue;
        const size_t end = match(i, "{", "}");
        for (size_t j = i + 1; j < end; j++)
            if (is_type(j) && (is(j - 1, "{") || is(j - 1, ";") || is(j - 1, "}")))
                check_declaration(j, end);
        i = end;
    }
}
