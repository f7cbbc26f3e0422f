/* matrix_product_vnni.h - multiply_integers() on CPUs that multiply bytes: x86 with AVX-512 VNNI,
 * four times as fast as in float. */
#ifndef CUDACPU_RUNTIME_MATRIX_PRODUCT_VNNI_H
#define CUDACPU_RUNTIME_MATRIX_PRODUCT_VNNI_H
#include "matrix_product.h"

namespace cudacpu {

/* False: this CPU has no such instruction, and nothing is done. */
bool multiply_integers_vnni(ptx::element a_type, ptx::element b_type, unsigned rows, unsigned words,
                            const uint32_t *a, const uint32_t (*b)[PANEL], int32_t *sums,
                            unsigned next_row);

} // namespace cudacpu
#endif
