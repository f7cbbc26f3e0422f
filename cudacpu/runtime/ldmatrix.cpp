/* ldmatrix.cpp - which lane gets what of a matrix of 8 x 8 elements of 16 bits. */
#include "ldmatrix.h"
#include <cstring>

namespace cudacpu {

void load_matrix(bool transposed, const void *const *rows, uint32_t (*words)[4]) {
    if (!transposed) {
        for (unsigned lane = 0; lane < 32; lane++)
            memcpy(words[lane], (const char *)rows[lane / 4] + lane % 4 * 4, 4);
        return;
    }
    uint16_t element[8][8];
    for (unsigned row = 0; row < 8; row++)
        memcpy(element[row], rows[row], sizeof element[row]);
    for (unsigned lane = 0; lane < 32; lane++) {
        const unsigned column = lane / 4, first = lane % 4 * 2;
        words[lane][0] = element[first][column] | (uint32_t)element[first + 1][column] << 16;
    }
}

} // namespace cudacpu
