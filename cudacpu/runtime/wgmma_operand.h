/* wgmma_operand.h - where a matrix descriptor of wgmma says that a factor lies in shared memory. */
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

/* Of segment i: half i % 2 of vector i / 2; transposed: of the 8 vectors from i / 16 * 8 on, the
 * elements of k = i % 16. Returns their number. */
unsigned segment_addresses(const wgmma_operand &operand, uint32_t addresses[MOST_SEGMENTS]);

/* Shared addresses [first, end) that enclose all of an operand. */
struct shared_range {
    uint32_t first, end;
};
shared_range range_of(const wgmma_operand &operand);

} // namespace cudacpu
#endif
