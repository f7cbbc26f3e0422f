/* mma.h - the warp matrix functions of 8-bit integers, half, bfloat16, tf32 and double. CUDA does
 * not say which lane holds which element of a fragment, so here a lane holds all that its own
 * elements of the product need: a row of A and neighbouring columns of B. Each lane then works for
 * itself, and none waits for another. Other types and shapes end the compilation with a sentence.
 *
 * Products of half, bfloat16 and tf32 are exact in float; their sums are of floats here, while the
 * hardware truncates: on both sides the error is at most (k + 1) 2^-23 of the sum of the absolute
 * products. Sums kept in half are rounded once, at the end. */
#ifndef CUDACPU_MMA_H
#define CUDACPU_MMA_H
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

namespace cudacpu {
/* Matrices of wmma: a kernel calls for them in a way that a GPU does not take. */
[[noreturn]] void fail_fragment(const char *kind, const char *why, const char *file, int line);
/* A matrix for wmma is not at a multiple of so many bytes, or its rows are not so far apart. */
[[noreturn]] void fail_matrix(const void *p, size_t row_bytes, unsigned bytes, unsigned apart,
                              const char *file, int line);
bool is_warp_whole(); /* the running thread's: the block's last one may have fewer threads */
} // namespace cudacpu

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
} // namespace precision
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
} // namespace experimental

/* What a fragment holds of an element, and what memory does; shape: which of the m x n x k. */
enum fragment_shape { SHAPES_OF_16, SHAPE_OF_8, SHAPE_OF_4, NO_SHAPE };
template <fragment_shape s, class held, class stored = held> struct element_of {
    typedef held in_fragment;
    typedef stored in_memory;
    static constexpr fragment_shape shape = s;
};
template <class T> struct element : element_of<NO_SHAPE, T> {};
template <> struct element<signed char> : element_of<SHAPES_OF_16, int, signed char> {};
template <> struct element<unsigned char> : element_of<SHAPES_OF_16, int, unsigned char> {};
template <> struct element<__half> : element_of<SHAPES_OF_16, __half> {};
template <> struct element<__nv_bfloat16> : element_of<SHAPES_OF_16, __nv_bfloat16> {};
template <> struct element<precision::tf32> : element_of<SHAPE_OF_8, float> {};
template <> struct element<double> : element_of<SHAPE_OF_4, double> {};

template <int m, int n, int k> constexpr bool has_shape(fragment_shape s) {
    const bool of_16 = (m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32);
    return (s == SHAPES_OF_16 && k == 16 && of_16) ||
           (s == SHAPE_OF_8 && m == 16 && n == 16 && k == 8) ||
           (s == SHAPE_OF_4 && m == 8 && n == 8 && k == 4);
}

/* The part of an m x n product that this lane computes: neighbours of one row. */
template <int m, int n> struct lane_part {
    enum { COLUMNS = m * n / 32 };
    static int row() { return ::cudacpu::lane() * COLUMNS / n; }
    static int column() { return ::cudacpu::lane() * COLUMNS % n; }
};
template <int m, int n, int k, class T> struct factor_part : lane_part<m, n> {
    static_assert(element<T>::shape != NO_SHAPE,
                  "cudacpu's mma.h multiplies signed char, unsigned char, __half, __nv_bfloat16, "
                  "precision::tf32 and double, and no other types");
    static_assert(element<T>::shape == NO_SHAPE || has_shape<m, n, k>(element<T>::shape),
                  "mma.h: the shapes are 16x16x16, 32x8x16 and 8x32x16; 16x16x8 for tf32; 8x8x4 "
                  "for double");
    typedef typename element<T>::in_fragment element_type;
    typedef element_type storage_element_type;
};
template <int m, int n, int k, class T> struct sum_part : lane_part<m, n> {
    static_assert(std::is_same<T, int>::value || std::is_same<T, float>::value ||
                      std::is_same<T, __half>::value || std::is_same<T, double>::value,
                  "cudacpu's mma.h has sums of int, float, __half and double, and no other types");
    typedef T element_type;
    typedef T storage_element_type;
};

/* x holds what is 8 bits wide as int, for which the compiler finds the CPU's vector instructions.
 */
