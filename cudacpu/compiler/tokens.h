/* tokens.h - lexer: the preprocessed source as tokens, an index of its identifiers, where they
 * stand in the program's files; diagnostics; and the edits that the passes make. */
#ifndef CUDACPU_COMPILER_TOKENS_H
#define CUDACPU_COMPILER_TOKENS_H
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

const size_t NONE = (size_t)-1;

enum token_kind : uint8_t { IDENTIFIER, NUMBER, STRING, PUNCTUATION };

struct token {
    uint32_t begin, end; /* in the text */
    uint32_t symbol;     /* of an identifier: its number, by its first occurrence */
    uint32_t partner;    /* of a bracket: the one that closes or opens it, or itself */
    uint32_t statement;  /* the first token of the declaration or statement around it */
    uint32_t scope;      /* syntax.h */
    token_kind kind;
};

/* Line markers, pragmas and comments (the preprocessor left none) are no tokens; of the operators
 * only :: and -> are one token, so that >>> is three. */
extern std::string text;
extern std::vector<token> tokens;
void read_tokens(std::string preprocessed);
std::string read_all(std::FILE *file);

/* Beyond the last token there are empty ones. */
std::string token_text(size_t i);
bool is(size_t i, const char *word);
bool is_any(size_t i, std::initializer_list<const char *> words);
inline bool is_identifier(size_t i) { return i < tokens.size() && tokens[i].kind == IDENTIFIER; }

/* Tokens first to last - 1 on one line, without line markers between them. */
std::string join(size_t first, size_t last);

/* As the contents of a string literal. */
std::string quote(const std::string &content);

/* The bracket that closes, or opens, what the bracket at token i opens, or closes. < and > are no
 * brackets: see syntax.h. */
size_t match(size_t i);
inline bool opens(size_t i) { return is(i, "(") || is(i, "[") || is(i, "{"); }
inline bool closes(size_t i) { return is(i, ")") || is(i, "]") || is(i, "}"); }

/* Of the declaration or statement around token i. */
inline size_t find_begin(size_t i) { return tokens[i].statement; }

/* The first of these words from token i on, before token end or there, outside of brackets. */
size_t find_outside(std::initializer_list<const char *> words, size_t i, size_t end = NONE);

/* Is it one of the tokens begin to end - 1? */
bool has_word(size_t begin, size_t end, std::initializer_list<const char *> words);

/* Index of identifiers: the tokens with this name from token begin to token end - 1, in ascending
 * order. */
struct positions {
    const uint32_t *first, *last;
    const uint32_t *begin() const { return first; }
    const uint32_t *end() const { return last; }
    bool empty() const { return first == last; }
};
positions occurrences(const std::string &name, size_t begin = 0, size_t end = NONE);
/* Those of several names. */
std::vector<size_t> occurrences(std::initializer_list<const char *> names, size_t begin = 0,
                                size_t end = NONE);
/* All names, each by its first token. */
const std::vector<uint32_t> &first_occurrences();

/* Where the text before which the line markers stand comes from. */
struct place {
    std::string file;
    long line;
    bool in_system_header; /* or in one of cudacpu's */
};
place find_place(size_t token);
/* Does the program's own text have token i, no header of the system's or of cudacpu's? */
bool is_own(size_t token);

/* A replacement keeps the line breaks of what it replaces, so that all that follows stays on its
 * line. Of two edits that overlap the first in the text counts; of two insertions at one place the
 * second stands first. */
void replace(size_t begin, size_t end, std::string with); /* in the text */
void replace_token(size_t i, const std::string &with);
void insert_before(size_t i, const std::string &code);
void insert_after(size_t i, const std::string &code);
std::string edited_text();

/* What fail() throws: it ends the pass. */
struct failure {
    size_t token;
    std::string message;
};
[[noreturn]] void fail(size_t i, const std::string &message);

#endif
