/* json_text.h - text as JSON has it. */
#ifndef CUDACPU_INSPECT_JSON_TEXT_H
#define CUDACPU_INSPECT_JSON_TEXT_H
#include <cstdio>
#include <string>

namespace cudacpu::inspect {

/* In quotes. It may stand within a page's <script>: it has no </ and no <!. */
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
