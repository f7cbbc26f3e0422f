/* ldmatrix.cpp - which lane gets what of matrices of 8 x 8 elements of 16 bits: two neighbours of
 * row lane / 4, or, transposed, of column lane / 4. */
#include "ldmatrix.h"
#include <cstring>

namespace cudacpu {

void load_matrices(const ldmatrix_call *const *lanes) {
    for (unsigned matrix = 0; matrix < lanes[0]->count; matrix++) {
        uint16_t element[8][8];
        for (unsigned row = 0; row < 8; row++)
            memcpy(element[row], lanes[8 * matrix + row]->row, sizeof element[row]);
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned group = lane / 4, first = lane % 4 * 2;
            lanes[lane]->d[matrix] =
                lanes[0]->transposed
                    ? element[first][group] | (uint32_t)element[first + 1][group] << 16
                    : element[group][first] | (uint32_t)element[group][first + 1] << 16;
        }
    }
}

} // namespace cudacpu
