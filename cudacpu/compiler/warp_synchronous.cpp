/* warp_synchronous.cpp - warp-synchronous code: stores through volatile pointers, by which lanes
 * of a warp speak without __syncwarp(). s[t] += s[t + 16]; with a volatile s becomes
 * ::cudacpu::in_step(s[t], true) += s[t + 16]; (include/cudacpu/lockstep.h). */
#include "passes.h"
#include "syntax.h"

namespace {

/* The name of the pointer or array that is declared around the word volatile at token i; 0 where it
 * is neither. */
size_t find_pointer(size_t i) {
    bool pointer = false;
    for (size_t j = i + 1; j < tokens.size() && j < i + 12; j++) {
        if (is(j, "*"))
            pointer = true;
        else if (is(j, "alignas") || is(j, "__attribute__"))
            j = match(j + 1);
        else if (is_identifier(j) && is(j + 1, "["))
            return j;
        else if (is_identifier(j) &&
                 (is(j + 1, ",") || is(j + 1, ")") || is(j + 1, "=") || is(j + 1, ";")))
            return pointer ? j : 0;
        else if (!is_identifier(j))
            return 0;
    }
    return 0;
}

/* Where the name at token i, a parameter or a local variable, ends to be known. */
size_t find_scope_end(size_t i) {
    const size_t block = find_block(i);
    for (size_t j = i; j < tokens.size() && !is(j, "}"); j++) {
        if (is(j, "(") || is(j, "{"))
            j = match(j);
        else if (is(j, ")"))
            return is(j + 1, "{") ? match(j + 1) : j; /* of a parameter */
        else if (is(j, ";"))
            break;
    }
    return block ? match(block) : tokens.size();
}

/* wait_at, observed barrier: of __syncthreads(), which is a macro (cudacpu/barrier.h). */
bool synchronises(size_t begin, size_t end) {
    return has_word(begin, end,
                    {"__syncwarp", "wait_at", "barrier", "__syncthreads_count", "__syncthreads_and",
                     "__syncthreads_or", "sync", "arrive_and_wait"});
}

/* mine += s[t + 16]; s[t] = mine; does the value from `begin` on come from such a statement, after
 * token `before`? */
bool is_carried(size_t before, size_t begin, size_t end, const std::string &word) {
    for (size_t i = begin; i < end; i++)
        for (size_t j = before; is_identifier(i) && j < begin; j++) {
            const size_t sign = token_text(j) == token_text(i) ? find_assignment(j + 1) : 0;
            size_t last = sign;
            while (sign && last < begin && !is(last, ";"))
                last++;
            if (sign && has_word(sign, last, {word.c_str()}))
                return true;
        }
    return false;
}

bool is_in_loop(size_t i) { /* for (...) s[t] += s[t + d]; */
    if (i > 0 && is(i - 1, "{"))
        i--;
    if (i == 0 || !is(i - 1, ")"))
        return false;
    const size_t open = match(i - 1);
    return open > 0 && (is(open - 1, "for") || is(open - 1, "while"));
}

/* Is it a declaration of dynamic shared memory, which has been rewritten, that goes on with the
 * word at token i? */
bool goes_on_dynamic_shared(size_t i) {
    const size_t begin = find_begin(i);
    return has_word(begin, i, {"extern", "__shared__"}) && has_word(begin, i + 8, {"extern"}) &&
           has_word(begin, i + 8, {"__shared__"});
}

/* Token i is the word volatile. */
void rewrite_volatile(size_t i) {
    const size_t name = find_pointer(i);
    if (!name)
        return;
    const std::string word = token_text(name);
    const size_t end = find_scope_end(name);
    size_t before = 0; /* where the last such store ended */
    for (const size_t j : occurrences(word, name + 1, end)) {
        if (!is(j + 1, "[") || !is_any(j - 1, {";", "{", "}", ")", "else"}))
            continue;
        size_t close = match(j + 1);
        while (is(close + 1, "["))
            close = match(close + 1);
        const size_t sign = find_assignment(close + 1);
        if (!sign)
            continue;
        const size_t last = find_outside({";"}, sign, end);
        /* since the store before, or once around the loop */
        const bool synchronised = before ? synchronises(before, j) : synchronises(last, end);
        const bool unsynchronised =
            !synchronised && ((has_word(sign, last, {word.c_str()}) && (before || is_in_loop(j))) ||
                              (before && is_carried(before, sign + 1, last, word)));
        replace_token(j, "::cudacpu::in_step(" + word);
        replace_token(close, std::string("], ") + (unsynchronised ? "true)" : "false)"));
        before = last;
    }
}

} // namespace

void rewrite_warp_synchronous_stores() {
    for (const size_t i : occurrences("volatile"))
        if ((is_in_device_code(i) || has_device_word(find_begin(i), i)) &&
            !goes_on_dynamic_shared(i))
            rewrite_volatile(i);
}
