/* polling.cpp - rewrites while (*flag == 0); so that its thread lets others run when it has polled
 * for long: the loop stands in another one, of one round, which has an object that counts
 * (include/cudacpu/polling.h). Where a goto makes the loop, the block has that object. */
#include "polling.h"
#include "tokens.h"
#include <algorithm>
#include <map>
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

bool is_statement(size_t i) {
    for (const char *word : {"if", "while", "for", "switch", "return", "sizeof", "alignof", "catch",
                             "decltype", "asm", "__asm__", "__attribute__"})
        if (is(i, word))
            return true;
    return false;
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
        return word == "__ldcv" || word == "__ldcg";
    }
    return volatile_names().count(word) > 0;
}

/* Where functions of the device have their bodies, by their names. */
const std::multimap<std::string, size_t> &bodies() {
    static std::multimap<std::string, size_t> all;
    static bool read = false;
    std::vector<size_t> names; /* before the parentheses that are open */
    for (size_t i = 0; !read && i < tokens.size(); i++) {
        if (is(i, "("))
            names.push_back(i > 0 && is_identifier(i - 1) ? i - 1 : 0);
        else if (is(i, ")") && !names.empty()) {
            const size_t name = names.back();
            names.pop_back();
            size_t open = i + 1;
            while (is(open, "const") || is(open, "noexcept") || is(open, "volatile"))
                open++;
            if (name && is(open, "{") && has_word(find_begin(name), name, "__device__"))
                all.emplace(token_text(name), open);
        }
    }
    read = true;
    return all;
}

/* Is this * no product? */
bool reads_through(size_t i) {
    return is(i, "*") && (is_identifier(i + 1) || is(i + 1, "(")) &&
           ((tokens[i - 1].kind == PUNCTUATION && !is(i - 1, ")") && !is(i - 1, "]")) ||
            is(i - 1, "return"));
}

/* What a piece of code does, with the functions that it calls: polls, or reads memory at all. One
 * without a body here may. */
struct deeds {
    bool polls, reads;
};
deeds look_at(size_t begin, size_t end);
deeds look_into(const std::string &function) {
    static std::map<std::string, deeds> known;
    const auto found = known.emplace(function, deeds{false, false});
    if (!found.second)
        return found.first->second;
    deeds all = {false, bodies().count(function) == 0};
    const auto range = bodies().equal_range(function);
    for (auto body = range.first; body != range.second && !all.polls; body++) {
        const deeds one = look_at(body->second, match(body->second, "{", "}"));
        all = {one.polls, all.reads || one.reads};
    }
    return known[function] = all;
}
deeds look_at(size_t begin, size_t end) {
    deeds all = {false, false};
    for (size_t i = begin; i < end && !all.polls; i++) {
        all.polls = is_poll(i);
        all.reads = all.reads || is(i, "[") || is(i, "->") || reads_through(i);
        if (all.polls || !is_identifier(i) || !is(i + 1, "(") || is_statement(i))
            continue;
        const deeds called = look_into(token_text(i));
        all = {called.polls, all.reads || called.reads};
    }
    return all;
}
bool polls(size_t begin, size_t end) { return look_at(begin, end).polls; }

