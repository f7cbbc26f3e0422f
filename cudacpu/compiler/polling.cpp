/* polling.cpp - rewrites while (*flag == 0); so that its thread lets others run when it has polled
 * for long: the loop stands in another one, of one round, which has an object that counts
 * (include/cudacpu/polling.h). */
#include "polling.h"
#include "tokens.h"
#include <set>

namespace {

std::set<size_t> ends_of_do; /* while, in do ... while (...); */

/* Names that are declared with volatile, in all of the source. */
const std::set<std::string> &volatile_names() {
    static std::set<std::string> names;
    static bool read = false;
    for (size_t i = 0; !read && i < tokens.size(); i++) {
        if (!is(i, "volatile") || (i > 0 && (is(i - 1, "asm") || is(i - 1, "__asm__"))))
            continue;
        for (size_t j = i + 1; j < i + 12 && (is_identifier(j) || is(j, "*") || is(j, "::")); j++)
            if (is(j + 1, "[") || is(j + 1, ",") || is(j + 1, ")") || is(j + 1, "=") ||
                is(j + 1, ";"))
                names.insert(token_text(j));
    }
    read = true;
    return names;
}

bool contains(const std::string &whole, const char *part) {
    return whole.find(part) != std::string::npos;
}

/* atomicAdd(&word, 0) reads. */
bool adds_nothing(size_t open) {
    size_t last = match(open, "(", ")") - 1;
    if (is(last, ")") || tokens[last].kind != NUMBER || !is(last - 1, ","))
        return false;
    return token_text(last).find_first_not_of("0uUlL") == std::string::npos;
}

/* Does token i read what another thread may write meanwhile? */
bool is_poll(size_t i) {
    const std::string word = token_text(i);
    if (tokens[i].kind == STRING)
        return contains(word, "ld.acquire") || contains(word, "ld.volatile") ||
               contains(word, "ld.relaxed") || contains(word, "atom.");
    if (!is_identifier(i))
        return false;
    if (word == "volatile")
        return !is(i - 1, "asm") && !is(i - 1, "__asm__");
    if (is(i + 1, "(")) {
        if (is(i - 1, ".") || is(i - 1, "->"))
            return word == "load" || word == "exchange" || word == "test" ||
                   word == "test_and_set" || contains(word, "compare_exchange");
        if (word.compare(0, 6, "atomic") == 0)
            return contains(word, "CAS") || contains(word, "Exch") || adds_nothing(i + 1);
        return contains(word, "acquire") || contains(word, "volatile") || word == "__ldcv" ||
               word == "__ldcg";
    }
    return volatile_names().count(word) > 0;
}
bool polls(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (is_poll(i))
            return true;
    return false;
}

/* A loop that looks at the clock ends without others. */
bool reads_clock(size_t begin, size_t end) {
    for (size_t i = begin; i < end; i++)
        if (is_identifier(i) &&
            (contains(token_text(i), "clock") || contains(token_text(i), "timer")))
            return true;
    return false;
}

/* The token after the statement that begins at token i. */
size_t find_end_of_statement(size_t i) {
    if (is(i, "{"))
        return match(i, "{", "}") + 1;
    if (is(i, "do")) {
        const size_t end = find_end_of_statement(i + 1);
        return is(end, "while") && is(end + 1, "(") ? match(end + 1, "(", ")") + 2 : end;
    }
    if (is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch")) {
        const size_t open = is(i + 1, "constexpr") ? i + 2 : i + 1;
        const size_t end = is(open, "(") ? find_end_of_statement(match(open, "(", ")") + 1) : open;
        return is(i, "if") && is(end, "else") ? find_end_of_statement(end + 1) : end;
    }
    while (i < tokens.size() && !is(i, ";"))
        i = is(i, "(") ? match(i, "(", ")") + 1 : is(i, "{") ? match(i, "{", "}") + 1 : i + 1;
    return i + 1;
}

bool is_empty(size_t body) { return is(body, ";") || (is(body, "{") && is(body + 1, "}")); }

/* Of a for loop: is there nothing after its second semicolon? */
bool has_no_step(size_t open, size_t close) {
    int semicolons = 0;
    for (size_t j = open + 1; j < close; j++)
        if (is(j, "(") || is(j, "{"))
            j = is(j, "(") ? match(j, "(", ")") : match(j, "{", "}");
        else
            semicolons += is(j, ";");
    return semicolons == 2 && is(close - 1, ";");
}

} // namespace

void rewrite_polling(size_t i) {
    const bool is_do = is(i, "do");
    size_t open = i + 1, body = i + 1;
    if (!is_do) {
        if (ends_of_do.count(i) || !is(open, "("))
            return;
        body = match(open, "(", ")") + 1;
    }
    const size_t end = find_end_of_statement(body);
    if (is_do) {
        if (!is(end, "while") || !is(end + 1, "("))
            return;
        ends_of_do.insert(end);
        open = end + 1;
    }
    const size_t close = match(open, "(", ")");
    const bool waits = polls(open, close) || polls(body, end);
    if (!waits && (reads_clock(open, close) || reads_clock(body, end)))
        return;
    if (is(i, "for") ? !waits || !has_no_step(open, close) : !waits && !is_empty(body))
        return;
    const std::string name = "cudacpu_polling_" + std::to_string(i);
    replace(tokens[i].begin, tokens[i].begin,
            "for (::cudacpu::polling " + name + "; " + name + ".begins();) ");
    if (is(body, "{")) {
        replace(tokens[body].end, tokens[body].end, " " + name + ".again();");
    } else if (is(body, ";")) {
        replace_token(body, name + ".again();");
    } else {
        replace(tokens[body].begin, tokens[body].begin, "{ " + name + ".again(); ");
        replace(tokens[end - 1].end, tokens[end - 1].end, " }");
    }
}
