/* ldmatrix.h - the arithmetic of ldmatrix: which lane gets what of matrices of 8 x 8 elements of 16
 * bits. Nothing here waits for anybody. */
#ifndef CUDACPU_RUNTIME_LDMATRIX_H
#define CUDACPU_RUNTIME_LDMATRIX_H
#include <cstdint>

namespace cudacpu {

/* words[lane][0], of a matrix with these 8 rows of 16 bytes: two neighbours of row lane / 4, or,
 * transposed, of column lane / 4. */
void load_matrix(bool transposed, const void *const *rows, uint32_t (*words)[4]);

} // namespace cudacpu
#endif
