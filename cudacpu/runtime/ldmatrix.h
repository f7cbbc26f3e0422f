/* ldmatrix.h - the arithmetic of ldmatrix: which lane gets what of matrices of 8 x 8 elements of 16
 * bits. Nothing here waits for anybody. */
#ifndef CUDACPU_RUNTIME_LDMATRIX_H
#define CUDACPU_RUNTIME_LDMATRIX_H
#include <cstdint>

namespace cudacpu {

/* A lane's part. row: of its 16 bytes, row lane % 8 of matrix lane / 8; unused from lane 8 * count
 * on. d: count registers. */
struct ldmatrix_call {
    unsigned count;
    bool transposed;
    const void *row;
    uint32_t *d;
};

/* For 32 lanes with the same count and transposed. */
void load_matrices(const ldmatrix_call *const *lanes);

} // namespace cudacpu
#endif
