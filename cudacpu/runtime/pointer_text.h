/* pointer_text.h - addresses and distances, for a sentence. */
#ifndef CUDACPU_RUNTIME_POINTER_TEXT_H
#define CUDACPU_RUNTIME_POINTER_TEXT_H
#include <cstdio>
#include <string>

namespace cudacpu {

/* "0x1230" */
inline std::string format_pointer(const void *p) {
    char text[32];
    snprintf(text, sizeof text, "%p", p);
    return text;
}

/* "1 byte", "4 bytes" */
inline std::string count_bytes(size_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

} // namespace cudacpu
#endif
