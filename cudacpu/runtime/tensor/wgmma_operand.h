/* wgmma_operand.h - where a matrix descriptor of wgmma says that a factor lies in shared memory:
 * PTX ISA, "Matrix Descriptor Format" and "Strides". */
#ifndef CUDACPU_RUNTIME_WGMMA_OPERAND_H
#define CUDACPU_RUNTIME_WGMMA_OPERAND_H
#include <cstdint>

namespace cudacpu {

/* A factor is vectors (rows of A, columns of B) of 32 bytes along k. transposed, of 16-bit elements
 * only: neighbours in memory are of 8 vectors, not of one. */
struct wgmma_operand {
    uint64_t descriptor;
    unsigned vectors; /* a multiple of 8, at most 256 */
    bool transposed;
};

/* A factor is read in segments of 16 bytes, two a vector. */
enum { SEGMENT = 16, MOST_SEGMENTS = 512 };

struct matrix_descriptor {
    uint32_t start, leading, stride;
    unsigned base_offset, segments; /* in a row of the swizzle: 1 (none), 2, 4 or 8 */
};

inline matrix_descriptor decode(uint64_t descriptor) {
    static const unsigned segments[4] = {1, 8, 4, 2};
    matrix_descriptor l;
    l.start = (uint32_t)(descriptor & 0x3fff) * SEGMENT;
    l.leading = (uint32_t)(descriptor >> 16 & 0x3fff) * SEGMENT;
    l.stride = (uint32_t)(descriptor >> 32 & 0x3fff) * SEGMENT;
    l.base_offset = (unsigned)(descriptor >> 49 & 7);
    l.segments = segments[descriptor >> 62];
    return l;
}

/* A swizzle works on the address: the segment's number within the row, XOR the row's in the pattern
 * of 8 times 128 bytes. */
inline uint32_t swizzle(const matrix_descriptor &l, uint32_t address) {
    return address ^ ((((address >> 7) - l.base_offset) & (l.segments - 1)) * SEGMENT);
}

/* Of segment i: half i % 2 of vector i / 2; transposed: of the 8 vectors from i / 16 * 8 on, the
 * elements of k = i % 16. Returns their number. */
inline unsigned segment_addresses(const wgmma_operand &operand, uint32_t addresses[MOST_SEGMENTS]) {
    const matrix_descriptor l = decode(operand.descriptor);
    const uint32_t row = l.segments * SEGMENT; /* to the next of 8 */
    const uint32_t next = l.segments > 1 ? (uint32_t)SEGMENT : l.leading;
    /* Offset: of the next 8 vectors, of the next half of k. Without a swizzle, transposed, the two
     * strides change places. */
    for (unsigned i = 0; i < 2 * operand.vectors; i++) {
        uint32_t offset;
        if (!operand.transposed)
            offset = i / 16 * l.stride + i / 2 % 8 * row + i % 2 * next;
        else if (l.segments == 1)
            offset = i / 16 * l.stride + i / 8 % 2 * l.leading + i % 8 * row;
        else
            offset = i / 16 / l.segments * l.leading + i / 16 % l.segments * SEGMENT +
                     i / 8 % 2 * l.stride + i % 8 * row;
        addresses[i] = swizzle(l, l.start + offset);
    }
    return 2 * operand.vectors;
}

} // namespace cudacpu
#endif
