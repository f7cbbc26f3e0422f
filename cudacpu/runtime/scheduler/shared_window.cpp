/* shared_window.cpp - shared addresses: dynamic shared memory from 1024 on, as on Hopper, and the
 * static one above. So what wgmma can read has addresses of 18 bits, all that its descriptors hold.
 *
 * The low 10 bits are those of the address on the host, since swizzles work on them. Static shared
 * memory is the program's thread-local storage: it begins at a multiple of 1024 in each OS thread
 * (worker.cpp), so that a variable has the same address in each block of a cluster. It is counted
 * from the kernel's own variables on, round and round. */
#include "shared_window.h"
#include "block.h"
#include "cluster.h"
#include "cudacpu/ptx.h"
#include "runtime/host/process.h"
#include <algorithm>

namespace cudacpu {
namespace {

const uint32_t FIRST = 1024; /* below: reserved for the system */
const size_t MOST_ALIGNED = 1024;
const unsigned OFFSET_BITS = 24; /* above: 0, or 1 + rank */
const uint32_t OFFSET_MASK = (1u << OFFSET_BITS) - 1;
unsigned alignment_asked_for = 16;

uint32_t round_up(size_t bytes) { return (uint32_t)((bytes + 1023) / 1024 * 1024); }

/* Of the running block; another's of its cluster has the same. */
uint32_t dynamic_address() { return self->dynamic_address; }
/* A gap between both, for who counts too far. */
uint32_t static_address() {
    return round_up(dynamic_address() + self->launch->shared_bytes) + 1024;
}
size_t first_static() { return self->launch->first_static / 1024 * 1024; }

/* The number of an address in this block's shared memory; 0: it is not there. */
uint32_t find_offset(const worker *w, const void *p) {
    const size_t in_dynamic = (size_t)((const char *)p - w->dynamic),
                 in_statics = (size_t)((const char *)p - w->statics),
                 bytes = self->launch->shared_bytes;
    if (in_statics < w->statics_bytes)
        return static_address() + (uint32_t)(in_statics - first_static()) +
               (in_statics < first_static() ? round_up(w->statics_bytes) : 0);
    return bytes && in_dynamic <= bytes ? dynamic_address() + (uint32_t)in_dynamic : 0;
}

char *find_host(const worker *w, uint32_t offset) {
    const size_t in_dynamic = offset - dynamic_address(), from_first = offset - static_address(),
                 all = round_up(w->statics_bytes);
    if (offset >= dynamic_address() && in_dynamic < self->launch->shared_bytes)
        return w->dynamic + in_dynamic;
    const size_t in_statics =
        from_first + first_static() - (from_first + first_static() < all ? 0 : all);
    if (offset < static_address() || from_first >= all || in_statics >= w->statics_bytes)
        return nullptr;
    return w->statics + in_statics;
}

std::string format_address(uint32_t address) { return print("0x%x", address); }

void check_rank(uint32_t rank, const site *where) {
    if (rank >= self->together->size)
        fail_thread("wrong rank", where, "block ", rank, " of its cluster: there are ",
                    self->together->size);
}

} // namespace

char *place_dynamic(const worker *w, size_t bytes) {
    return (char *)((uintptr_t)(w->shared_end - bytes) / alignment_asked_for * alignment_asked_for);
}

uint32_t address_of_dynamic(const char *dynamic) {
    return FIRST + (uint32_t)((uintptr_t)dynamic % 1024);
}

int align_dynamic_shared(unsigned bytes) {
    return (int)(alignment_asked_for = std::max(alignment_asked_for, bytes));
}

bool in_shared_memory(const worker *w, const void *p) { return find_offset(w, p) != 0; }

worker *find_owner(const void *p) {
    const cluster *c = self->together;
    for (unsigned i = 0; i < c->size; i++)
        if (c->blocks[i]->state == RUNNING && in_shared_memory(c->blocks[i], p))
            return c->blocks[i];
    return nullptr;
}

worker *block_of(uint32_t address, const site *where) {
    find_fiber(where);
    const uint32_t rank = ptx::rank_of(address);
    if (address >> OFFSET_BITS == 0)
        return self;
    check_rank(rank, where);
    worker *w = self->together->blocks[rank];
    if (w->state != RUNNING)
        fail_thread("block is not there", where, "the shared memory of block ", rank,
                    " of its cluster, which ",
                    w->state == ENDED ? "has ended" : "may not have begun",
                    ": barrier.cluster tells when all are there");
    return w;
}

/* Where the program relies on more than there is. */
static std::string describe_alignment() {
    const size_t wanted = std::max(program_thread_locals().alignment, (size_t)alignment_asked_for);
    return wanted <= MOST_ALIGNED ? ""
                                  : text("; the program has a __shared__ variable with __align__(",
                                         wanted, "): a shared address is aligned to at most ",
                                         MOST_ALIGNED, " bytes, as on a GPU");
}

uint32_t ptx::find_shared(uint64_t generic, const site *where) {
    find_fiber(where);
    const void *p = (const void *)generic;
    if (const uint32_t own = find_offset(self, p))
        return own;
    worker *w = find_owner(p);
    if (!w) {
        fail_thread("not shared memory", where,
                    "an address that is not in shared memory: ", format_pointer(p));
        return 0;
    }
    return (w->rank + 1) << OFFSET_BITS | find_offset(w, p);
}

void *ptx::find_generic(uint32_t address, const site *where) {
    const worker *w = block_of(address, where);
    char *p = find_host(w, address & OFFSET_MASK);
    if (!p)
        fail_thread("outside shared memory", where, "shared address ", format_address(address),
                    " is outside of the block's shared memory (", w->launch->shared_bytes,
                    " bytes of dynamic shared memory "
                    "begin at ",
                    format_address(dynamic_address()), ", the static one at ",
                    format_address(static_address()), ")", describe_alignment());
    return p;
}

uint32_t ptx::map_to_rank(uint32_t address, uint32_t rank, const site *where) {
    find_fiber(where);
    check_rank(rank, where);
    return (rank + 1) << OFFSET_BITS | (address & OFFSET_MASK);
}

uint64_t ptx::map_generic_to_rank(uint64_t generic, uint32_t rank, const site *where) {
    const uint32_t mapped = map_to_rank(find_shared(generic, where), rank, where);
    return (uint64_t)find_host(self->together->blocks[rank], mapped & OFFSET_MASK);
}

uint32_t ptx::rank_of(uint32_t address) {
    return address >> OFFSET_BITS ? (address >> OFFSET_BITS) - 1 : self->rank;
}

} // namespace cudacpu
