/* tokens.cpp - splits preprocessed C++ into tokens and collects edits. */
#include "tokens.h"
#include <algorithm>
#include <iostream>
#include <map>

std::string text;
std::vector<token> tokens;

namespace {

std::string own_headers;                                /* the folder of cudacpu's */
std::map<size_t, std::pair<size_t, std::string>> edits; /* begin -> (end, replacement) */

bool starts_word(char c) {
    return c == '_' || c == '$' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The ends of what begins at i. */
size_t end_of_word(size_t i) {
    while (i < text.size() && (starts_word(text[i]) || is_digit(text[i])))
        i++;
    return i;
}
size_t end_of_number(size_t i) {
    const auto is_exponent = [](char c) { return c == 'e' || c == 'E' || c == 'p' || c == 'P'; };
    while (i < text.size() &&
           (starts_word(text[i]) || is_digit(text[i]) || text[i] == '.' || text[i] == '\'' ||
            ((text[i] == '+' || text[i] == '-') && is_exponent(text[i - 1]))))
        i++;
    return i;
}
size_t end_of_string(size_t i) {
    const char quote = text[i];
    for (i++; i < text.size() && text[i] != quote && text[i] != '\n'; i++)
        if (text[i] == '\\')
            i++;
    return i + 1;
}
/* R"x(...)x", from the quote on. */
size_t end_of_raw_string(size_t i) {
    size_t open = text.find('(', i);
    std::string close = ")" + text.substr(i + 1, open - i - 1) + "\"";
    size_t end = text.find(close, open);
    return end == std::string::npos ? text.size() : end + close.size();
}
bool is_raw_prefix(const std::string &word) {
    return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
}

/* The token that begins at i. */
token read_token(size_t i) {
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
    if (starts_word(c)) {
        size_t end = end_of_word(i);
        if (end < text.size() && text[end] == '"' && is_raw_prefix(text.substr(i, end - i)))
            return {STRING, i, end_of_raw_string(end)};
        return {IDENTIFIER, i, end};
    }
    if (is_digit(c) || (c == '.' && is_digit(next)))
        return {NUMBER, i, end_of_number(i)};
    if (c == '"' || c == '\'')
        return {STRING, i, end_of_string(i)};
    return {PUNCTUATION, i, i + ((c == ':' && next == ':') || (c == '-' && next == '>') ? 2 : 1)};
}

/* A line marker: the line that follows it is this one. */
struct marker {
    size_t begin; /* of the line that follows */
    place next;
};
std::vector<marker> markers;

/* # 12 "file" 1 3, from i to end: 3 is for a header of the system. */
void read_marker(size_t i, size_t end) {
    const size_t quote = text.find('"', i), close = text.find('"', quote + 1);
    const bool has_file = quote < end && close < end;
    place next = {has_file          ? text.substr(quote + 1, close - quote - 1)
                  : markers.empty() ? "?"
                                    : markers.back().next.file,
                  std::stol(text.substr(i + 2)),
                  has_file && text.substr(close, end - close).find(" 3") != std::string::npos};
    const std::string runtime = "/cuda_runtime.h";
    if (own_headers.empty() && next.file.size() > runtime.size() &&
        next.file.compare(next.file.size() - runtime.size(), std::string::npos, runtime) == 0)
        own_headers = next.file.substr(0, next.file.size() - runtime.size() + 1);
    next.in_system_header =
        next.in_system_header ||
        (!own_headers.empty() && next.file.compare(0, own_headers.size(), own_headers) == 0);
    markers.push_back({end + 1, next});
}

} // namespace

void read_tokens(const std::string &preprocessed) {
    text = preprocessed;
    bool line_start = true;
    for (size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '\n') {
            line_start = true;
            i++;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
            i++;
        } else if (c == '#' && line_start) { /* a line marker or a pragma */
            const size_t begin = i;
            i = std::min(text.find('\n', i), text.size());
            if (begin + 2 < i && is_digit(text[begin + 2]))
                read_marker(begin, i);
        } else {
            line_start = false;
            tokens.push_back(read_token(i));
            i = tokens.back().end;
        }
    }
}

place find_place(size_t offset) {
    const auto after = std::upper_bound(markers.begin(), markers.end(), offset,
                                        [](size_t at, const marker &m) { return at < m.begin; });
    if (after == markers.begin())
        return {"?", 1 + std::count(text.begin(), text.begin() + offset, '\n'), false};
    place found = (after - 1)->next;
    found.line += std::count(text.begin() + (after - 1)->begin, text.begin() + offset, '\n');
    return found;
}

std::string token_text(size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : "";
}
bool is(size_t i, const char *word) {
    return i < tokens.size() && text[tokens[i].begin] == word[0] &&
           text.compare(tokens[i].begin, tokens[i].end - tokens[i].begin, word) == 0;
}
bool is_identifier(size_t i) { return i < tokens.size() && tokens[i].kind == IDENTIFIER; }

std::string join(size_t first, size_t last) {
    std::string joined;
    for (size_t i = first; i < last; i++) {
        if (i > first && tokens[i].begin > tokens[i - 1].end)
            joined += ' ';
        joined += token_text(i);
    }
    return joined;
}

size_t match_back(size_t i, const char *open, const char *close) {
    int depth = 0;
    for (;; i--) {
        if (is(i, close))
            depth++;
        else if (is(i, open) && --depth == 0)
            return i;
        if (i == 0)
            fail(i, "no kernel name before <<<");
    }
}
size_t match(size_t i, const char *open, const char *close) {
    int depth = 0;
    for (size_t j = i; j < tokens.size(); j++) {
        if (is(j, open))
            depth++;
        else if (is(j, close) && --depth == 0)
            return j;
    }
    fail(i, std::string("no ") + close + " for this " + open);
}

size_t find_begin(size_t i) {
    while (i > 0 && !is(i - 1, ";") && !is(i - 1, "{") && !is(i - 1, "}"))
        i--;
    return i;
}

bool has_word(size_t begin, size_t end, const char *word) {
    for (size_t j = begin; j < end; j++)
        if (is(j, word))
            return true;
    return false;
}

void replace(size_t begin, size_t end, std::string with) {
    bool has_markers = false;
    for (size_t i = begin; i < end; i++)
        if (text[i] == '\n') {
            with += '\n';
            has_markers = has_markers || text[i + 1] == '#';
        }
    if (has_markers) {
        const place here = find_place(end);
        with += "\n# " + std::to_string(here.line) + " \"" + here.file + "\"\n";
    }
    const auto found = edits.find(begin); /* an insertion stands before what replaces the text */
    if (found != edits.end() && begin == end)
        found->second.second = with + found->second.second;
    else if (found != edits.end() && found->second.first == begin)
        found->second = {end, found->second.second + with};
    else
        edits[begin] = {end, with};
}
void replace_token(size_t i, const std::string &with) {
    replace(tokens[i].begin, tokens[i].end, with);
}

std::string edited_text() {
    std::string out;
    size_t from = 0;
    for (auto &edit : edits) {
        if (edit.first < from)
            continue;
        out.append(text, from, edit.first - from);
        out += edit.second.second;
        from = edit.second.first;
    }
    return out.append(text, from, std::string::npos);
}

static bool throws;

failures_thrown::failures_thrown() { throws = true; }

failures_thrown::~failures_thrown() { throws = false; }

void fail(size_t i, const std::string &message) {
    if (throws)
        throw failure{i, message};
    const place where = find_place(i < tokens.size() ? tokens[i].begin : text.size());
    std::cerr << where.file << ":" << where.line << ": error: " << message << "\n";
    std::exit(1);
}
