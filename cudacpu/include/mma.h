/* mma.h - the warp matrix functions of 8-bit integers. CUDA does not say which lane holds which
 * element of a fragment, so here a lane holds all that its own 8 elements of the product need: a
 * row of A and 8 columns of B. Each lane then works for itself, and none waits for another. Other
 * types and shapes end the compilation with a sentence. */
#ifndef CUDACPU_MMA_H
#define CUDACPU_MMA_H
#include "cuda_runtime.h"

namespace nvcuda {
namespace wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };

/* The part of an m x n product that this lane computes: 8 elements of one row. */
template <int m, int n, int k, class T> struct lane_part {
    static_assert(
        std::is_same<T, signed char>::value || std::is_same<T, unsigned char>::value ||
            std::is_same<T, int>::value,
        "cudacpu's mma.h provides signed char and unsigned char with int sums, and no other types");
    static_assert((m == 16 && n == 16 && k == 16) || (m == 32 && n == 8 && k == 16) ||
                      (m == 8 && n == 32 && k == 16),
                  "cudacpu's mma.h: 8-bit integers are multiplied as 16x16x16, 32x8x16 or 8x32x16");
    static int row() { return ::cudacpu::lane() * 8 / n; }
    static int column() { return ::cudacpu::lane() * 8 % n; }
};

/* x holds what was 8 bits wide as int, for which the compiler finds the CPU's vector instructions.
 */
template <class use, int m, int n, int k, class T, class layout = void> struct fragment;
template <int m, int n, int k, class T, class layout>
struct fragment<matrix_a, m, n, k, T, layout> : lane_part<m, n, k, T> {
    enum { num_elements = k };
    int x[num_elements]; /* the row */
};
template <int m, int n, int k, class T, class layout>
struct fragment<matrix_b, m, n, k, T, layout> : lane_part<m, n, k, T> {
    enum { num_elements = k * 8 };
    int x[num_elements]; /* the columns: 8 neighbours for each of k */
};
template <int m, int n, int k>
struct fragment<accumulator, m, n, k, int> : lane_part<m, n, k, int> {
    enum { num_elements = 8 };
    int x[num_elements];
};

/* CUDA wants 32-byte pointers, and leading dimensions that are a multiple of 16 bytes. */
static inline void check_matrix(const void *pointer, size_t row_bytes, const char *file, int line) {
    if ((uintptr_t)pointer % 32 != 0 || row_bytes % 16 != 0)
        ::cudacpu::trap(file, line);
}

template <class fragment_type, class T> void fill_fragment(fragment_type &f, const T &value) {
    for (int i = 0; i < fragment_type::num_elements; i++)
        f.x[i] = value;
}

template <int m, int n, int k, class T, class layout>
void load_matrix_sync(fragment<matrix_a, m, n, k, T, layout> &f, const T *p, unsigned ld,
                      CUDACPU_SITE) {
    check_matrix(p, ld, file, line);
    const bool by_row = std::is_same<layout, row_major>::value;
    p += by_row ? f.row() * ld : f.row();
    for (int i = 0; i < k; i++)
        f.x[i] = by_row ? p[i] : p[i * ld];
}

template <int m, int n, int k, class T, class layout>
void load_matrix_sync(fragment<matrix_b, m, n, k, T, layout> &f, const T *p, unsigned ld,
                      CUDACPU_SITE) {
    check_matrix(p, ld, file, line);
    const bool by_row = std::is_same<layout, row_major>::value;
    p += by_row ? f.column() : f.column() * ld;
    for (int j = 0; j < 8; j++)
        for (int i = 0; i < k; i++)
            f.x[i * 8 + j] = by_row ? p[i * ld + j] : p[j * ld + i];
}

template <int m, int n, int k>
void load_matrix_sync(fragment<accumulator, m, n, k, int> &f, const int *p, unsigned ld,
                      layout_t layout, CUDACPU_SITE) {
    check_matrix(p, ld * sizeof(int), file, line);
    const int row = f.row(), column = f.column();
    for (int j = 0; j < 8; j++)
        f.x[j] = layout == mem_row_major ? p[row * ld + column + j] : p[(column + j) * ld + row];
}

template <int m, int n, int k>
void store_matrix_sync(int *p, const fragment<accumulator, m, n, k, int> &f, unsigned ld,
                       layout_t layout, CUDACPU_SITE) {
    check_matrix(p, ld * sizeof(int), file, line);
    const int row = f.row(), column = f.column();
    for (int j = 0; j < 8; j++)
        p[layout == mem_row_major ? row * ld + column + j : (column + j) * ld + row] = f.x[j];
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
        ::cudacpu::trap(file, line);
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