template <class use, int m, int n, int k, class T, class layout = void> struct fragment;
template <int m, int n, int k, class T, class layout>
struct fragment<matrix_a, m, n, k, T, layout> : factor_part<m, n, k, T> {
    enum { num_elements = k, num_storage_elements = k };
    typename element<T>::in_fragment x[num_elements]; /* the row */
};
template <int m, int n, int k, class T, class layout>
struct fragment<matrix_b, m, n, k, T, layout> : factor_part<m, n, k, T> {
    enum { num_elements = k * lane_part<m, n>::COLUMNS, num_storage_elements = num_elements };
    typename element<T>::in_fragment x[num_elements]; /* the columns: neighbours for each of k */
};
template <int m, int n, int k, class T>
struct fragment<accumulator, m, n, k, T> : sum_part<m, n, k, T> {
    enum { num_elements = lane_part<m, n>::COLUMNS, num_storage_elements = num_elements };
    T x[num_elements];
};

/* What a matrix's address is a multiple of: the bytes of it in each lane's registers, as the
 * instruction has it (the guide's 32 bytes are those of half, float and int), but 16, which
 * ldmatrix needs, of narrow types. Its rows are that far apart too, or 16 bytes. */
template <class T> constexpr unsigned fragment_bytes(int rows, int columns) {
    const int bytes = rows * columns / 32 * (int)sizeof(T);
    return std::is_same<T, __half>::value ? 32
           : sizeof(T) < 8 && bytes < 16  ? 16u
                                          : (unsigned)bytes;
}
#ifdef CUDACPU_INSPECT
extern "C" void cudacpu_observed_matrix(const void *p, size_t bytes, bool write, const char *file,
                                        int line);
#else
static inline void cudacpu_observed_matrix(const void *, size_t, bool, const char *, int) {}
#endif
/* Of so many rows and columns, stored by one or the other, ld elements apart. */
template <class T>
void check_matrix(const T *p, unsigned bytes, unsigned rows, unsigned columns, bool by_row,
                  unsigned ld, bool write, const char *file, int line) {
    const unsigned apart = bytes < 16 ? bytes : 16;
    if ((uintptr_t)p % bytes != 0 || ld * sizeof *p % apart != 0)
        ::cudacpu::fail_matrix(p, ld * sizeof *p, bytes, apart, file, line);
    const size_t last = (size_t)((by_row ? rows : columns) - 1) * ld;
    cudacpu_observed_matrix(p, (last + (by_row ? columns : rows)) * sizeof *p, write, file, line);
}

template <class fragment_type, class T> void fill_fragment(fragment_type &f, const T &value) {
    for (int i = 0; i < fragment_type::num_elements; i++)
        f.x[i] = (typename fragment_type::element_type)value;
}

template <int m, int n, int k, class T, class layout>
void load_matrix_sync(fragment<matrix_a, m, n, k, T, layout> &f,
                      const typename element<T>::in_memory *p, unsigned ld, CUDACPU_SITE) {
    const bool by_row = std::is_same<layout, row_major>::value;
    check_matrix(p, fragment_bytes<typename element<T>::in_memory>(m, k), m, k, by_row, ld, false,
                 file, line);
    p += by_row ? f.row() * ld : f.row();
    for (int i = 0; i < k; i++)
        f.x[i] = by_row ? p[i] : p[i * ld];
}

template <int m, int n, int k, class T, class layout>
void load_matrix_sync(fragment<matrix_b, m, n, k, T, layout> &f,
                      const typename element<T>::in_memory *p, unsigned ld, CUDACPU_SITE) {
    const bool by_row = std::is_same<layout, row_major>::value;
    check_matrix(p, fragment_bytes<typename element<T>::in_memory>(k, n), k, n, by_row, ld, false,
                 file, line);
    p += by_row ? f.column() : f.column() * ld;
    for (int j = 0; j < f.COLUMNS; j++)
        for (int i = 0; i < k; i++)
            f.x[i * f.COLUMNS + j] = by_row ? p[i * ld + j] : p[j * ld + i];
}

