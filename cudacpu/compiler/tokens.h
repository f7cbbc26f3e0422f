/* tokens.h - the text that is rewritten, as tokens; and the edits that are made to it. */
#ifndef CUDACPU_COMPILER_TOKENS_H
#define CUDACPU_COMPILER_TOKENS_H
#include <string>
#include <vector>

enum token_kind { IDENTIFIER, NUMBER, STRING, PUNCTUATION };

struct token {
    token_kind kind;
    size_t begin, end; /* in the text */
};

/* Line markers, pragmas and comments (the preprocessor left none) are no tokens; of the operators
 * only :: and -> are one token, so that >>> is three. */
extern std::string text;
extern std::vector<token> tokens;
void read_tokens(const std::string &preprocessed);

/* Where the text before which the line markers stand comes from. */
struct place {
    std::string file;
    long line;
    bool in_system_header; /* or in one of cudacpu's */
};
place find_place(size_t offset);

/* Beyond the last token there are empty ones. */
std::string token_text(size_t i);
bool is(size_t i, const char *word);
bool is_identifier(size_t i);

/* Tokens first to last - 1 on one line, without line markers between them. */
std::string join(size_t first, size_t last);

/* The token that closes, or opens, what token i opens, or closes: brackets, for < and > see
 * template_arguments.h. */
size_t match(size_t i, const char *open, const char *close);
size_t match_back(size_t i, const char *open, const char *close);

/* The first token of the declaration around token i. */
size_t find_begin(size_t i);

/* Is it one of the tokens begin to end - 1? */
bool has_word(size_t begin, size_t end, const char *word);

/* A replacement keeps the line breaks of what it replaces, so that all that follows stays on its
 * line. Of two edits that overlap the first in the text counts. */
void replace(size_t begin, size_t end, std::string with);
void replace_token(size_t i, const std::string &with);
std::string edited_text();

/* Ends the program: "file:line: error: message". */
[[noreturn]] void fail(size_t i, const std::string &message);

/* While one of these lives, fail() throws this instead. */
struct failure {
    size_t token;
    std::string message;
};
struct failures_thrown {
    failures_thrown();
    ~failures_thrown();
};

#endif
