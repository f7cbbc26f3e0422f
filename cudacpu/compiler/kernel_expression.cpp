/* kernel_expression.cpp - finds the postfix expression before <<<, which is read backwards. */
#include "kernel_expression.h"
#include "template_arguments.h"
#include "tokens.h"

namespace {

bool is_one_of(size_t i, std::initializer_list<const char *> words) {
    for (const char *word : words)
        if (is(i, word))
            return true;
    return false;
}

/* The [ of the lambda whose body token open begins: [], [](int i), []() mutable, [] -> type. */
size_t find_lambda(size_t open) {
    for (size_t i = open - 1; i < open; i--) {
        if (is(i, "]"))
            return is(i - 1, "]") ? NONE : match_back(i, "[", "]"); /* ]]: an attribute */
        if (is(i, ")")) {
            i = match_back(i, "(", ")");
            if (is(i - 1, ">"))
                i = match_arguments_back(i - 1);
            if (!is_one_of(i - 1, {"]", "noexcept"}))
                return NONE;
        } else if (is(i, ">")) {
            i = match_arguments_back(i);
        } else if (is_one_of(i, {"else", "do", "try"}) ||
                   (!is_identifier(i) && !is_one_of(i, {"->", "::", "*", "&"}))) {
            return NONE;
        }
    }
    return NONE;
}

/* Is it a type before token open, as in T{}? */
bool is_braced_type(size_t open) {
    return is(open - 1, ">") ||
           (is_identifier(open - 1) && !is_one_of(open - 1, {"else", "do", "try"}));
}

/* Does an expression end at token i, which the parenthesis after it calls? */
bool is_called(size_t i) {
    if (is(i, ")")) { /* if (x) (k)<<<...: no call; (void)(k)<<<... is none either */
        const size_t open = match_back(i, "(", ")");
        return !is_one_of(open - 1, {"if", "constexpr", "for", "while", "switch"}) &&
               !(is(open + 1, "void") && open + 2 == i);
    }
    if (is(i, "}")) {
        const size_t open = match_back(i, "{", "}");
        return find_lambda(open) != NONE || is_braced_type(open);
    }
    if (is_one_of(i, {"]", ">"}))
        return true;
    return is_identifier(i) && !is_one_of(i, {"return", "else", "do", "throw", "if", "for", "while",
                                              "switch", "and", "or", "not"});
}

} // namespace

size_t find_kernel_begin(size_t end) {
    for (size_t i = end - 1;;) {
        if (is(i, "]")) {
            i = match_back(i, "[", "]") - 1;
            continue;
        }
        if (is(i, ")")) {
            const size_t open = match_back(i, "(", ")");
            if (!is_called(open - 1))
                return open;
            i = open - 1;
            continue;
        }
        if (is(i, "}")) {
            const size_t open = match_back(i, "{", "}"), lambda = find_lambda(open);
            if (lambda != NONE)
                return lambda;
            i = open - 1;
        }
        if (is(i, ">"))
            i = match_arguments_back(i) - 1;
        if (!is_identifier(i))
            fail(end, "no kernel name before <<<");
        const size_t before = is(i - 1, "template") ? i - 2 : i - 1; /* a.template f<int>() */
        if (is_one_of(before, {".", "->"})) {
            i = before - 1;
            continue;
        }
        if (!is(before, "::"))
            return i;
        const bool qualified = is_one_of(before - 1, {">", ")"}) ||
                               (is_identifier(before - 1) &&
                                !is_one_of(before - 1, {"return", "else", "do", "throw"}));
        if (!qualified)
            return before;
        i = before - 1;
    }
}

size_t find_kernel_name(size_t begin, size_t end) {
    while (is(begin, "(") && match(begin, "(", ")") == end - 1) {
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