template <int m, int n, int k, class T>
void load_matrix_sync(fragment<accumulator, m, n, k, T> &f, const T *p, unsigned ld,
                      layout_t layout, CUDACPU_SITE) {
    check_matrix(p, m * n / 32 * sizeof *p, m, n, layout == mem_row_major, ld, false, file, line);
    const int row = f.row(), column = f.column();
    for (int j = 0; j < f.COLUMNS; j++)
        f.x[j] = layout == mem_row_major ? p[row * ld + column + j] : p[(column + j) * ld + row];
}

template <int m, int n, int k, class T>
void store_matrix_sync(T *p, const fragment<accumulator, m, n, k, T> &f, unsigned ld,
                       layout_t layout, CUDACPU_SITE) {
    check_matrix(p, m * n / 32 * sizeof *p, m, n, layout == mem_row_major, ld, true, file, line);
    if (!::cudacpu::is_warp_whole())
        ::cudacpu::fail_fragment("divergent instruction",
                                 "needs all 32 threads of a warp; the block's last one has fewer",
                                 file, line);
    const int row = f.row(), column = f.column();
    for (int j = 0; j < f.COLUMNS; j++)
        p[layout == mem_row_major ? row * ld + column + j : (column + j) * ld + row] = f.x[j];
}

/* Rounded to 10 bits of fraction, to nearest, ties away from zero, as cvt.rna.tf32 does. */
static inline float __float_to_tf32(float x) {
    const unsigned bits = __float_as_uint(x);
    if ((bits & 0x7f800000) == 0x7f800000)
        return x;
    return __uint_as_float((bits + 0x1000) & 0xffffe000);
}

/* d = a b + c, in float (double for double). */
template <int m, int n, int k, class D, class T, class layout_a, class layout_b, class C>
void mma_sync(fragment<accumulator, m, n, k, D> &d,
              const fragment<matrix_a, m, n, k, T, layout_a> &a,
              const fragment<matrix_b, m, n, k, T, layout_b> &b,
              const fragment<accumulator, m, n, k, C> &c) {
    static_assert(!std::is_integral<typename element<T>::in_fragment>::value &&
                      !std::is_same<D, int>::value && !std::is_same<C, int>::value,
                  "mma_sync: integers have sums of int, the others do not");
    static_assert(std::is_same<T, double>::value
                      ? std::is_same<D, double>::value && std::is_same<C, double>::value
                      : !std::is_same<D, double>::value && !std::is_same<C, double>::value,
                  "mma_sync: products of double, and no others, have sums of double");
    static_assert(std::is_same<T, __half>::value ||
                      !(std::is_same<D, __half>::value || std::is_same<C, __half>::value),
                  "mma_sync: only products of __half have sums of __half");
    typedef typename std::conditional<std::is_same<T, double>::value, double, float>::type number;
    enum { COLUMNS = lane_part<m, n>::COLUMNS };
    number sum[COLUMNS];
    for (int j = 0; j < COLUMNS; j++)
        sum[j] = c.x[j];
    for (int i = 0; i < k; i++) {
        const number factor = a.x[i];
        for (int j = 0; j < COLUMNS; j++)
            sum[j] += factor * (number)b.x[i * COLUMNS + j];
    }
    for (int j = 0; j < COLUMNS; j++)
        d.x[j] = sum[j];
}

/* d = a b + c. Sums that leave int wrap, as on a device without satf, which is not provided. */
template <int m, int n, int k, class T, class layout_a, class layout_b>
void mma_sync(fragment<accumulator, m, n, k, int> &d,
              const fragment<matrix_a, m, n, k, T, layout_a> &a,
              const fragment<matrix_b, m, n, k, T, layout_b> &b,
              const fragment<accumulator, m, n, k, int> &c, bool satf = false, CUDACPU_SITE) {
    typedef unsigned eight
        __attribute__((vector_size(32))); /* what GCC and clang make vector instructions of */
    eight sum, factor;
    if (satf)
        ::cudacpu::fail_fragment("not provided", "has no saturating sums here", file, line);
    std::memcpy(&sum, c.x, sizeof sum);
    for (int i = 0; i < k; i++) {
        std::memcpy(&factor, b.x + i * 8, sizeof factor);
        sum += factor * (unsigned)a.x[i];
    }
    std::memcpy(d.x, &sum, sizeof sum);
}

} // namespace wmma
} // namespace nvcuda
#endif
