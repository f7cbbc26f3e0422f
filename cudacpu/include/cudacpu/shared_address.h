/* shared_address.h - from a pointer to an address in shared memory, and back: the block's dynamic
 * shared memory, where most of these lie, is looked up inline. */
#ifndef CUDACPU_SHARED_ADDRESS_H
#define CUDACPU_SHARED_ADDRESS_H
#include "cudacpu/meeting.h"
#include "cudacpu/ptx.h"

namespace cudacpu::ptx {

/* cvta.to.shared, __cvta_generic_to_shared: ends the launch where it is not shared memory. */
inline uint32_t to_shared(uint64_t generic, const site *where) {
#ifndef CUDACPU_INSPECT
    if (const block_places *b = cudacpu_block_places) {
        const uint64_t offset = generic - (uint64_t)b->dynamic;
        if (__builtin_expect(offset < b->dynamic_bytes, 1))
            return b->dynamic_address + (uint32_t)offset;
    }
#endif
    return find_shared(generic, where);
}

/* cvta.shared, and every access through a shared address: ends the launch outside of the window. */
inline void *from_shared(uint32_t address, const site *where) {
#ifndef CUDACPU_INSPECT
    if (const block_places *b = cudacpu_block_places) {
        const uint32_t offset = address - b->dynamic_address;
        if (__builtin_expect(offset < b->dynamic_bytes, 1))
            return b->dynamic + offset;
    }
#endif
    return find_generic(address, where);
}

} // namespace cudacpu::ptx
#endif
