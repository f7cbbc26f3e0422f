/* reports.h - the report of an observed program: as text, as a row of a table, as JSON. */
#ifndef CUDACPU_INSPECT_REPORTS_H
#define CUDACPU_INSPECT_REPORTS_H
#include "counts.h"
#include "cudacpu/inspect.h"
#include "faults.h"
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

double observed_seconds();
double observed_megabytes();
/* Writes it all, once: the program has ended. */
void write_report();

/* json_report.cpp, html_report.cpp; they close the file */
void write_json(FILE *file, const kernel_counts &all);
void write_html(FILE *file);
/* Where it could not be written, a sentence says so, and is_report_lost. */
void close_report(FILE *file, const char *what);
extern bool is_report_lost;

/* A value of JSON: a number, true or false, text in quotes, or as it stands. Text may stand within
 * a page's <script>: it has no </ and no <!. */
struct json {
    std::string text;
    json(const std::string &text);
    json(const char *text) : json(std::string(text)) {}
    json(bool value) : text(value ? "true" : "false") {}
    template <class Number, class = std::enable_if_t<std::is_arithmetic_v<Number>>>
    json(Number value) : text(std::to_string(value)) {}
    static json verbatim(const std::string &text) {
        json value(0);
        value.text = text;
        return value;
    }
};
template <class... More>
std::string json_members(const char *name, const json &value, const More &...more) {
    std::string text = json(name).text + ": " + value.text;
    if constexpr (sizeof...(more) > 0)
        text += ", " + json_members(more...);
    return text;
}
/* Of names and values in turn. */
template <class... Members> json json_object(const Members &...members) {
    return json::verbatim("{" + json_members(members...) + "}");
}
template <class List, class Of>
json json_list(const List &list, Of json_of, const char *between = ", ") {
    std::string text;
    for (const auto &one : list)
        text += (text.empty() ? "" : between) + json(json_of(one)).text;
    return json::verbatim("[" + text + "]");
}
json json_of_fault(const fault &f);
json json_of_kernels();

} // namespace cudacpu::inspect
#endif
