/* nvtx3.hpp - NVTX's C++ interface: marks and ranges for a profiler, of which there is none. They
 * do nothing. */
#ifndef CUDACPU_NVTX3_NVTX3_HPP
#define CUDACPU_NVTX3_NVTX3_HPP
#include "nvtx3/nvToolsExt.h"
#include <cstdint>

#define NVTX3_FUNC_RANGE()
#define NVTX3_FUNC_RANGE_IF(condition) ((void)(condition))
#define NVTX3_FUNC_RANGE_IN(domain)
namespace nvtx3 {
inline namespace v1 {

struct rgb {
    rgb(uint8_t, uint8_t, uint8_t) {}
};
struct argb {
    argb(uint8_t, uint8_t, uint8_t, uint8_t) {}
};
struct color {
    template <class T> explicit color(T) {}
};
struct payload {
    template <class T> explicit payload(T) {}
};
struct category {
    explicit category(uint32_t) {}
};
struct message {
    template <class T> message(const T &) {}
};
struct event_attributes {
    template <class... A> explicit event_attributes(const A &...) {}
};
struct domain {
    struct global {};
};

/* From here to the end of the scope. */
template <class D> struct scoped_range_in {
    template <class... A> explicit scoped_range_in(const A &...) {}
    scoped_range_in(const scoped_range_in &) = delete;
    ~scoped_range_in() {}
};
typedef scoped_range_in<domain::global> scoped_range;
typedef scoped_range_in<domain::global> unique_range;

struct range_handle {};
template <class... A> void mark(const A &...) {}
template <class D, class... A> void mark_in(const A &...) {}
template <class... A> range_handle start_range(const A &...) { return {}; }
inline void end_range(range_handle) {}

} // namespace v1
} // namespace nvtx3
#endif
