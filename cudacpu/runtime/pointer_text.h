/* pointer_text.h - an address, for a sentence. */
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

} // namespace cudacpu
#endif