bool changes(size_t i) { /* x = 1, x += 1, x++, ++x */
    const auto doubled = [](size_t j, const char *sign) { return is(j, sign) && is(j + 1, sign); };
    if (doubled(i + 1, "+") || doubled(i + 1, "-") ||
        (i > 1 && (doubled(i - 2, "+") || doubled(i - 2, "-"))))
        return true;
    if (is(i + 1, "="))
        return !is(i + 2, "=");
    return tokens[i + 1].kind == PUNCTUATION && is(i + 2, "=") &&
           std::string("+-*/%&|^").find(token_text(i + 1)) != std::string::npos;
}
/* Does nothing that the condition names change in the loop? */
bool is_idle(size_t begin, size_t end, size_t first, size_t last) {
    std::set<std::string> names;
    for (size_t i = begin; i < end; i++)
        if (is_identifier(i))
            names.insert(token_text(i));
    for (size_t i = first; i < last; i++)
        if (is_identifier(i) && names.count(token_text(i)) && changes(i))
            return false;
    return true;
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

/* The semicolon in the parentheses of a for loop that token i stands before. */
size_t find_semicolon(size_t i, size_t close) {
    while (i < close && !is(i, ";"))
        i = is(i, "(") ? match(i, "(", ")") + 1 : is(i, "{") ? match(i, "{", "}") + 1 : i + 1;
    return i;
}
/* It polls and has no condition or no step; or its condition does and does not count. */
bool does_for_wait(size_t open, size_t close, size_t body, size_t end) {
    const size_t first = find_semicolon(open + 1, close), second = find_semicolon(first + 1, close);
    if (second >= close) /* over a range */
        return false;
    const bool is_short = first + 1 == second || second + 1 == close;
    return is_short ? polls(open, close) || polls(body, end)
                    : polls(first, second) && is_idle(first, second, first, end);
}

/* switch (...) {: no object can be declared before its cases. */
bool opens_switch(size_t brace) {
    if (!is(brace - 1, ")"))
        return false;
    const size_t open = match_back(brace - 1, "(", ")");
    return open > 0 && is(open - 1, "switch");
}

/* The label that this goto jumps back to, where one can stand behind a statement; 0: none. open:
 * the brace of the block that it is in. */
size_t find_label_before(size_t i, size_t *open) {
    size_t label = 0;
    int depth = 0; /* of braces that are closed between there and the goto, or the label */
    for (size_t j = i - 1; j > 0; j--) {
        if (is(j, "}"))
            depth++;
        else if (is(j, "{") && depth > 0)
            depth--;
        else if (is(j, "{") && label && !opens_switch(j)) {
            *open = j;
            return label;
        } else if (!label && depth == 0 && is_identifier(j) && token_text(j) == token_text(i + 1) &&
                   is(j + 1, ":") && !is(j + 2, ":") &&
                   (is(j - 1, ";") || is(j - 1, "{") || is(j - 1, "}")))
            label = j;
    }
    return 0;
}

/* A goto outside of this block would jump past the object that it begins with. */
bool is_jumped_to_from_outside(size_t label, size_t open) {
    const auto jumps = [label](size_t j) {
        return is(j, "goto") && token_text(j + 1) == token_text(label);
    };
    const auto ends = [](size_t j) { return is(j, "__global__") || is(j, "__device__"); };
    for (size_t j = open; j-- > 0 && !ends(j);)
        if (jumps(j))
            return true;
    for (size_t j = match(open, "{", "}"); j < tokens.size() && !ends(j); j++)
        if (jumps(j))
            return true;
    return false;
}

} // namespace

void rewrite_goto(size_t i) {
    static std::set<size_t> done;
    size_t open = 0;
    const size_t label = is(i + 2, ";") ? find_label_before(i, &open) : 0;
    if (!label || done.count(label) ||
        !(polls(label, i) || (look_at(label, i).reads && is_idle(label, i, label, i))) ||
        is_jumped_to_from_outside(label, open))
        return;
    done.insert(label);
    const std::string name = "cudacpu_polling_" + std::to_string(label);
    replace(tokens[open].end, tokens[open].end, " ::cudacpu::polling " + name + ";");
    replace(tokens[label + 1].end, tokens[label + 1].end, " " + name + ".again();");
}

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
    const bool waits = is(i, "for") ? does_for_wait(open, close, body, end)
                                    : polls(open, close) || polls(body, end);
    if (!waits &&
        (is(i, "for") || reads_clock(open, close) || reads_clock(body, end) ||
         !(is_empty(body) || (look_at(open, close).reads &&
                              is_idle(open, close, std::min(open, body), std::max(close, end))))))
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
