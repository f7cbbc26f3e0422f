/* text.h - addresses, distances and places in a grid, for a sentence. */
#ifndef CUDACPU_RUNTIME_TEXT_H
#define CUDACPU_RUNTIME_TEXT_H
#include "cuda_runtime_api.h"
#include "cudacpu/site.h"
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

/* "file:line" */
inline std::string format_site(const site &where) {
    return where.file + (":" + std::to_string(where.line));
}

/* "(1,2)", "(1,2,3)" */
inline std::string format_triple(uint3 v) {
    std::string text = "(" + std::to_string(v.x) + "," + std::to_string(v.y);
    return text + (v.z ? "," + std::to_string(v.z) : "") + ")";
}

} // namespace cudacpu
#endif
