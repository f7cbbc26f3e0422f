/* tokens.cpp - splits preprocessed C++ into tokens, indexes them and collects edits. */
#include "tokens.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_map>

std::string text;
std::vector<token> tokens;

namespace {

bool starts_word(char c) {
    return std::isalpha((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}
bool is_digit(char c) { return std::isdigit((unsigned char)c); }

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
    const auto make = [i](token_kind kind, size_t end) {
        return token{(uint32_t)i, (uint32_t)end, 0, 0, 0, 0, kind};
    };
    const char c = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
    if (starts_word(c)) {
        size_t end = end_of_word(i);
        if (end < text.size() && text[end] == '"' && is_raw_prefix(text.substr(i, end - i)))
            return make(STRING, end_of_raw_string(end));
        return make(IDENTIFIER, end);
    }
    if (is_digit(c) || (c == '.' && is_digit(next)))
        return make(NUMBER, end_of_number(i));
    if (c == '"' || c == '\'')
        return make(STRING, end_of_string(i));
    return make(PUNCTUATION, i + ((c == ':' && next == ':') || (c == '-' && next == '>') ? 2 : 1));
}

/* A line marker: the line that follows it is this one. */
struct marker {
    size_t begin; /* of the line that follows */
    place next;
};
std::vector<marker> markers;
/* Headers that are in a folder of cudacpu's, and that folder. */
std::pair<const std::string, std::string> own_headers[] = {{"/cuda_runtime.h", ""},
                                                           {"/cudacpu/more_api.h", ""}};

/* # 12 "file" 1 3, from i to end: 3 is for a header of the system. */
void read_marker(size_t i, size_t end) {
    const size_t quote = text.find('"', i), close = text.find('"', quote + 1);
    const bool has_file = quote < end && close < end;
    place next = {has_file          ? text.substr(quote + 1, close - quote - 1)
                  : markers.empty() ? "?"
                                    : markers.back().next.file,
                  std::stol(text.substr(i + 2, 20)),
                  has_file && text.substr(close, end - close).find(" 3") != std::string::npos};
    for (auto &[name, folder] : own_headers) {
        const size_t rest = next.file.size() - std::min(next.file.size(), name.size());
        if (folder.empty() && rest > 0 && next.file.compare(rest, std::string::npos, name) == 0)
            folder = next.file.substr(0, rest + 1);
        next.in_system_header =
            next.in_system_header ||
            (!folder.empty() && next.file.compare(0, folder.size(), folder) == 0);
    }
    markers.push_back({end + 1, next});
}
/* The one before this place in the text; the end: there is none. */
std::vector<marker>::const_iterator find_marker(size_t offset) {
    const auto after = std::upper_bound(markers.cbegin(), markers.cend(), offset,
                                        [](size_t at, const marker &m) { return at < m.begin; });
    return after == markers.cbegin() ? markers.cend() : after - 1;
}

std::unordered_map<std::string_view, uint32_t> symbols; /* the numbers of the names */
std::vector<uint32_t> firsts;                           /* of each symbol its first token */
std::vector<uint32_t> sorted;    /* the tokens of the first symbol, of the second, ... */
std::vector<uint32_t> of_symbol; /* where those of each begin; at last, where they end */

uint32_t find_symbol(size_t i) {
    const token &t = tokens[i];
    const auto [found, is_new] = symbols.emplace(
        std::string_view(text).substr(t.begin, t.end - t.begin), (uint32_t)firsts.size());
    if (is_new)
        firsts.push_back((uint32_t)i);
    return found->second;
}

/* ( and ) are 0, [ and ] 1, { and } 2; others -1. */
int bracket_kind(char c) {
    return c == '(' || c == ')' ? 0 : c == '[' || c == ']' ? 1 : c == '{' || c == '}' ? 2 : -1;
}

/* Finds partners, statements and symbols. */
void index_tokens() {
    std::vector<uint32_t> open[3]; /* brackets that are not closed yet */
    uint32_t begin = 0;
    for (uint32_t i = 0; i < tokens.size(); i++) {
        token &t = tokens[i];
        t.partner = i;
        t.statement = begin;
        if (t.kind == IDENTIFIER)
            t.symbol = find_symbol(i);
        if (t.kind != PUNCTUATION)
            continue;
        const char c = text[t.begin];
        const int kind = bracket_kind(c);
        if (c == '(' || c == '[' || c == '{') {
            open[kind].push_back(i);
        } else if (kind >= 0 && !open[kind].empty()) {
            t.partner = open[kind].back();
            tokens[t.partner].partner = i;
            open[kind].pop_back();
        }
        if (kind == 2 || c == ';')
            begin = i + 1;
    }
}

/* Sorts the identifiers by their symbols. */
void index_symbols() {
    of_symbol.assign(firsts.size() + 1, 0);
    for (const token &t : tokens)
        if (t.kind == IDENTIFIER)
            of_symbol[t.symbol + 1]++;
    for (size_t s = 1; s < of_symbol.size(); s++)
        of_symbol[s] += of_symbol[s - 1];
    sorted.resize(of_symbol.back());
    std::vector<uint32_t> next = of_symbol;
    for (size_t i = 0; i < tokens.size(); i++)
        if (tokens[i].kind == IDENTIFIER)
            sorted[next[tokens[i].symbol]++] = (uint32_t)i;
}

} // namespace

std::string read_all(std::FILE *file) {
    std::string all;
    char buffer[1 << 16];
    while (const size_t got = std::fread(buffer, 1, sizeof buffer, file))
        all.append(buffer, got);
    return all;
}

void read_tokens(std::string preprocessed) {
    text = std::move(preprocessed);
    tokens.reserve(text.size() / 4);
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
    index_tokens();
    index_symbols();
}

std::string token_text(size_t i) {
    return i < tokens.size() ? text.substr(tokens[i].begin, tokens[i].end - tokens[i].begin) : "";
}
bool is(size_t i, const char *word) {
    if (i >= tokens.size() || text[tokens[i].begin] != word[0])
        return false;
    const size_t length = tokens[i].end - tokens[i].begin;
    return std::strncmp(&text[tokens[i].begin], word, length) == 0 && !word[length];
}
bool is_any(size_t i, std::initializer_list<const char *> words) {
    for (const char *word : words)
        if (is(i, word))
            return true;
    return false;
}

std::string join(size_t first, size_t last) {
    std::string joined;
    for (size_t i = first; i < last; i++) {
        if (i > first && tokens[i].begin > tokens[i - 1].end)
            joined += ' ';
        joined += token_text(i);
    }
    return joined;
}

std::string quote(const std::string &content) {
    std::string quoted;
    for (const char c : content) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    return quoted;
}

size_t match(size_t i) {
    if (i >= tokens.size())
        fail(i, "the file ends before a bracket");
    if (tokens[i].partner == i)
        fail(i, is(i, "(")   ? "no ) for this ("
                : is(i, "[") ? "no ] for this ["
                : is(i, "{") ? "no } for this {"
                             : "no bracket for this " + token_text(i));
    return tokens[i].partner;
}

size_t find_outside(std::initializer_list<const char *> words, size_t i, size_t end) {
    end = std::min(end, tokens.size());
    while (i < end && !is_any(i, words))
        i = (opens(i) ? match(i) : i) + 1;
    return i;
}

bool has_word(size_t begin, size_t end, std::initializer_list<const char *> words) {
    for (size_t i = begin; i < end; i++)
        if (is_any(i, words))
            return true;
    return false;
}

positions occurrences(const std::string &name, size_t begin, size_t end) {
    const auto found = symbols.find(name);
    if (found == symbols.end())
        return {nullptr, nullptr};
    const uint32_t *const first = &sorted[of_symbol[found->second]],
                          *const last = sorted.data() + of_symbol[found->second + 1];
    return {std::lower_bound(first, last, begin), std::lower_bound(first, last, end)};
}
std::vector<size_t> occurrences(std::initializer_list<const char *> names, size_t begin,
                                size_t end) {
    std::vector<size_t> merged;
    for (const char *name : names)
        for (const size_t i : occurrences(name, begin, end))
            merged.push_back(i);
    std::sort(merged.begin(), merged.end());
    return merged;
}
const std::vector<uint32_t> &first_occurrences() { return firsts; }

static place find_place_at(size_t offset) {
    const auto before = find_marker(offset);
    if (before == markers.cend())
        return {"?", 1 + std::count(text.begin(), text.begin() + (long)offset, '\n'), false};
    place found = before->next;
    found.line += std::count(text.begin() + (long)before->begin, text.begin() + (long)offset, '\n');
    return found;
}
place find_place(size_t i) {
    return find_place_at(i < tokens.size() ? tokens[i].begin : text.size());
}
bool is_own(size_t i) {
    const auto before = find_marker(tokens[i].begin);
    return before != markers.cend() && !before->next.in_system_header;
}

static std::map<size_t, std::pair<size_t, std::string>> edits; /* begin -> (end, replacement) */

void replace(size_t begin, size_t end, std::string with) {
    bool has_markers = false;
    for (size_t i = begin; i < end; i++)
        if (text[i] == '\n') {
            with += '\n';
            has_markers = has_markers || text[i + 1] == '#';
        }
    if (has_markers) {
        const place here = find_place_at(end);
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
void insert_before(size_t i, const std::string &code) {
    replace(tokens[i].begin, tokens[i].begin, code);
}
void insert_after(size_t i, const std::string &code) {
    replace(tokens[i].end, tokens[i].end, code);
}

std::string edited_text() {
    std::string out;
    out.reserve(text.size() * 2);
    size_t from = 0;
    for (const auto &edit : edits) {
        if (edit.first < from)
            continue;
        out.append(text, from, edit.first - from);
        out += edit.second.second;
        from = edit.second.first;
    }
    return out.append(text, from, std::string::npos);
}

void fail(size_t i, const std::string &message) { throw failure{i, message}; }
