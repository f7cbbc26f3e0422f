/* reduction.cpp - sums, products, minima, maxima and averages of elements. */
#include "reduction.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include <cstring>

namespace cudacpu {

namespace {

const struct {
    size_t size;
    const char *name;
} TYPES[] = {{1, "int8"},   {1, "uint8"},   {4, "int32"},   {4, "uint32"},  {8, "int64"},
             {8, "uint64"}, {2, "float16"}, {4, "float32"}, {8, "float64"}, {2, "bfloat16"}};
const char *const OPERATIONS[] = {"sum", "product", "maximum", "minimum", "average"};
const unsigned TYPE_COUNT = sizeof TYPES / sizeof *TYPES;

/* What an element is calculated in. */
template <class T> T widen(T x) { return x; }
float widen(__half x) { return __half2float(x); }
float widen(__nv_bfloat16 x) { return __bfloat162float(x); }
template <class T> void narrow(T *to, T x) { *to = x; }
void narrow(__half *to, float x) { *to = __float2half(x); }
void narrow(__nv_bfloat16 *to, float x) { *to = __float2bfloat16(x); }

/* Integers in unsigned, where nothing overflows. */
template <class W> W combine(W a, W b, ncclRedOp_t op) {
    switch (op) {
    case ncclProd:
        if constexpr (std::is_integral<W>::value)
            return (W)((uint64_t)a * (uint64_t)b);
        else
            return a * b;
    case ncclMax:
        return a < b || b != b ? b : a;
    case ncclMin:
        return b < a || b != b ? b : a;
    default:
        if constexpr (std::is_integral<W>::value)
            return (W)((uint64_t)a + (uint64_t)b);
        else
            return a + b;
    }
}

template <class T>
void reduce_elements(void *to, const std::vector<const void *> &from, size_t count,
                     ncclRedOp_t op) {
    for (size_t i = 0; i < count; i++) {
        T element;
        memcpy(&element, (const T *)from[0] + i, sizeof element);
        for (size_t r = 1; r < from.size(); r++) {
            T other;
            memcpy(&other, (const T *)from[r] + i, sizeof other);
            narrow(&element, combine(widen(element), widen(other), op));
        }
        if (op == ncclAvg) {
            typedef decltype(widen(element)) wide;
            narrow(&element, (wide)(widen(element) / (wide)from.size()));
        }
        memcpy((T *)to + i, &element, sizeof element);
    }
}

} // namespace

size_t size_of(ncclDataType_t type) { return (unsigned)type < TYPE_COUNT ? TYPES[type].size : 0; }
const char *name_of(ncclDataType_t type) { return TYPES[type].name; }
const char *name_of(ncclRedOp_t op) { return (unsigned)op < ncclNumOps ? OPERATIONS[op] : nullptr; }

void reduce(void *to, const std::vector<const void *> &from, size_t count, ncclDataType_t type,
            ncclRedOp_t op) {
    static void (*const FUNCTIONS[])(void *, const std::vector<const void *> &, size_t,
                                     ncclRedOp_t) = {
        reduce_elements<int8_t>,       reduce_elements<uint8_t>, reduce_elements<int32_t>,
        reduce_elements<uint32_t>,     reduce_elements<int64_t>, reduce_elements<uint64_t>,
        reduce_elements<__half>,       reduce_elements<float>,   reduce_elements<double>,
        reduce_elements<__nv_bfloat16>};
    FUNCTIONS[type](to, from, count, op);
}

} // namespace cudacpu
