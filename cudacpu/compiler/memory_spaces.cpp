/* memory_spaces.cpp - variable memory space specifiers: __device__, __constant__ and __managed__
 * variables go into a section of their own, __shared__ ones become thread-local, and the dynamic
 * ones references. */
#include "passes.h"
#include "syntax.h"
#include <map>

namespace {

std::string registrations;

/* Where the name of the variable ends that is declared around token i: at its size, its initial
 * value or the declaration's end; 0 where it is a function or a type. */
size_t find_end_of_name(size_t i) {
    for (size_t j = i + 1; j < tokens.size(); j++) {
        if (is_any(j, {"__attribute__", "alignas", "decltype"}) && is(j + 1, "("))
            j = match(j + 1);
        else if (is(j, "operator") || (is(j, "(") && !is(j + 1, "*")))
            return 0;
        else if (is(j, "(")) /* (*name)(...): a pointer to a function; (*name(...))(...): one that
                                returns it */
            return is_identifier(match(j) - 1) || is(match(j) - 1, "]") ? match(j) : 0;
        else if (is(j, "<"))
            j = match_arguments(j);
        else if (is(j, "{") && is_identifier(j - 1) && is_any(j - 2, {"struct", "union", "enum"}))
            j = match(j);
        else if (is_any(j, {";", "=", "[", "{", ","}))
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
    return has_word(after, end, {"const"}) || has_word(begin, end, {"constexpr"});
}

/* Token i is one of the words; it goes. A variable is put into the section of those of which each
 * device has one of its own (runtime/memory/allocation.cpp). */
void rewrite_space_word(size_t i) {
    replace_token(i, "");
    const size_t begin = find_begin(i), end = find_end_of_name(i);
    if (has_word(begin, i, {"__device__", "__constant__", "__managed__"}))
        return; /* the first one of a declaration counts */
    if (!end || is_constant(begin, end) || has_word(begin, end, {"typedef", "using"}))
        return;
    if (has_word(begin, end, {"__managed__"})) {
        replace_token(i, "__attribute__((section(\"cudacpu_managed\")))");
        return;
    }
    if (has_word(begin, i, {"template"}) || has_word(begin, end, {"inline"}))
        registrations += " static const ::cudacpu::shared_variable cudacpu_shared_" +
                         std::to_string(i) + "(\"" + token_text(end - 1) + "\");";
    else
        replace_token(i, "__attribute__((section(\"cudacpu_variables\")))");
}

const char NO_ARRAY[] =
    "extern __shared__ declares an array without a size: extern __shared__ float x[];";

/* ", (1024)" of alignas(1024) and __attribute__((aligned(1024))), "" of another attribute. */
std::string find_alignment(size_t i, size_t close) {
    if (is(i, "alignas"))
        return ", " + join(i + 1, close + 1);
    for (size_t j = i; j < close; j++)
        if ((is(j, "aligned") || is(j, "__aligned__")) && is(j + 1, "("))
            return ", " + join(j + 1, match(j + 1) + 1);
    return "";
}

/* An array begins at a multiple of 16, as it does on a GPU next to other arrays: programs read four
 * of its elements at once, or copy them. "" where its type is not plain to see. */
std::string align_array(size_t i) {
    size_t j = i;
    while (is_identifier(j) || is(j, "::") || is(j, "*")) {
        if (is(j + 1, "<"))
            j = match_arguments(j + 1);
        j++;
    }
    return is(j, "[") && j > i + 1 && is_identifier(j - 1)
               ? "alignas(16) alignas(" + join(i, j - 1) + ") "
               : "";
}

bool is_fundamental(size_t i) {
    return is_any(i, {"static", "volatile", "const", "unsigned", "signed", "long", "short", "int",
                      "char", "float", "double", "bool", "struct", "typename"});
}

/* half values[4][8]; where it stands in a function g++ guards such an array's beginning, as if its
 * elements had something to do, and each thread would read the guard. Not so with = {}. */
void initialize_arrays(size_t i) {
    bool is_class = false; /* or a type of a template */
    for (; !is(i, "["); i++) {
        if ((is(i, "__attribute__") || is(i, "alignas")) && is(i + 1, "("))
            i = match(i + 1);
        else if (is(i, "<"))
            i = match_arguments(i);
        else if (is_identifier(i) && !is(i + 1, "["))
            is_class = is_class || !is_fundamental(i);
        else if (!is_identifier(i) && !is(i, "::"))
            return;
    }
    for (; is_class && i < tokens.size() && !is(i, ";"); i++) {
        if (!is(i, "["))
            continue;
        i = match(i);
        if (is(i + 1, ",") || is(i + 1, ";"))
            replace_token(i, "] = {}");
    }
}

/* Does token i, a name, declare it? An array is no operand of what else may stand before a name. */
bool is_declared(size_t i) {
    size_t before = i - 1;
    while (is(before, "*") || is(before, "&"))
        before--;
    if (before + 1 == i && is(before, ">"))
        return true;
    return is_identifier(before) &&
           !is_any(before, {"return", "else", "do", "case", "sizeof", "throw", "co_return", "not"});
}
/* Within the function or class that begins at this brace, or among its parameters. */
bool is_declared_in(const std::string &name, size_t body) {
    for (const size_t i : occurrences(name, find_begin(body), match(body)))
        if (is_declared(i))
            return true;
    return false;
}

/* Dynamic shared arrays at namespace scope, and where they are first declared. Each is an object:
 * where a function uses it, a call of that. */
std::map<std::string, size_t> dynamic_arrays;

void rewrite_dynamic_uses(const std::string &name, size_t declared) {
    for (const size_t i : occurrences(name, declared + 1, tokens.size())) {
        const size_t body = find_body(i);
        if (body && !is_any(i - 1, {".", "->"}) && !is_declared_in(name, body))
            insert_after(i, "()");
    }
}

/* extern __shared__ T x[]...; token i begins it, token shared is the other word. Within a function
 * it becomes a reference. */
void rewrite_dynamic_shared(size_t i, size_t shared) {
    const bool in_function = find_body(i);
    std::string type, alignments;
    /* alignas(1024) extern, double extern */
    const size_t begin = find_begin(i), extern_word = is(i, "extern") ? i : shared;
    size_t name = 0, j = begin;
    for (;; j++) {
        if (j >= tokens.size() || is(j, ";") || is(j, "="))
            fail(i, NO_ARRAY);
        if (is(j, "["))
            break;
        if (is(j, "__attribute__") || is(j, "alignas")) {
            const size_t close = match(j + 1);
            alignments += find_alignment(j, close);
            j = close;
            continue;
        }
        if (j == i || j == shared || j == extern_word)
            continue;
        if (name)
            type += token_text(name) + " ";
        name = j;
    }
    const size_t end = find_outside({";"}, j);
    if (!is(j + 1, "]"))
        fail(i, NO_ARRAY);
    std::string bounds = text.substr(tokens[j].begin, tokens[end].begin - tokens[j].begin);
    std::string more = text.substr(tokens[j + 1].end, tokens[end].begin - tokens[j + 1].end);
    const std::string aligned =
        "::cudacpu::dynamic_alignment<alignof(" + type + ")" + alignments + ">";
    if (!in_function)
        dynamic_arrays.emplace(token_text(name), name);
    replace(tokens[begin].begin, tokens[end].begin,
            in_function
                ? type + "(&" + token_text(name) + ")" + bounds + " = *reinterpret_cast<" + type +
                      "(*)" + bounds + ">(" + aligned + "::aligned(cudacpu_dynamic_shared))"
                : "static const ::cudacpu::dynamic_array<" + type + more + ", " + aligned + "> " +
                      token_text(name));
}

/* Token i is __shared__. */
void rewrite_static_shared(size_t i) {
    for (size_t j = i + 1; j < tokens.size() && !is(j, ";"); j++) {
        if (is(j, "[") || is(j, "("))
            j = match(j);
        else if (is(j - 1, "]") && is_identifier(j) && !is(j, "__attribute__"))
            break; /* the next declaration: a semicolon is missing, as the compiler will say */
        else if (is(j, "=") && !is(j + 1, "=") && !is(j - 1, "=") && !is(j - 1, "<") &&
                 !is(j - 1, ">") && !is(j - 1, "!"))
            fail(j, "a __shared__ variable has no initial value: let a thread of the "
                    "block assign it");
    }
    initialize_arrays(i + 1);
    /* C++ wants alignas first: __shared__ alignas(128) T x; */
    std::string alignments;
    size_t next = i + 1;
    while (is(next, "alignas") && is(next + 1, "(")) {
        const size_t end = match(next + 1) + 1;
        alignments += join(next, end) + " ";
        for (; next < end; next++)
            replace_token(next, "");
    }
    const size_t begin = find_begin(i);
    if (begin == i && !is(next, "static"))
        alignments += align_array(next);
    else if (begin + 1 == i && is(begin, "static"))
        replace_token(begin, align_array(next) + "static");
    replace_token(i, i > 0 && is(i - 1, "static") ? "__thread"
                     : is(next, "static")         ? alignments
                                                  : alignments + "static __thread");
    if (is(next, "static"))
        replace_token(next, "static __thread");
}

/* Token i is __shared__. */
void rewrite_shared(size_t i) {
    for (const size_t j : occurrences("extern", find_begin(i), i))
        return rewrite_dynamic_shared(j, i);
    const size_t j = find_outside({"extern", "[", ";", "="}, i);
    is(j, "extern") ? rewrite_dynamic_shared(i, j) : rewrite_static_shared(i);
}

} // namespace

void rewrite_device_variables() {
    for (const size_t i : occurrences({"__device__", "__constant__", "__managed__"}))
        rewrite_space_word(i);
}

void rewrite_shared_variables() {
    for (const size_t i : occurrences("__shared__"))
        rewrite_shared(i);
    for (const auto &[name, declared] : dynamic_arrays)
        rewrite_dynamic_uses(name, declared);
}

std::string device_variable_registrations() { return registrations; }
