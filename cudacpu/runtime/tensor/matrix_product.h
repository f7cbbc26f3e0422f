/* matrix_product.h - the micro-kernel of every tensor-core instruction: rows of A times a panel of
 * 8 columns of B. Both are words of 4 bytes along k: a[row * words + i] and b[i][column]. Sums are
 * next_row elements apart from row to row. */
#ifndef CUDACPU_RUNTIME_MATRIX_PRODUCT_H
#define CUDACPU_RUNTIME_MATRIX_PRODUCT_H
#include "cudacpu/ptx.h"

/* Functions that are compiled more than once: the runtime is for every CPU of its kind, and a loop
 * that vectorises is faster with what newer ones have. */
#if defined(__x86_64__) && defined(__linux__)
#define ALSO_WITH(instructions) __attribute__((target_clones(instructions, "default")))
#else
#define ALSO_WITH(instructions)
#endif

namespace cudacpu {

enum { PANEL = 8, MOST_WORDS = 8, MOST_ROWS = 64 };

inline bool is_integer(ptx::element type) { return type == ptx::S8 || type == ptx::U8; }

/* What a register gets: integer_sum (cudacpu/warp_matrix.h), and */
uint32_t float_sum(double sum); /* of every NaN a GPU's */

/* S8 and U8: the sums are exact. rows is a multiple of 8, up to
 * MOST_ROWS. */
void multiply_integers(ptx::element a_type, ptx::element b_type, unsigned rows, unsigned words,
                       const uint32_t *a, const uint32_t (*b)[PANEL], int32_t *sums,
                       unsigned next_row);

/* F16 and BF16: products are exact in double, and summed there in the order of k; the instructions
 * add c last and round once to float. A GPU truncates within its sum, so the last bits differ. On
 * both the error is at most (k + 1) 2^-23 times the sum of the absolute products and of |c|. A as
 * doubles, 2 * words of them in each row. */
void halves_to_doubles(ptx::element type, unsigned words, const uint32_t *from, double *to);
void multiply_halves(ptx::element b_type, unsigned rows, unsigned words, const double *a,
                     const uint32_t (*b)[PANEL], double *sums, unsigned next_row);

/* Sums that begin with what is there, each a chain of fma in the order of k. */
void multiply_f64(unsigned rows, unsigned depth, const double (*a)[16], const double (*b)[PANEL],
                  double (*__restrict sums)[PANEL]);

} // namespace cudacpu
#endif
