/* text.h - what a sentence is made of: numbers, addresses, distances, places. */
#ifndef CUDACPU_RUNTIME_TEXT_H
#define CUDACPU_RUNTIME_TEXT_H
#include "cuda_runtime_api.h"
#include "cudacpu/site.h"
#include <cstdarg>
#include <cstdio>
#include <string>
#include <type_traits>

namespace cudacpu {

/* What printf prints, at most 999 bytes: for hexadecimal digits and decimals. */
__attribute__((format(printf, 1, 2))) inline std::string print(const char *format, ...) {
    char text[1000];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    return text;
}

/* "0x1230" */
inline std::string format_pointer(const void *p) { return print("%p", p); }

/* "1 byte", "4 bytes" */
inline std::string count_bytes(size_t bytes) {
    return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

/* The word and what belongs to it, if there is any. */
inline std::string after(const char *word, const std::string &what) {
    return what.empty() ? what : word + what;
}

/* "(1,2)", "(1,2,3)" */
inline std::string format_triple(uint3 v) {
    const std::string two = "(" + std::to_string(v.x) + "," + std::to_string(v.y);
    return two + (v.z ? "," + std::to_string(v.z) : "") + ")";
}

template <class T, class = void> struct is_place : std::false_type {};
template <class T>
struct is_place<T, std::void_t<decltype(T::file), decltype(T::line)>> : std::true_type {};

/* The parts in a row: a number by its digits, what has a file and a line as "FILE:LINE", a
 * triple as above. */
template <class... Part> std::string text(const Part &...parts) {
    std::string all;
    [[maybe_unused]] const auto add = [&](const auto &part) {
        using type = std::decay_t<decltype(part)>;
        if constexpr (std::is_arithmetic_v<type> || std::is_enum_v<type>)
            all += std::to_string(+part);
        else if constexpr (std::is_same_v<type, uint3> || std::is_same_v<type, dim3>)
            all += format_triple({part.x, part.y, part.z});
        else if constexpr (is_place<type>::value)
            (all += part.file) += ":" + std::to_string(part.line);
        else
            all += part;
    };
    (add(parts), ...);
    return all;
}

/* A line on stderr. */
template <class... Part> void say(const Part &...parts) {
    fprintf(stderr, "cudacpu: %s\n", text(parts...).c_str());
}

} // namespace cudacpu
#endif
