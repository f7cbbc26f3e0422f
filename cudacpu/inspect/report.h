/* report.h - the report of an observed program: as text, as a row of a table, as JSON. */
#ifndef CUDACPU_INSPECT_REPORT_H
#define CUDACPU_INSPECT_REPORT_H
#include "counts.h"
#include "cudacpu/inspect.h"
#include <cstdio>
#include <string>

namespace cudacpu::inspect {

/* What the command line and the program itself want in the report. */
struct report_options {
    FILE *json; /* NULL: none */
    FILE *html; /* the same */
    const char *html_path;
    bool row; /* one row of a table in place of the text */
    inspect_facts facts;
};
extern report_options options;

/* Starts the clock of the report's "Observed in". */
void start_report();
double observed_seconds();
double observed_megabytes();
/* Writes it all, once: the program has ended. */
void write_report();

/* text_report.cpp: to stdout */
void print_kernel(const kernel_counts &k);
void print_row(const kernel_counts &all);
void print_end();
/* json_report.cpp, html_report.cpp; they close the file */
void write_json(FILE *file, const kernel_counts &all);
void write_html(FILE *file);
/* Where it could not be written, a sentence says so, and is_report_lost. */
void close_report(FILE *file, const char *what);
extern bool is_report_lost;

/* Text as JSON has it, in quotes. It may stand within a page's <script>: it has no </ and no <!. */
inline std::string quoted(const std::string &text) {
    std::string s = "\"";
    for (size_t i = 0; i < text.size(); i++) {
        const unsigned char c = (unsigned char)text[i];
        const char next = i + 1 < text.size() ? text[i + 1] : 0;
        char escape[8];
        if (c == '"' || c == '\\') {
            s += '\\';
            s += (char)c;
        } else if (c < 32 || (c == '<' && (next == '/' || next == '!'))) {
            snprintf(escape, sizeof escape, "\\u%04x", c);
            s += escape;
        } else {
            s += (char)c;
        }
    }
    return s + "\"";
}

} // namespace cudacpu::inspect
#endif
