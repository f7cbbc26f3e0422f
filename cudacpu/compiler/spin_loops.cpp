/* spin_loops.cpp - loops of a kernel that wait for what another thread writes: while (*flag == 0);
 * is rewritten so that its thread lets others run when it has polled for long. The loop stands in
 * another one, of one round, which has an object that counts (include/cudacpu/polling.h). Where a
 * goto makes the loop, the block has that object. */
#include "passes.h"
#include "syntax.h"
#include <algorithm>
#include <map>
#include <set>

namespace {

std::set<size_t> ends_of_do; /* while, in do ... while (...); */
std::set<size_t> labels;     /* of loops that have been rewritten */
/* __global__ and __device__: between two of them there is one function of the device. */
std::vector<size_t> device_words;

std::set<std::string> volatile_names; /* that are declared so, in all of the source */

void find_volatile_names() {
    for (const size_t i : occurrences("volatile"))
        for (size_t j = i + 1; !is_any(i - 1, {"asm", "__asm__"}) && j < i + 12 &&
                               (is_identifier(j) || is(j, "*") || is(j, "::"));
             j++)
            if (is_any(j + 1, {"[", ",", ")", "=", ";"}))
                volatile_names.insert(token_text(j));
}

bool contains(const std::string &whole, const char *part) {
    return whole.find(part) != std::string::npos;
}

/* atomicAdd(&word, 0) reads. */
bool adds_nothing(size_t open) {
    size_t last = match(open) - 1;
    if (is(last, ")") || tokens[last].kind != NUMBER || !is(last - 1, ","))
        return false;
    return token_text(last).find_first_not_of("0uUlL") == std::string::npos;
}

bool is_statement(size_t i) {
    return is_any(i, {"if", "while", "for", "switch", "return", "sizeof", "alignof", "catch",
                      "decltype", "asm", "__asm__", "__attribute__"});
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
    return volatile_names.count(word) > 0;
}

/* Where functions of the device with this name have their bodies: their braces. */
std::vector<size_t> find_bodies(const std::string &name) {
    std::vector<size_t> bodies;
    for (const size_t i : occurrences(name)) {
        if (!is(i + 1, "(") || !has_word(find_begin(i), i, {"__device__"}))
            continue;
        size_t open = match(i + 1) + 1;
        while (is_any(open, {"const", "noexcept", "volatile"}))
            open++;
        if (is(open, "{"))
            bodies.push_back(open);
    }
    return bodies;
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
    const std::vector<size_t> bodies = find_bodies(function);
    deeds all = {false, bodies.empty()};
    for (size_t n = 0; n < bodies.size() && !all.polls; n++) {
        const deeds one = look_at(bodies[n], match(bodies[n]));
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

bool changes(size_t i) { return find_assignment(i + 1) || is_counted(i, i + 1); }
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
        return match(i) + 1;
    if (is(i, "do")) {
        const size_t end = find_end_of_statement(i + 1);
        return is(end, "while") && is(end + 1, "(") ? match(end + 1) + 2 : end;
    }
    if (is(i, "if") || is(i, "for") || is(i, "while") || is(i, "switch")) {
        const size_t open = is(i + 1, "constexpr") ? i + 2 : i + 1;
        const size_t end = is(open, "(") ? find_end_of_statement(match(open) + 1) : open;
        return is(i, "if") && is(end, "else") ? find_end_of_statement(end + 1) : end;
    }
    return find_outside({";"}, i) + 1;
}

bool is_empty(size_t body) { return is(body, ";") || (is(body, "{") && is(body + 1, "}")); }

/* It polls and has no condition or no step; or its condition does and does not count. */
bool does_for_wait(size_t open, size_t close, size_t body, size_t end) {
    const size_t first = find_outside({";"}, open + 1, close),
                 second = find_outside({";"}, first + 1, close);
    if (second >= close) /* over a range */
        return false;
    const bool is_short = first + 1 == second || second + 1 == close;
    return is_short ? polls(open, close) || polls(body, end)
                    : polls(first, second) && is_idle(first, second, first, end);
}

/* switch (...) {: no object can be declared before its cases. */
bool opens_switch(size_t brace) { return is(brace - 1, ")") && is(match(brace - 1) - 1, "switch"); }

/* The label that this goto jumps back to, where one can stand behind a statement, in a block around
 * it; 0: none. open: the brace of the block that it is in, but of no switch. */
size_t find_label_before(size_t i, size_t *open) {
    size_t label = 0;
    for (const size_t j : occurrences(token_text(i + 1), find_body(i), i))
        if (is(j + 1, ":") && !is(j + 2, ":") && is_any(j - 1, {";", "{", "}"}) &&
            match(find_block(j)) > i)
            label = j;
    *open = label ? find_block(label) : 0;
    while (*open && opens_switch(*open))
        *open = find_block(*open);
    return *open ? label : 0;
}

/* A goto outside of this block would jump past the object that it begins with. */
bool is_jumped_to_from_outside(size_t label, size_t open) {
    const size_t close = match(open);
    const auto next = std::lower_bound(device_words.begin(), device_words.end(), close),
               last = std::lower_bound(device_words.begin(), device_words.end(), open);
    const size_t begin = last == device_words.begin() ? 0 : last[-1],
                 end = next == device_words.end() ? tokens.size() : *next;
    for (const size_t j : occurrences(token_text(label), begin, end))
        if (is(j - 1, "goto") && (j < open || j > close))
            return true;
    return false;
}

/* Token i is goto. */
void rewrite_goto(size_t i) {
    size_t open = 0;
    const size_t label = is(i + 2, ";") ? find_label_before(i, &open) : 0;
    if (!label || labels.count(label) ||
        !(polls(label, i) || (look_at(label, i).reads && is_idle(label, i, label, i))) ||
        is_jumped_to_from_outside(label, open))
        return;
    labels.insert(label);
    const std::string name = "cudacpu_polling_" + std::to_string(label);
    insert_after(open, " ::cudacpu::polling " + name + ";");
    insert_after(label + 1, " " + name + ".again();");
}

/* Token i is while, do or for. */
void rewrite_loop(size_t i) {
    const bool is_do = is(i, "do");
    size_t open = i + 1, body = i + 1;
    if (!is_do) {
        if (ends_of_do.count(i) || !is(open, "("))
            return;
        body = match(open) + 1;
    }
    const size_t end = find_end_of_statement(body);
    if (is_do) {
        if (!is(end, "while") || !is(end + 1, "("))
            return;
        ends_of_do.insert(end);
        open = end + 1;
    }
    const size_t close = match(open);
    const bool waits = is(i, "for") ? does_for_wait(open, close, body, end)
                                    : polls(open, close) || polls(body, end);
    if (!waits &&
        (is(i, "for") || reads_clock(open, close) || reads_clock(body, end) ||
         !(is_empty(body) || (look_at(open, close).reads &&
                              is_idle(open, close, std::min(open, body), std::max(close, end))))))
        return;
    const std::string name = "cudacpu_polling_" + std::to_string(i);
    insert_before(i, "for (::cudacpu::polling " + name + "; " + name + ".begins();) ");
    if (is(body, "{")) {
        insert_after(body, " " + name + ".again();");
    } else if (is(body, ";")) {
        replace_token(body, name + ".again();");
    } else {
        insert_before(body, "{ " + name + ".again(); ");
        insert_after(end - 1, " }");
    }
}

} // namespace

void rewrite_spin_loops() {
    find_volatile_names();
    device_words = occurrences({"__global__", "__device__"});
    for (const size_t i : occurrences({"while", "do", "for", "goto"}))
        if (is_in_device_code(i))
            is(i, "goto") ? rewrite_goto(i) : rewrite_loop(i);
}
